import { removeFromBoard } from './board.ts'
import { ofProject, ofTeam } from './lists.ts'
import { setRole } from './operations.ts'

export { findMember, keepOwner, one, refuseOthers } from './operations.ts'
export { actorSaid, knownOn } from './said.ts'
export { MemberReceipt } from './schema.ts'
export { addToBoard, boardActors, findBoardActor } from './store.ts'

export const operations = [ofProject, ofTeam, setRole, removeFromBoard] as const
