import type { Cleaned, Format } from './content.ts'
import { converter } from './convert.ts'
import { type Words, wordsOf } from './words.ts'

export interface CleanedWithWords extends Cleaned {
  words: Words | undefined
}

/** The tasks that a text worker runs. */
export const textTasks = {
  clean(text: string, format: Format | undefined, field: string): CleanedWithWords {
    const cleaned = converter.clean(text, format, field)
    return { ...cleaned, words: wordsOf(cleaned.text, cleaned.format) }
  },
  html: converter.html,
  markdown: converter.markdown,
  words: wordsOf,
}
