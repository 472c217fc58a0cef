import { inviteMember } from './board.ts'
import { create, list, revoke } from './operations.ts'

export { acceptInvitation, type Invitation, invitationByToken, type Opened } from './store.ts'
export { invitations } from './tables.ts'

export const operations = [inviteMember, list, create, revoke] as const
