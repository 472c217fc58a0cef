import { inviteMember } from './board.ts'
import { create, list, revoke } from './operations.ts'

export {
  claimInvitation,
  composeInvitation,
  dueInvitations,
  invitationFailed,
  invitationSent,
  mailedToken,
} from './emails.ts'
export { acceptInvitation, invitationByToken, placeOfInvitation } from './store.ts'
export { invitations } from './tables.ts'

export const operations = [inviteMember, list, create, revoke] as const
