import { fold, UNSPACED } from '../words/words.ts'

const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const MAX_WORDS = 40

/** The folded words of a title. They keep their endings, because people type them as they are. */
export const titleWords = (title: string): string[] =>
  (fold(title).match(WORD) ?? []).slice(0, MAX_WORDS)
