import { removeFromBoard } from './board.ts'
import { ofProject, ofTeam } from './lists.ts'
import { leave, remove, setRole } from './operations.ts'

export { actorSaid, knownOn } from './said.ts'
export { addToBoard, boardActors, findBoardActor } from './store.ts'

export const operations = [ofProject, ofTeam, setRole, remove, leave, removeFromBoard] as const
