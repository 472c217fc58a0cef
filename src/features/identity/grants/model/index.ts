export { deviceRequests, grants } from './tables.ts'
