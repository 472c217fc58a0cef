export { customFields, type FieldType, type Option } from './tables.ts'

export const operations = [] as const
