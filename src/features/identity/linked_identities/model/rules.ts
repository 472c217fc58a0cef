import type { Role } from '../../../../kernel/caller.ts'
import type { GroupRole, IssuerIdentity, IssuerPolicy } from '../../../../kernel/issuers.ts'

/** From the least to the most powerful. */
const RANKS: readonly Role[] = ['guest', 'member', 'admin', 'owner']
const higher = (one: Role, other: Role) => (RANKS.indexOf(one) > RANKS.indexOf(other) ? one : other)

/** What is known here of a person who comes from an issuer. */
export interface Known {
  /** Whether the identity is linked to an account. `waiting`: an admin has to approve it. */
  link: 'approved' | 'waiting' | 'none'
  /** Whether an account has the address that the issuer gives. */
  hasAccount: boolean
  isInvited: boolean
}

export type Decision =
  | 'sign in'
  /** An account has the address. Its owner has to confirm that it is theirs. */
  | 'confirm'
  | 'create account'
  | 'no email'
  | 'unverified email'
  | 'no role'
  | 'unknown person'

/** Decides what happens when a person comes from an issuer. */
export function decide(
  policy: Pick<IssuerPolicy, 'newPeople' | 'roles'>,
  identity: Pick<IssuerIdentity, 'email' | 'groups' | 'isEmailVerified'>,
  { link, hasAccount, isInvited }: Known,
): Decision {
  if (link === 'approved') return 'sign in'
  if (link === 'waiting') return 'confirm'
  if (!identity.email) return 'no email'
  if (!identity.isEmailVerified) return 'unverified email'
  if (hasAccount) return 'confirm'
  if (isInvited || mayCreateAccount(policy, identity)) return 'create account'
  return policy.newPeople.groups ? 'no role' : 'unknown person'
}

function mayCreateAccount(
  { newPeople, roles }: Pick<IssuerPolicy, 'newPeople' | 'roles'>,
  { email, groups }: Pick<IssuerIdentity, 'email' | 'groups'>,
): boolean {
  if (newPeople.groups && rolesByTeam(roles, groups ?? []).size > 0) return true
  return domainRule({ newPeople }, email) !== undefined
}

/** The rule for the domain of an address. Subdomains are other domains. */
export function domainRule({ newPeople }: Pick<IssuerPolicy, 'newPeople'>, email = '') {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return newPeople.domains.find((rule) => rule.domain === domain)
}

/** The highest role that the groups give in each team, by the name of the team in the settings. */
export function rolesByTeam(
  roles: readonly GroupRole[],
  groups: readonly string[],
): Map<string, Role> {
  const names = new Set(groups.flatMap(groupNames))
  const best = new Map<string, Role>()
  for (const { group, team, role } of roles)
    if (names.has(group)) best.set(team, higher(best.get(team) ?? role, role))
  return best
}

/** Keycloak writes groups as paths, such as /staff. Both forms match. */
const groupNames = (group: string) => (group.startsWith('/') ? [group, group.slice(1)] : [group])

export interface Membership {
  /** The present role; undefined if the person is not in the team. */
  role: Role | undefined
  /** Whether groups decide it, because they have given the person a role in this team before. */
  isManaged: boolean
  isLastOwner: boolean
}

export type RoleChange = 'none' | 'join' | 'leave' | 'set role'

/**
 * Decides what groups change about a membership. They change and end only memberships that they
 * manage. Owners whom another owner made stay owners, and a team keeps its last one.
 */
export function roleChange(
  wanted: Role | undefined,
  { role, isManaged, isLastOwner }: Membership,
): RoleChange {
  if (wanted === undefined) return role && isManaged && !isLastOwner ? 'leave' : 'none'
  if (role === undefined) return 'join'
  if (role === wanted || isLastOwner) return 'none'
  return role === 'owner' && !isManaged ? 'none' : 'set role'
}

/** Whether groups manage the membership from now on. */
export const isManagedAfter = (wanted: Role | undefined, { role, isManaged }: Membership) =>
  wanted !== undefined && (isManaged || role !== 'owner' || wanted === 'owner')
