import { create, list } from './operations.ts'

export {
  type FieldType,
  type Given,
  isEmpty,
  type Kept,
  keptOf,
  labelOf,
  meaningOf,
  numberOf,
  optionsOf,
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
