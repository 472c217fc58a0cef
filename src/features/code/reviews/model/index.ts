export { deliverReview } from './deliver.ts'
export { readVerdicts } from './verdicts.ts'
