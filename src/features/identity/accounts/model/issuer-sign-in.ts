import { eq } from 'drizzle-orm'
import type { Caller, Tx, WriteContext } from '../../../../kernel/caller.ts'
import { emitInto } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import type { IssuerIdentity, IssuerPolicy } from '../../../../kernel/issuers.ts'
import { lock } from '../../../../store/lock.ts'
import { callerFor } from '../../callers/model/index.ts'
import { hasFactor } from '../../factors/model/index.ts'
import { invitationsFor } from '../../invitations/model/index.ts'
import {
  approveIdentity,
  type Decision,
  decide,
  findIdentity,
  insertIdentity,
  type LinkedIdentity,
  updateUse,
} from '../../linked_identities/model/index.ts'
import { people, personByEmail } from '../../people/model/index.ts'
import { createIssuerPerson } from './issuer-people.ts'
import { applyRoles } from './issuer-roles.ts'
import type { AccountServices } from './services.ts'
import { type ClientInfo, refuseDeactivated } from './signin.ts'

/** An identity that is not linked yet, and the account that it may belong to. */
export interface PendingLink {
  issuer: string
  subject: string
  /** The address at the issuer. */
  email: string | null
  actor_id: number
}

/** What happens after a person came from an issuer. */
export type Arrival =
  | { kind: 'sign in'; actor_id: number; isNew: boolean; warnings: string[] }
  | { kind: 'confirm'; link: PendingLink; isWaiting: boolean }
  | { kind: 'refused'; decision: Decision; groups: readonly string[] }

/** Finds or creates the account of a person who comes from an issuer, and updates their roles. */
export async function arrive(
  services: AccountServices,
  policy: IssuerPolicy,
  identity: IssuerIdentity,
  { address }: Pick<ClientInfo, 'address'>,
): Promise<Arrival> {
  const now = services.clock()
  return services.store.write(async (tx) => {
    // Two tabs that come back at the same time create one account.
    await lock(tx, `issuer ${identity.issuer} ${identity.subject}`.slice(0, MAX_LOCK_NAME))
    const linked = await findIdentity(tx, identity)
    const person = await accountFor(tx, identity)
    const invited = identity.email ? await invitationsFor(tx, identity.email, now) : []
    const decision = decide(policy, identity, {
      link: linked ? (linked.approved_at ? 'approved' : 'waiting') : 'none',
      hasAccount: person !== undefined,
      isInvited: invited.length > 0,
    })
    if (decision === 'confirm') {
      const { issuer, subject, email = null } = identity
      const actor_id = linked?.actor_id ?? person!.actor_id
      const link = { issuer, subject, email, actor_id }
      return { kind: 'confirm', link, isWaiting: linked !== undefined }
    }
    if (decision !== 'sign in' && decision !== 'create account')
      return { kind: 'refused', decision, groups: identity.groups ?? [] }
    return signInOf(services, { tx, now }, { policy, identity, linked, address })
  })
}

const MAX_LOCK_NAME = 200

/** The account with the address of the identity, if the issuer has verified it. */
const accountFor = async (tx: Tx, { email, isEmailVerified }: IssuerIdentity) =>
  email && isEmailVerified ? personByEmail(tx, email) : undefined

interface Entry {
  policy: IssuerPolicy
  identity: IssuerIdentity
  linked: LinkedIdentity | undefined
  address: string
}

/** Signs in a linked person, or creates the account of a new one. */
async function signInOf(
  services: AccountServices,
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  { policy, identity, linked, address }: Entry,
): Promise<Arrival> {
  const changes: Parameters<typeof services.store.append>[3][number][] = []
  const ctx = { tx, now, emit: emitInto(changes) }
  if (linked) await refuseDeactivated(tx, linked.actor_id)
  const created = linked ? undefined : await createIssuerPerson(services, ctx, policy, identity)
  const actor_id = linked?.actor_id ?? created!.actor_id
  const { issuer, subject, email = null } = identity
  const link = { issuer, subject, email, actor_id, approved_at: now }
  const row = linked ?? (await insertIdentity(tx, link, now))!
  if (created) ctx.emit('identity.linked', {}, { user_id: actor_id, issuer, email })
  const { managed, warnings } = await applyRoles(
    { ...ctx, caller: { actor_id } },
    policy,
    identity,
    row,
  )
  await updateUse(tx, row, { last_used_at: now, managed_team_ids: managed })
  const { teams } = await callerFor(tx, actor_id)
  const author = { actor_id, teams, address, credential: `issuer:${policy.number}` }
  await services.store.append(tx, author, now, changes)
  return {
    kind: 'sign in',
    actor_id,
    isNew: created !== undefined,
    warnings: [...(created?.warnings ?? []), ...warnings],
  }
}

/** Describes the account of a link for the page that asks to confirm it. */
export const pendingAccount = ({ store }: AccountServices, { actor_id }: PendingLink) =>
  store.read(async (tx) => {
    const [person] = await tx.select().from(people).where(eq(people.actor_id, actor_id))
    if (!person) throw fault.notFound('account', 'This account no longer exists')
    return {
      email: person.email,
      hasPassword: person.password_hash !== null,
      hasFactor: await hasFactor(tx, actor_id),
    }
  })

/** Links an identity to an account. The caller has verified the owner of the account before. */
export const linkIdentity = (
  { store, clock }: AccountServices,
  link: PendingLink,
  { address }: Pick<ClientInfo, 'address'>,
  credential?: string,
): Promise<void> =>
  store.write(async (tx) => {
    const now = clock()
    const { issuer, email, actor_id } = link
    const row = await insertIdentity(tx, { ...link, approved_at: now }, now)
    if (!row && !(await confirmExisting(tx, link, now))) return
    const { teams, credential: operator } = await callerFor(tx, actor_id)
    const author = { actor_id, teams, address, credential: credential ?? operator }
    const data = { user_id: actor_id, issuer, email }
    await store.append(tx, author, now, [{ type: 'identity.linked', place: {}, data }])
  })

/** Approves a waiting link. Returns false if it is approved already. */
async function confirmExisting(tx: Tx, link: PendingLink, now: Date): Promise<boolean> {
  const existing = await findIdentity(tx, link)
  if (!existing) throw fault.conflict('This link was refused', {}, 'Sign in again')
  if (existing.actor_id !== link.actor_id) throw linkedToAnother()
  return approveIdentity(tx, existing.identity_id, now)
}

const linkedToAnother = () =>
  fault.conflict(
    'This identity is already linked to another account on this server',
    {},
    'Sign in with that account and unlink it in its settings, or use another identity',
  )

/** Asks the admins of the person's teams to approve a link. */
export const requestLink = (
  { store, clock }: AccountServices,
  link: PendingLink,
  { address }: Pick<ClientInfo, 'address'>,
): Promise<void> =>
  store.write(async (tx) => {
    const now = clock()
    const { issuer, email, actor_id } = link
    const { teams } = await callerFor(tx, actor_id)
    if (!teams.size)
      throw fault.forbidden(
        'This account is in no team, so nobody can approve the link',
        'Enter its password, or ask the operator of this server',
      )
    if (!(await insertIdentity(tx, { ...link, approved_at: null }, now))) return
    const data = { user_id: actor_id, issuer, email }
    await store.append(tx, { actor_id, teams, address }, now, [
      { type: 'identity.requested', place: {}, data },
    ])
  })

/** Throws if a signed-in person may not link the identity to their own account. */
export const checkOwnLink = (
  { store }: AccountServices,
  { actor_id }: Caller,
  identity: Pick<IssuerIdentity, 'issuer' | 'subject'>,
): Promise<void> =>
  store.read(async (tx) => {
    const existing = await findIdentity(tx, identity)
    if (existing && existing.actor_id !== actor_id) throw linkedToAnother()
  })

/** The fault for a wrong password on the page that confirms a link. */
export const wrongPassword = () =>
  new Fault('unauthenticated', 'This is not the password of the account', { field: 'password' })
