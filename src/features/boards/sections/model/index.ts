export { sectionPart } from './portability.ts'
export { guessDone, guessRoles, roleAfterRename, SECTION_ROLES, type SectionRole } from './rules.ts'
export {
  Hidden,
  IsDone,
  MAX_COLUMNS,
  Role,
  SectionColor,
  SectionId,
  SectionReceipt,
  SectionRow,
  SectionTitle,
  WipLimit,
} from './schema.ts'
export {
  createSection,
  findSection,
  firstOpenSection,
  positionAfter,
  rankAt,
  receiptOf,
  type Section,
  sectionsById,
  sectionsOf,
  toSectionRows,
  uniqueTitle,
} from './store.ts'
export { sections } from './tables.ts'
