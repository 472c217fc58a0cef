export {
  type CleanString,
  type CleanText,
  cleanStoredText,
  cleanText,
  type DescriptionDraft,
  type DescriptionInput,
  prepareDescription,
  recast,
  saveVersion,
} from './descriptions.ts'
export { AsFormat, convertTexts } from './formats.ts'
export { notifyMentioned } from './mentions.ts'
export { versionLines } from './portability.ts'
export { descriptionVersions, taskMentions } from './tables.ts'
