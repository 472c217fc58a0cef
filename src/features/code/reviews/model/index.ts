export { deliverReview } from './deliver.ts'
