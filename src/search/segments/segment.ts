import { lengthOf, numberAt, Packer } from './packing.ts'
import { numberTerms, packPostings } from './postings.ts'

/** A passage as sequences of terms. Terms are 32-bit hashes of stems. */
export interface IndexedPassage {
  id: number
  /** Number of the text that the passage is from. */
  source: number
  title: Uint32Array
  headings: Uint32Array
  body: Uint32Array
}

/** The passages grouped by source: the group of each passage, and the size of each group. */
export interface Groups {
  groupOf: Uint32Array
  sizes: Uint32Array
}

/** Columns with one number per passage. */
const COLUMNS = ['id', 'source'] as const
type Column = (typeof COLUMNS)[number]
export const FIELDS = ['title', 'headings', 'body'] as const
export type Field = (typeof FIELDS)[number]

const MAGIC = 0x636b7368
export const SEGMENT_FORMAT = 1
/** Length of the header in 32-bit words: magic, format, digest, passages, terms, packed bytes. */
const HEADER_WORDS = 8
/** Half width of the window around the estimated position of a term that is searched first. */
const GUESS_WINDOW = 64

/**
 * An index segment: passages of one board in one block of bytes, which is the same in memory and on
 * disk. It holds the terms, the postings of each term, and the terms of each passage in order.
 */
export class Segment {
  readonly size: number
  /** Term hashes, ascending. */
  readonly terms: Uint32Array
  private readonly columns: Record<Column, Uint32Array>
  private readonly fieldLengths: Record<Field, Uint32Array>
  private readonly packed: Uint8Array
  /** Offsets in `packed` of the postings of each term and of the terms of each passage. */
  private readonly postings: Uint32Array
  private readonly termOffsets: Uint32Array
  private cachedGroups: Groups | undefined
  private cachedSums: Record<Field, number> | undefined

  constructor(private readonly buffer: ArrayBuffer) {
    const words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2)
    const [, , , size = 0, terms = 0, packed = 0] = words
    let at = HEADER_WORDS
    const take = (count: number) => {
      at += count
      return words.subarray(at - count, at)
    }
    const rowsOf = <Name extends string>(names: readonly Name[]) =>
      Object.fromEntries(names.map((name) => [name, take(size)])) as Record<Name, Uint32Array>
    this.size = size
    this.columns = rowsOf(COLUMNS)
    this.fieldLengths = rowsOf(FIELDS)
    this.termOffsets = take(size)
    this.terms = take(terms)
    this.postings = take(terms)
    this.packed = new Uint8Array(buffer, at * 4, packed)
  }

  get groups(): Groups {
    this.cachedGroups ??= groupsOf(this.column('source'))
    return this.cachedGroups
  }

  /** Total length of a field over all passages. */
  sum(field: Field): number {
    this.cachedSums ??= Object.fromEntries(
      FIELDS.map((name) => [name, this.lengths(name).reduce((sum, length) => sum + length, 0)]),
    ) as Record<Field, number>
    return this.cachedSums[field]
  }

  get bytes(): number {
    return this.buffer.byteLength
  }

  encode(): Uint8Array {
    return new Uint8Array(this.buffer)
  }

  column(name: Column): Uint32Array {
    return this.columns[name]
  }

  /** Length of a field in each passage. */
  lengths(field: Field): Uint32Array {
    return this.fieldLengths[field]
  }

  /** The index of a term hash in this segment; -1 if it does not occur. */
  find(term: number): number {
    const { terms } = this
    // Hashes are evenly distributed, so the position of one can be estimated.
    const guess = Math.floor((term / 2 ** 32) * terms.length)
    let low = Math.max(0, guess - GUESS_WINDOW)
    let high = Math.min(terms.length - 1, guess + GUESS_WINDOW)
    if (low > 0 && terms[low]! > term) low = 0
    if (high < terms.length - 1 && terms[high]! < term) high = terms.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const hash = terms[middle]!
      if (hash === term) return middle
      if (hash < term) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  /** The number of passages with the term. */
  documentFrequency(term: number): number {
    return numberAt(this.packed, this.postings[term]!)
  }

  /** Visits each passage with a term, with the term's count in each field. */
  eachPassage(
    term: number,
    visit: (row: number, title: number, headings: number, body: number) => void,
  ) {
    const { packed } = this
    let at = this.postings[term]!
    let remaining = numberAt(packed, at)
    at += lengthOf(remaining)
    for (let row = -1; remaining > 0; remaining--) {
      const delta = numberAt(packed, at)
      at += lengthOf(delta)
      row += delta
      const counts = packed[at++]!
      visit(row, counts >>> 6, (counts >>> 4) & 3, counts & 15)
    }
  }

  /** The terms of a passage as indexes into `terms`: title, headings, body. */
  read(row: number): Uint32Array {
    const { title, headings, body } = this.fieldLengths
    const read = new Uint32Array(title[row]! + headings[row]! + body[row]!)
    let at = this.termOffsets[row]!
    for (let word = 0; word < read.length; word++) {
      const number = numberAt(this.packed, at)
      at += lengthOf(number)
      read[word] = number
    }
    return read
  }
}

function groupsOf(sources: Uint32Array): Groups {
  const numbers = new Map<number, number>()
  const sizes: number[] = []
  const groupOf = sources.map((source) => {
    const number = numbers.get(source) ?? numbers.size
    numbers.set(source, number)
    sizes[number] = (sizes[number] ?? 0) + 1
    return number
  })
  return { groupOf, sizes: Uint32Array.from(sizes) }
}

/** Reconstructs the passages that a segment was built from. */
export const passagesOf = (segment: Segment): IndexedPassage[] =>
  Array.from({ length: segment.size }, (_, row) => passageAt(segment, row))

/** Reconstructs a passage. */
export function passageAt(segment: Segment, row: number): IndexedPassage {
  const terms = segment.read(row)
  for (let at = 0; at < terms.length; at++) terms[at] = segment.terms[terms[at]!]!
  const title = segment.lengths('title')[row]!
  const body = title + segment.lengths('headings')[row]!
  return {
    id: segment.column('id')[row]!,
    source: segment.column('source')[row]!,
    title: terms.subarray(0, title),
    headings: terms.subarray(title, body),
    body: terms.subarray(body),
  }
}

export function buildSegment(passages: readonly IndexedPassage[]): Segment {
  const numbered = numberTerms(passages)
  const packer = new Packer()
  const termOffsets = numbered.numbers.map((numbers) => {
    const at = packer.length
    for (let word = 0; word < numbers.length; word++) packer.number(numbers[word]!)
    return at
  })
  const postings = packPostings(packer, passages, numbered)
  const { terms } = numbered
  const header = [MAGIC, SEGMENT_FORMAT, 0, passages.length, terms.length, packer.length, 0, 0]
  const columns = COLUMNS.flatMap((name) => passages.map((passage) => passage[name]))
  const lengths = FIELDS.flatMap((name) => passages.map((passage) => passage[name].length))
  const numbers = [header, columns, lengths, termOffsets, terms, postings]
  const count = numbers.reduce((sum, part) => sum + part.length, 0)
  const buffer = new ArrayBuffer((count + Math.ceil(packer.length / 4)) * 4)
  const words = new Uint32Array(buffer)
  let at = 0
  for (const part of numbers) {
    words.set(part, at)
    at += part.length
  }
  new Uint8Array(buffer).set(packer.finish(), at * 4)
  words[2] = digestOf(buffer)
  return new Segment(buffer)
}

/** Decodes the result of `encode`; throws for anything else. */
export function decodeSegment(bytes: Uint8Array): Segment {
  const buffer = bytes.slice().buffer
  const words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2)
  const isComplete =
    buffer.byteLength >= HEADER_WORDS * 4 && buffer.byteLength % 4 === 0 && words[0] === MAGIC
  if (!isComplete || words[1] !== SEGMENT_FORMAT || words[2] !== digestOf(buffer))
    throw new Error('The segment is damaged')
  return new Segment(buffer)
}

/** The digest of everything after the digest field itself. */
const digestOf = (buffer: ArrayBuffer) => Bun.hash.xxHash32(new Uint8Array(buffer, 12))
