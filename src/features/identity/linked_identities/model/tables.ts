import { id, index, int, json, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'

/** The identities of people at OpenID Connect issuers. */
export const linkedIdentities = table(
  'linked_identities',
  { exported: 'issuers are configured on each server' },
  {
    identity_id: id('identity_id'),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The address at the issuer when the identity was linked. */
    email: text('email'),
    created_at: time('created_at').notNull(),
    /** Null while an admin has to approve it. It lets nobody sign in until then. */
    approved_at: time('approved_at'),
    last_used_at: time('last_used_at'),
    /** Teams in which the groups of the issuer decide the role. */
    managed_team_ids: json<number[]>('managed_team_ids').notNull(),
  },
  (t) => [
    uniqueIndex('linked_identities_subject').on(t.issuer, t.subject),
    index('linked_identities_actor').on(t.actor_id),
  ],
)
