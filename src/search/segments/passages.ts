import { type Block, blocksOf, type Format } from '../../content/index.ts'
import { isPlain, UNSPACED } from '../words/words.ts'

/** A part of a text, the unit of semantic search. */
export interface Passage {
  /** The headings above it, outermost first. */
  headings: string[]
  text: string
}

/** Lengths of a passage and of the overlap of two neighbours, in words. */
const TARGET_WORDS = 150
const MIN_WORDS = 110
const MAX_WORDS = 200
const OVERLAP_WORDS = 30
/** Bounds texts that consist of headings alone, which could have a million passages. */
const MAX_PASSAGES = 10_000

/** Splits a text at its headings, and long sections at the ends of lines and sentences. */
export function splitPassages(text: string, format: Format): Passage[] {
  const passages: Passage[] = []
  for (const { headings, lines } of sectionsOf(blocksOf(text, format))) {
    if (passages.length >= MAX_PASSAGES) break
    const texts = lines.length ? cutSection(lines.join('\n')) : ['']
    for (const passage of texts) passages.push({ headings, text: passage })
  }
  return passages.slice(0, MAX_PASSAGES)
}

interface Section {
  headings: string[]
  lines: string[]
}

function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: Section[] = []
  let path: Block[] = []
  let section: Section | undefined
  for (const block of blocks) {
    if (block.level) {
      // A heading followed directly by deeper headings becomes part of their paths only.
      if (section && !section.lines.length && path.at(-1)!.level < block.level) sections.pop()
      path = [...path.filter(({ level }) => level < block.level), block]
      section = { headings: path.map((heading) => heading.text), lines: [] }
      sections.push(section)
      continue
    }
    if (!section) {
      section = { headings: [], lines: [] }
      sections.push(section)
    }
    section.lines.push(block.text)
  }
  return sections
}

interface Unit {
  start: number
  end: number
  /** The number of words it counts as. */
  words: number
  /** How good a break after it is: 2 at the end of a line, 1 at the end of a sentence. */
  breakAfter: 0 | 1 | 2
}

const MAX_UNIT = 200
/** Characters that count as one word in long units, and in scripts without spaces. */
const CHARACTERS_PER_WORD = 8
const DENSE_CHARACTERS_PER_WORD = 2
const LONG_UNIT = 24
const isDense = new RegExp(`[${UNSPACED}]`, 'u')
const SENTENCE_ENDS = '.!?:;。！？'
const CLOSING = '"\')]'

/** Splits a text at spaces. Long stretches without spaces are split too, between characters. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  const hasDense = !isPlain(text) && isDense.test(text)
  for (let at = 0; at < text.length; at++) {
    if (isSpace(text.charCodeAt(at))) continue
    let end = at + 1
    while (end < text.length && !isSpace(text.charCodeAt(end))) end++
    for (let start = at; start < end; ) {
      const until = end - start > MAX_UNIT ? characterEnd(text, start + MAX_UNIT / 2) : end
      const words =
        hasDense && isDense.test(text.slice(start, until))
          ? Math.ceil((until - start) / DENSE_CHARACTERS_PER_WORD)
          : wordCountOf(until - start)
      const isLine = until === end && (text[end] === '\n' || end === text.length)
      const breakAfter = isLine ? 2 : isSentence(text, start, until) ? 1 : 0
      units.push({ start, end: until, words, breakAfter })
      start = until
    }
    at = end
  }
  return units
}

const RARE_SPACES = new Set(
  Array.from(
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
      '\u2028\u2029\u202f\u205f\u3000\ufeff',
    (space) => space.charCodeAt(0),
  ),
)

/** The same characters as of the pattern `\s`, which would take longer. */
const isSpace = (code: number) =>
  code === 32 || (code > 8 && code < 14) || (code > 127 && RARE_SPACES.has(code))

/** Whether a unit ends a sentence, also one in quotes or brackets. */
function isSentence(text: string, start: number, end: number): boolean {
  const isClosed = end - 1 > start && CLOSING.includes(text[end - 1]!)
  return SENTENCE_ENDS.includes(text[isClosed ? end - 2 : end - 1]!)
}

const wordCountOf = (length: number): number =>
  length > LONG_UNIT ? Math.ceil(length / CHARACTERS_PER_WORD) : 1

const characterEnd = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at]!) ? at + 1 : at)

function cutSection(text: string): string[] {
  const units = unitsOf(text)
  const passages: string[] = []
  for (let from = 0; from < units.length; ) {
    const to = passageEnd(units, from)
    passages.push(text.slice(units[from]!.start, units[to - 1]!.end))
    if (to === units.length) break
    from = nextStart(units, from, to)
  }
  return passages
}

/** The end of a passage: the best break between its minimum and maximum length. */
function passageEnd(units: readonly Unit[], from: number): number {
  let words = 0
  let best = 0
  let bestScore = Number.NEGATIVE_INFINITY
  for (let at = from; at < units.length; at++) {
    words += units[at]!.words
    if (words > MAX_WORDS && best) return best
    if (words < MIN_WORDS) continue
    const score = units[at]!.breakAfter * 30 - Math.abs(words - TARGET_WORDS)
    if (score > bestScore) [best, bestScore] = [at + 1, score]
  }
  return units.length
}

/** The start of the next passage: about `OVERLAP_WORDS` before the end, at a break if possible. */
function nextStart(units: readonly Unit[], from: number, to: number): number {
  let words = 0
  let at = to
  let best = 0
  while (at - 1 > from && words < OVERLAP_WORDS * 1.5) {
    at--
    words += units[at]!.words
    const isStart = units[at - 1]!.breakAfter > 0
    if (isStart && words >= OVERLAP_WORDS / 2) best = at
    if (best && words >= OVERLAP_WORDS) return best
    if (!best && words >= OVERLAP_WORDS && isStart) return at
  }
  return best || at
}
