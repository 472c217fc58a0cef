export {
  claimInvitation,
  composeInvitation,
  dueInvitations,
  invitationFailed,
  invitationSent,
  mailedToken,
} from './emails.ts'
export { Email, InvitedMember } from './schema.ts'
export {
  acceptInvitation,
  acceptOpenInvitation,
  invitationByToken,
  invitationsFor,
  invite,
  type OpenInvitation,
  placeOfInvitation,
} from './store.ts'
export { invitations } from './tables.ts'
