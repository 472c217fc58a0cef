import { fold, tokensOf } from '../words/words.ts'

/** Consecutive words; usually just one. */
export interface Term {
  words: readonly string[]
  /** The last word matches as a prefix. */
  prefix: boolean
  /** The term as typed. */
  text: string
  isQuoted?: true
  /** If the term looks like a ticket key: the word that represents the key in the index. */
  keyWord?: string
  /** The last word has one or two letters, and it may be the beginning of many words. */
  isShort?: boolean
}

/** Up to this many letters are the beginning of too many words to look them all up. */
const SHORT = 2
/** Characters that are words, and emoji, are complete. Those of Thai can get more marks. */
const IS_COMPLETE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ˑ]/u

/**
 * Expands a term whose last word may be incomplete. The index contains stems, so a typed prefix can
 * be longer than the stem: `entrie` must find entries, which is indexed as `entri`.
 */
export function openTerms(term: Term): Term[] {
  const { text, words } = term
  const { word: stem, start, end } = tokensOf(text).at(-1)!
  if (IS_COMPLETE.test(stem)) return [term]
  const typed = fold(text.slice(start, end))
  const endingIn = (word: string) => [...words.slice(0, -1), word]
  const open = { ...term, words: endingIn(typed), prefix: true }
  if (!text.endsWith('*') && [...typed].length <= SHORT) return [{ ...open, isShort: true }]
  return [
    open,
    ...(stem === typed ? [] : [term]),
    ...(typed.endsWith('ie') ? [{ ...term, words: endingIn(typed.slice(0, -1)) }] : []),
  ]
}

/** Index words for the beginnings of the words of a title. No word of a text contains the mark. */
export function initialsOf(title: string): string[] {
  const initials = new Set<string>()
  for (const { start, end } of tokensOf(title)) {
    const characters = [...fold(title.slice(start, end))]
    for (let length = 1; length <= Math.min(SHORT, characters.length); length++)
      initials.add(initialWordOf(characters.slice(0, length).join('')))
  }
  return [...initials]
}

export const initialWordOf = (letters: string): string => `ˑˑ${letters}`
