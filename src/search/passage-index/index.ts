import { LocalIndex, type LocalIndexOptions } from './local-index.ts'
import type { PassageIndex } from './types.ts'

export type { IndexUpdate, LogPosition, PassageIndex, SearchableText } from './types.ts'

/** Opens the index in this thread, for tests and small programs. A server uses `WorkerIndex`. */
export const openLocalIndex = (options: LocalIndexOptions): PassageIndex => new LocalIndex(options)
