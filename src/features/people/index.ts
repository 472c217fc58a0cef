export * from './schema.ts'
export * from './store.ts'
export { actors, people } from './tables.ts'
