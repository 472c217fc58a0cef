import { create, list, remove } from './operations.ts'

export { EvidenceRow } from './schema.ts'
export { recentEvidence } from './store.ts'
export { evidence } from './tables.ts'

export const operations = [create, list, remove] as const
