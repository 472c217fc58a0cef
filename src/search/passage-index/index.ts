export type { IndexUpdate, LogPosition, PassageIndex, SearchableText } from './types.ts'
