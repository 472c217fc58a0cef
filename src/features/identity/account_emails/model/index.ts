export { type AccountEmailKind, accountEmails } from './tables.ts'
