import type { Role } from '../../kernel/caller.ts'
import { ROLES } from '../teams/index.ts'

/** Only an owner makes owners; whoever opened a board may bring guests to it. */
export function mayInvite(inviter: Role, invited: Role): boolean {
  if (invited === 'owner') return inviter === 'owner'
  return ROLES[inviter].has(invited === 'guest' ? 'projects:write' : 'teams:manage')
}
