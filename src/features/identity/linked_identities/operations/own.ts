import { Type as t } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import type { Context, Server } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { passkeys } from '../../factors/model/index.ts'
import { people } from '../../people/model/index.ts'
import { requireBrowser, requireRecentProof } from '../../sign_ins/model/index.ts'
import {
  deleteIdentity,
  hasOtherIdentity,
  identitiesOf,
  type LinkedIdentity,
  linkedIdentities,
} from '../model/index.ts'
import { IdentityId, IdentityRow, IssuerRow } from '../model/schema.ts'

const PATH = '/api/v1/user/identities'

export const list = operation({
  name: 'linked_identities.list',
  summary: 'Accounts at sign-in providers that are linked to yours',
  needs: 'keys:read',
  dependsOn: ['identity'],
  on: { rest: `GET ${PATH}` },
  input: t.Object({}),
  output: t.Object({
    identities: t.Array(IdentityRow),
    issuers: t.Array(IssuerRow, { description: 'The providers of this server' }),
  }),
  async run(_, { tx, caller, server }) {
    requireBrowser(caller)
    const rows = await identitiesOf(tx, caller.actor_id)
    return {
      identities: rows.map(({ identity_id, issuer, email, ...row }) => ({
        ...{ identity_id, issuer, email },
        issuer_name: issuerName(server, issuer),
        approved: row.approved_at !== null,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      })),
      issuers: server.sign_in.issuers.map(({ number, name }) => ({ number, name })),
    }
  },
})

const withoutSlash = (url: string) => url.replace(/\/$/, '')

const issuerName = ({ sign_in }: Server, issuer: string): string | null =>
  sign_in.issuers.find((one) => withoutSlash(one.issuer) === withoutSlash(issuer))?.name ?? null

export const unlink = operation({
  name: 'linked_identities.unlink',
  summary: 'Unlink an account at a sign-in provider from yours',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${PATH}/:identity_id` },
  input: t.Object({ identity_id: IdentityId }),
  output: t.Object({ identity_id: IdentityId }),
  async run({ identity_id }, ctx) {
    const { tx, caller, now, emit } = ctx
    requireBrowser(caller)
    const identity = await findOwn(ctx, identity_id)
    await requireRecentProof(tx, caller, now)
    if (identity.approved_at) await requireOtherWay(ctx, identity)
    await deleteIdentity(tx, identity_id)
    const { issuer, email } = identity
    emit('identity.unlinked', {}, { user_id: caller.actor_id, issuer, email })
    return { identity_id }
  },
})

async function findOwn({ tx, caller }: Context, identity_id: number): Promise<LinkedIdentity> {
  const isOwn = eq(linkedIdentities.actor_id, caller.actor_id)
  const condition = and(isOwn, eq(linkedIdentities.identity_id, identity_id))
  const [identity] = await tx.select().from(linkedIdentities).where(condition)
  if (identity) return identity
  throw fault.notFound(
    'identity_id',
    `You have no linked identity ${identity_id}`,
    identity_id,
    `List yours: GET ${PATH}`,
  )
}

/** A person who unlinks the last way to sign in could never come back. */
async function requireOtherWay(ctx: Context, identity: LinkedIdentity): Promise<void> {
  const { tx, caller, server } = ctx
  const isCaller = eq(people.actor_id, caller.actor_id)
  // The lock on the person's row prevents two requests from unlinking the last two ways.
  const [person] = await tx
    .update(people)
    .set({ locale: sql`${people.locale}` })
    .where(isCaller)
    .returning()
  if (person?.password_hash && server.sign_in.passwords) return
  const issuers = server.sign_in.issuers.flatMap(({ issuer }) => [issuer, withoutSlash(issuer)])
  if (await hasOtherIdentity(tx, identity, issuers)) return
  if (await hasPasskey(ctx)) return
  throw fault.conflict(
    'This is your only way to sign in',
    { field: 'identity_id' },
    'Set a password or add a passkey first',
  )
}

async function hasPasskey({ tx, caller }: Context): Promise<boolean> {
  const isOwn = eq(passkeys.actor_id, caller.actor_id)
  return (await tx.select().from(passkeys).where(isOwn).limit(1)).length > 0
}
