export { type Choices, type Filter, orNull } from './field.ts'
export {
  briefColumns,
  briefOmits,
  cardTypes,
  changedFields,
  describeFieldChange,
  editableFields,
  emptyFields,
  type FieldMode,
  fieldColumns,
  fieldInputs,
  fieldOutputs,
  fieldsWith,
  initialFields,
  outputFields,
  Priority,
  pickFields,
  pickValues,
  Recurrence,
  templateFields,
  templateOutputs,
  transferFields,
  When,
} from './fields.ts'
export { choiceNumber, priorityName, SIZES } from './rules.ts'
export { parseDueDate } from './values.ts'
