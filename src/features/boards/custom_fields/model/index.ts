export { fieldPart } from './portability.ts'
export {
  type FieldType,
  labelOf,
  parseNumber,
  type StoredValue,
  toOutput,
  toStoredValue,
} from './rules.ts'
export { FieldId, OutputValue } from './schema.ts'
export {
  type CustomField,
  createField,
  fieldsById,
  fieldsOf,
  findField,
  lockField,
  teamsWithFields,
} from './store.ts'
export { customFields, taskFields } from './tables.ts'
export {
  changeName,
  changeValue,
  clearValues,
  MAX_LIST_LENGTH,
  outputValue,
  replaceValue,
  setValue,
  valuesOn,
} from './values.ts'
