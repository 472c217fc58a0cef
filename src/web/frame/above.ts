import { cell } from '../data/cell.ts'

/** What stands above every screen, one at a time. */
export type Above = 'find' | 'boards' | 'create' | 'keys' | 'templates'

const above = cell<Above | undefined>(undefined)
export const showAbove = above.put
export const useAbove = above.use
