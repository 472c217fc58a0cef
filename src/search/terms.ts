import { stemmer } from 'stemmer'
import { STOPS } from './stops.ts'
import { fold, isPlain, UNSPACED } from './words.ts'

/** One word of a text as it is looked for: without case, accents and endings. */
export interface Word {
  /** Folded, with its ending. */
  word: string
  stem: string
}

const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|\\p{Extended_Pictographic}|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)
const PLAIN_WORD = /[A-Za-z0-9]+/g
/** readFile, HTMLElement and utf8Decode have parts. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const IS_JOINED = /[a-z][A-Z]|[A-Z]{2}[a-z]/
const LONGEST = 60

/** The words of a text in order; names of code as a whole and in their parts. Stop words are in it. */
export function readWords(text: string, most = Number.POSITIVE_INFINITY): Word[] {
  const pattern = new RegExp(isPlain(text) ? PLAIN_WORD : WORD)
  const words: Word[] = []
  for (let found = pattern.exec(text); found && words.length < most; found = pattern.exec(text)) {
    const written = found[0].length > LONGEST ? found[0].slice(0, LONGEST) : found[0]
    words.push(known(written))
    if (!IS_JOINED.test(written)) continue
    for (const [part] of written.matchAll(PARTS)) if (part.length > 1) words.push(known(part))
  }
  return words
}

/** Most words of a text were in those before it. */
const KNOWN = new Map<string, Word>()
const MOST_KNOWN = 30_000

function known(written: string): Word {
  const before = KNOWN.get(written)
  if (before) return before
  const word = fold(written)
  const made = { word, stem: /^[a-z]+$/.test(word) ? stemmer(american(word)) : word }
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear()
  KNOWN.set(written, made)
  return made
}

/** Of two ways to write a word one. */
const american = (word: string) =>
  word.replace(/(?:ise|yse)(?=[drs]?$)/, (end) => end.replace('s', 'z'))

/** 32 bits of a stem: FNV-1a, and its bits mixed once more. */
export function hashOf(stem: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Without stop words; a text that has no others keeps them. */
export function telling(words: readonly Word[]): readonly Word[] {
  const some = words.filter(({ word }) => !STOPS.has(word))
  return some.length ? some : words
}

/** Titles, headings and remarks of so few words keep their stop words: they may be all there is. */
const FEW = 12

/** The terms of a text in order, for a shelf. */
export function termsOf(text: string): Uint32Array {
  const words = readWords(text)
  const kept = words.length > FEW ? telling(words) : words
  return Uint32Array.from(kept, ({ stem }) => hashOf(stem))
}

export const STOP_TERMS: ReadonlySet<number> = new Set(
  [...STOPS].map((word) => hashOf(known(word).stem)),
)

const SPELT = /^\p{L}{3,30}$/u

/** The words of a text whose spelling is worth knowing, each once. */
export function spellings(text: string): string[] {
  const spelt = new Set<string>()
  for (const { word } of readWords(text)) if (!STOPS.has(word) && SPELT.test(word)) spelt.add(word)
  return [...spelt]
}
