export { applyAll, textsByAuthor } from './rules.ts'
export {
  ChangeSetJson,
  MAX_CHANGES,
  MAX_TEXT_LENGTH,
  SharedChange,
  type TextKind,
  type TextRef,
} from './schema.ts'
export { announce, asShared, callerAsActor } from './signals.ts'
export {
  changesAfter,
  insertChanges,
  lastChange,
  parseUnsaved,
  pruneChanges,
  setUnsaved,
  type TextChange,
  unsavedChanges,
  unsavedTexts,
} from './store.ts'
export { textChanges } from './tables.ts'
export { markdownOf, shareWrite } from './whole-text.ts'
