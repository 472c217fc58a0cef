export {
  chooseLanguage,
  directionOf,
  type Language,
  type LanguagePreferences,
} from './choose.ts'
export { translateError } from './errors.ts'
export { ENGLISH, type TextKey, type Texts, textsOf } from './texts.ts'
