import type { Role } from '../../../../kernel/caller.ts'
import { ROLES } from '../../teams/model/index.ts'

/** Only owners invite owners. Guests may be invited by everybody who may create boards. */
export function mayInvite(inviter: Role, invited: Role): boolean {
  if (invited === 'owner') return inviter === 'owner'
  return ROLES[inviter].has(invited === 'guest' ? 'projects:write' : 'teams:manage')
}
