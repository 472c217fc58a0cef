export { SigningKey } from './keys.ts'
export * from './store.ts'
export { credentials } from './tables.ts'

export const operations = [] as const
