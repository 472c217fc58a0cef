export { linkedIdentities } from './tables.ts'
