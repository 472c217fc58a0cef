export { insertInitialMoves, recordCompletion, recordImportedMoves, recordMove } from './moves.ts'
export { taskMoves } from './tables.ts'
