import { removeFromBoard } from './board.ts'
import { listBoardMembers, listTeamMembers } from './lists.ts'
import { setRole } from './operations.ts'

export { findMember, membership, requireOwner, requireRemainingOwner } from './operations.ts'
export { actorCandidates, resolveActor } from './resolve-actor.ts'
export { MemberReceipt } from './schema.ts'
export { addToBoard, boardActors, findBoardActor } from './store.ts'

export const operations = [listBoardMembers, listTeamMembers, setRole, removeFromBoard] as const
