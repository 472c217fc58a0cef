import type { WriteContext } from '../../../../kernel/caller.ts'
import type { IssuerIdentity, IssuerPolicy } from '../../../../kernel/issuers.ts'
import {
  acceptOpenInvitation,
  invitationsFor,
  type OpenInvitation,
} from '../../invitations/model/index.ts'
import { domainRule } from '../../linked_identities/model/index.ts'
import { AUTOMATIC, createPerson } from '../../people/model/index.ts'
import { joinMappedTeam } from './issuer-roles.ts'
import { parseNewcomer } from './rules.ts'
import type { AccountServices } from './services.ts'

type NewContext = Omit<WriteContext, 'caller'>

/**
 * Creates the account of a person who comes from an issuer for the first time, with their
 * invitations and the team of their domain. They have no password.
 */
export async function createIssuerPerson(
  { server }: AccountServices,
  ctx: NewContext,
  policy: IssuerPolicy,
  identity: IssuerIdentity,
): Promise<{ actor_id: number; warnings: string[] }> {
  const { tx, now, emit } = ctx
  const address = identity.email!
  const name = identity.name ?? address.slice(0, address.indexOf('@'))
  const person = parseNewcomer({ name, email: address })
  const { time_zone } = server
  const details = { ...person, password_hash: null, time_zone, locale: AUTOMATIC }
  const actor_id = await createPerson(tx, details, now)
  emit('person.created', {}, { user_id: actor_id })
  for (const invitation of await invitationsFor(tx, person.email, now))
    await acceptOne(ctx, invitation, actor_id)
  const join = domainRule(policy, person.email)?.join
  const caller = { actor_id }
  const warnings = join ? await joinMappedTeam({ ...ctx, caller }, policy, join, actor_id) : []
  return { actor_id, warnings }
}

const acceptOne = ({ tx, now }: NewContext, invitation: OpenInvitation, actor_id: number) =>
  acceptOpenInvitation(tx, invitation, { actor_id }, now)
