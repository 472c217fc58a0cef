export { startIndexing } from './feed/index.ts'
export { Limit, Offset, Query, ROWS } from './semantic/schema.ts'
export { addWarnings, searchPassages } from './semantic/search-passages.ts'
export { roundScore, type VisiblePassage, visiblePassages } from './semantic/visible-passages.ts'
