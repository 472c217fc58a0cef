export { fieldPart } from './portability.ts'
export {
  type FieldType,
  labelOf,
  parseNumber,
  type StoredValue,
  toStoredValue,
} from './rules.ts'
export { OutputValue } from './schema.ts'
export { type CustomField, createField, fieldsById, fieldsOf, teamsWithFields } from './store.ts'
export { customFields, taskFields } from './tables.ts'
export {
  changeName,
  changeValue,
  clearValues,
  MAX_LIST_LENGTH,
  outputValue,
  replaceValue,
  valuesOn,
} from './values.ts'
