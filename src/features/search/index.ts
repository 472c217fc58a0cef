import { help } from './help.ts'
import { tasks } from './operations.ts'
import { pages } from './pages.ts'
import { related, semantic } from './semantic/operations.ts'

export { Carrier } from './feed/carrier.ts'
export { startFeeding } from './feed/index.ts'
export { wordLearner } from './hints.ts'
export { searchWords } from './tables.ts'

export const operations = [tasks, semantic, related, help, pages] as const
