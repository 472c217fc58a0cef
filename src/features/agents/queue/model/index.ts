export { claimNext } from './claim-next.ts'
export { comparePositions, positionOf, readCursor, writeCursor } from './cursor.ts'
export { lengthOf, type Queue, readQueue } from './queue.ts'
export { takenCandidates } from './taken.ts'
