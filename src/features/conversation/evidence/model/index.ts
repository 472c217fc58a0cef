export { evidenceLines } from './portability.ts'
export { EvidenceRow } from './schema.ts'
export { recentEvidence } from './store.ts'
export { evidence } from './tables.ts'
