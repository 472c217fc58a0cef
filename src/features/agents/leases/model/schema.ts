import { type Static, Type as t } from '@sinclair/typebox'
import { Actor, Timestamp } from '../../../identity/people/model/index.ts'
import { MAX_TTL_MS, MIN_TTL_MS } from './rules.ts'

const Ttl = t.Integer({
  minimum: MIN_TTL_MS,
  maximum: MAX_TTL_MS,
  needs: 'tasks:write',
  description: 'Milliseconds it lasts without a write or heartbeat; default 30 minutes',
})
export const LeaseId = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'lease_id from the claim response',
})

export const term = {
  owner_id: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 100,
      needs: 'tasks:write',
      description: 'Distinguishes several workers that share a token',
    }),
  ),
  ttl: t.Optional(Ttl),
}
export type LeaseOptions = Static<ReturnType<typeof t.Object<typeof term>>>

const owner_id = t.Union([t.String(), t.Null()])
const fencing_token = t.Integer({ description: 'Grows with every new lease of the task' })

/** What only the holder sees. */
export const HeldLease = t.Object({
  lease_id: t.String(),
  owner_id,
  expires_at: Timestamp,
  ttl: t.Integer({ description: 'Milliseconds' }),
  fencing_token,
})
export type HeldLease = Static<typeof HeldLease>

export const LeaseReceipt = t.Object({
  lease_id: t.String(),
  ticket_number: t.String(),
  ...t.Omit(HeldLease, ['lease_id']).properties,
})

/** What everybody who sees the task may see. */
export const ShownLease = t.Object({
  lease_id: t.Optional(t.String({ description: 'Shown only to its holder' })),
  holder: Actor,
  owner_id,
  claimed_at: Timestamp,
  expires_at: Timestamp,
  fencing_token,
})
