export { detailsOf, Kind, listActors, toMember } from './list-actors.ts'
export { actorCandidates, resolveActor } from './resolve-actor.ts'
export { BoardMember, BoardRemoval, MemberReceipt, TeamMember } from './schema.ts'
export { addToBoard, boardActors, canSeeBoard, findBoardActor } from './store.ts'
