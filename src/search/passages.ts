import { type Block, blocksOf, type Format } from '../content/index.ts'
import { UNSPACED } from './words.ts'

/** A piece of a text that says one thing. */
export interface Piece {
  /** The headings that it stands under, the outermost first. */
  headings: string[]
  text: string
}

/** Words: of a passage, and what two that follow each other have in common. */
const SIZE = 150
const LEAST = 110
const MOST = 200
const OVERLAP = 30
/** Nobody writes more than that; what consists of headings alone would have a million. */
const MOST_PIECES = 10_000

/** Cuts a text at its headings, and what is long between them at the ends of lines and sentences. */
export function cut(text: string, format: Format): Piece[] {
  const pieces: Piece[] = []
  for (const { headings, lines } of sectionsOf(blocksOf(text, format))) {
    if (pieces.length >= MOST_PIECES) break
    const texts = lines.length ? cutSection(lines.join('\n')) : ['']
    for (const piece of texts) pieces.push({ headings, text: piece })
  }
  return pieces.slice(0, MOST_PIECES)
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
      // A heading over nothing but other headings stands in their paths.
      if (section && !section.lines.length && path.at(-1)!.level < block.level) sections.pop()
      path = [...path.filter(({ level }) => level < block.level), block]
      section = { headings: path.map((one) => one.text), lines: [] }
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
  /** How many words it counts as. */
  words: number
  /** What is best cut after: 2 the end of a line, 1 of a sentence. */
  ends: 0 | 1 | 2
}

const LONGEST_WORD = 200
/** How many letters a word has in what is longer than words are, and in scripts without spaces. */
const LETTERS = 8
const DENSE_LETTERS = 2
const LONG = 24
const isDense = new RegExp(`[${UNSPACED}]`, 'u')

/** Words between spaces; what has none for long is parted anyhow, but not within a character. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  for (const found of text.matchAll(/\S+/g)) {
    const end = found.index + found[0].length
    for (let start = found.index; start < end; ) {
      const until = end - start > LONGEST_WORD ? wholeUntil(text, start + LONGEST_WORD / 2) : end
      const words = wordsIn(text.slice(start, until))
      const isLine = until === end && (text[end] === '\n' || end === text.length)
      const isSentence = /[.!?:;。！？]["')\]]?$/.test(
        text.slice(Math.max(start, until - 2), until),
      )
      units.push({ start, end: until, words, ends: isLine ? 2 : isSentence ? 1 : 0 })
      start = until
    }
  }
  return units
}

function wordsIn(part: string): number {
  if (isDense.test(part)) return Math.ceil(part.length / DENSE_LETTERS)
  return part.length > LONG ? Math.ceil(part.length / LETTERS) : 1
}

const wholeUntil = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at]!) ? at + 1 : at)

function cutSection(text: string): string[] {
  const units = unitsOf(text)
  const pieces: string[] = []
  for (let from = 0; from < units.length; ) {
    const to = endOf(units, from)
    pieces.push(text.slice(units[from]!.start, units[to - 1]!.end))
    if (to === units.length) break
    from = overlapOf(units, from, to)
  }
  return pieces
}

/** Up to which unit a passage goes: the best place between the least and the most that it may hold. */
function endOf(units: readonly Unit[], from: number): number {
  let words = 0
  let best = 0
  let grade = Number.NEGATIVE_INFINITY
  for (let at = from; at < units.length; at++) {
    words += units[at]!.words
    if (words > MOST && best) return best
    if (words < LEAST) continue
    const good = units[at]!.ends * 30 - Math.abs(words - SIZE)
    if (good > grade) [best, grade] = [at + 1, good]
  }
  return units.length
}

/** Where the next one begins: about as many words before the end, with a line or a sentence if it can. */
function overlapOf(units: readonly Unit[], from: number, to: number): number {
  let words = 0
  let at = to
  let best = 0
  while (at - 1 > from && words < OVERLAP * 1.5) {
    at--
    words += units[at]!.words
    const isStart = units[at - 1]!.ends > 0
    if (isStart && words >= OVERLAP / 2) best = at
    if (best && words >= OVERLAP) return best
    if (!best && words >= OVERLAP && isStart) return at
  }
  return best || at
}
