export { claimNext } from './claim-next.ts'
export { comparePositions, positionOf, readCursor, writeCursor } from './cursor.ts'
export { leasedCandidates } from './leased.ts'
export { lengthOf, type Queue, readQueue } from './queue.ts'
