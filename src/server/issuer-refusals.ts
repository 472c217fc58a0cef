import type { Arrival } from '../features/identity/accounts/model/index.ts'
import { Fault } from '../kernel/fault.ts'
import type { IssuerIdentity, IssuerSettings } from '../kernel/issuers.ts'

const ASK_ADMIN = 'Ask an admin of a team to invite this address, and sign in again'
const MAX_GROUPS = 20

interface Refusal {
  fault: Fault
  /** A sentence for the log of the operator. */
  operatorMessage: string
}

/** Explains why a person cannot sign in: to the person, and to the operator with what to change. */
export function refusalFor(
  settings: IssuerSettings,
  identity: Pick<IssuerIdentity, 'email' | 'subject'>,
  { decision, groups }: Arrival & { kind: 'refused' },
): Refusal {
  const { name, number } = settings
  const { email = '', subject } = identity
  const prefix = number === 1 ? 'CORK_OIDC_' : `CORK_OIDC_${number}_`
  const refuse = (message: string, hint: string, operatorMessage: string) => ({
    fault: new Fault('forbidden', message, {}, hint),
    operatorMessage,
  })
  if (decision === 'no email')
    return refuse(
      `${name} did not send an email address`,
      `Add an address to your account at ${name}, or ask the operator of this server`,
      `${name} sent no email address for ${subject}. Allow the scope email there, and check ${prefix}SCOPES`,
    )
  if (decision === 'unverified email')
    return refuse(
      `${name} has not verified the address ${email}`,
      `Verify it at ${name}, and sign in again`,
      `${name} does not say that ${email} is verified (claim email_verified). Verify it there. If ${name} never sends the claim, and nobody can choose their address there, set ${prefix}TRUST_EMAIL=yes`,
    )
  if (decision === 'no role')
    return refuse(
      `None of your groups at ${name} gives access to a team here`,
      ASK_ADMIN,
      `None of the groups of ${email} is in ${prefix}ROLES. Its groups: ${namesOf(groups)}`,
    )
  return refuse(
    `There is no account for ${email} on this server`,
    ASK_ADMIN,
    `${email} has no account and no invitation, and ${prefix}NEW_PEOPLE does not let the person in`,
  )
}

const namesOf = (groups: readonly string[]) =>
  groups.length ? groups.slice(0, MAX_GROUPS).join(', ') : `none, or the claim is missing`
