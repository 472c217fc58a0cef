import type { Corpus } from '../segments/corpus.ts'
import { isGerman } from '../words/german-stem.ts'
import { hashOf, otherLanguage, readWords, type Word } from '../words/terms.ts'

const GERMAN_AND = hashOf('und')
/** The share of passages with "und" from which on a corpus has German texts. */
const GERMAN_SHARE = 0.02

export interface QuestionWord extends Word {
  /** Its stem in texts of the other language. */
  otherStem?: string
}

/**
 * The words of a question. A text may be too short to recognize its language, so if German is in
 * use, a word has the stem that is more frequent in the corpus, and the other one.
 */
export function questionWords(text: string, corpus: Corpus, limit?: number): QuestionWord[] {
  const words = readWords(text, limit)
  const share = corpus.documentFrequency(GERMAN_AND) / corpus.size
  if (share < GERMAN_SHARE && !isGerman(words)) return words
  const frequency = ({ term }: Word) => corpus.documentFrequency(term)
  return words.map((word) => {
    const other = otherLanguage(word)
    if (other.stem === word.stem) return word
    const [first, second] = frequency(other) > frequency(word) ? [other, word] : [word, other]
    return { ...first, otherStem: second.stem }
  })
}

/** The term that a single word has in a question. */
export const termOf = (word: string, corpus: Corpus): number =>
  questionWords(word, corpus)[0]?.term ?? hashOf('')
