import { help } from './help.ts'
import { tasks } from './operations.ts'
import { pages } from './pages.ts'
import { related, semantic } from './semantic/operations.ts'

export { startIndexing } from './feed/index.ts'
export { IndexSync } from './feed/index-sync.ts'
export { wordLearner } from './suggestions.ts'
export { searchWords } from './tables.ts'

export const operations = [tasks, semantic, related, help, pages] as const
