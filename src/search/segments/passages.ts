import { type Block, blocksOf, type Format } from '../../content/index.ts'
import { UNSPACED } from '../words/words.ts'

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

/** Splits a text at spaces. Long stretches without spaces are split too, between characters. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  for (const match of text.matchAll(/\S+/g)) {
    const end = match.index + match[0].length
    for (let start = match.index; start < end; ) {
      const until = end - start > MAX_UNIT ? characterEnd(text, start + MAX_UNIT / 2) : end
      const words = wordCountOf(text.slice(start, until))
      const isLine = until === end && (text[end] === '\n' || end === text.length)
      const isSentence = /[.!?:;。！？]["')\]]?$/.test(
        text.slice(Math.max(start, until - 2), until),
      )
      units.push({ start, end: until, words, breakAfter: isLine ? 2 : isSentence ? 1 : 0 })
      start = until
    }
  }
  return units
}

function wordCountOf(part: string): number {
  if (isDense.test(part)) return Math.ceil(part.length / DENSE_CHARACTERS_PER_WORD)
  return part.length > LONG_UNIT ? Math.ceil(part.length / CHARACTERS_PER_WORD) : 1
}

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
