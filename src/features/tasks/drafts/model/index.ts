export { drafts } from './tables.ts'
