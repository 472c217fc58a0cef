export { evidenceLines } from './portability.ts'
export { addressOf } from './rules.ts'
export { EvidenceRow } from './schema.ts'
export {
  add as addEvidence,
  evidenceOf,
  recentEvidence,
  revise as reviseEvidence,
} from './store.ts'
export { evidence } from './tables.ts'
