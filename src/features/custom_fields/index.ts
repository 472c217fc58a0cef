import { create, list } from './operations.ts'

export {
  clearsField,
  type FieldInput,
  type FieldType,
  labelOf,
  parseNumber,
  resolveOptions,
  type StoredValue,
  toOutput,
  toStoredValue,
} from './rules.ts'
export {
  FieldId,
  FieldName,
  FieldReceipt,
  FieldType as FieldTypeName,
  options as optionDrafts,
} from './schema.ts'
export * from './store.ts'
export { customFields } from './tables.ts'

export const operations = [list, create] as const
