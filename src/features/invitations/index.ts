import { inviteMember } from './board.ts'
import { create, list, revoke } from './operations.ts'

export {
  claimInvitation,
  dueInvitations,
  invitationFailed,
  invitationSent,
  mailedToken,
  writeInvitation,
} from './mailing.ts'
export { acceptInvitation, at as placeOfInvitation, invitationByToken } from './store.ts'
export { invitations } from './tables.ts'

export const operations = [inviteMember, list, create, revoke] as const
