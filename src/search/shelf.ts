import { lengthOf, numberAt, Packer } from './packing.ts'
import { countsOf, pack, termsIn } from './postings.ts'

/** A passage taken apart. Terms are hashes of stems, in order; numbers have 32 bits. */
export interface Leaf {
  id: number
  /** The text that it is a part of. */
  source: number
  title: Uint32Array
  headings: Uint32Array
  body: Uint32Array
}

/** Leaves of one source have the same number; how many there are of each. */
export interface Groups {
  of: Uint32Array
  sizes: Uint32Array
}

/** What is known of every leaf, a row of numbers each. */
const COLUMNS = ['id', 'source'] as const
type Column = (typeof COLUMNS)[number]
export const FIELDS = ['title', 'headings', 'body'] as const
export type Field = (typeof FIELDS)[number]

const MAGIC = 0x636b7368
export const SHELF_FORMAT = 1
/** Numbers at the beginning: what it is, its digest, how many leaves, terms and bytes there are. */
const HEADER = 8
/** How far from where it is guessed to be a term is looked for first. */
const NEAR = 64

/**
 * Passages of one board in one block of bytes, which is the same in memory and on disk: the terms
 * they hold, where each stands, and the words of each in order.
 */
export class Shelf {
  readonly size: number
  /** Hashes, ascending. */
  readonly terms: Uint32Array
  private readonly columns: Record<Column, Uint32Array>
  private readonly counts: Record<Field, Uint32Array>
  private readonly packed: Uint8Array
  /** Where in `packed` the leaves of a term begin, and the words of a leaf. */
  private readonly postings: Uint32Array
  private readonly rows: Uint32Array
  private grouped: Groups | undefined
  private sums: Record<Field, number> | undefined

  constructor(private readonly buffer: ArrayBuffer) {
    const words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2)
    const [, , , size = 0, terms = 0, packed = 0] = words
    let at = HEADER
    const take = (count: number) => {
      at += count
      return words.subarray(at - count, at)
    }
    const rowsOf = <Name extends string>(names: readonly Name[]) =>
      Object.fromEntries(names.map((name) => [name, take(size)])) as Record<Name, Uint32Array>
    this.size = size
    this.columns = rowsOf(COLUMNS)
    this.counts = rowsOf(FIELDS)
    this.rows = take(size)
    this.terms = take(terms)
    this.postings = take(terms)
    this.packed = new Uint8Array(buffer, at * 4, packed)
  }

  get groups(): Groups {
    this.grouped ??= groupsOf(this.column('source'))
    return this.grouped
  }

  /** How many words all leaves have there. */
  sum(field: Field): number {
    this.sums ??= Object.fromEntries(
      FIELDS.map((name) => [name, this.lengths(name).reduce((sum, one) => sum + one, 0)]),
    ) as Record<Field, number>
    return this.sums[field]
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

  /** How many words each leaf has there. */
  lengths(field: Field): Uint32Array {
    return this.counts[field]
  }

  /** Which term of the shelf a hash is; -1 for none. */
  find(term: number): number {
    const { terms } = this
    // Hashes are spread evenly, so that one is near the place of its share.
    const guess = Math.floor((term / 2 ** 32) * terms.length)
    let low = Math.max(0, guess - NEAR)
    let high = Math.min(terms.length - 1, guess + NEAR)
    if (low > 0 && terms[low]! > term) low = 0
    if (high < terms.length - 1 && terms[high]! < term) high = terms.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = terms[middle]!
      if (found === term) return middle
      if (found < term) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  /** How many leaves hold it. */
  spread(term: number): number {
    return numberAt(this.packed, this.postings[term]!)
  }

  /** Each leaf that holds a term, and how often it stands in each field of it. */
  each(term: number, see: (leaf: number, title: number, headings: number, body: number) => void) {
    const { packed } = this
    let at = this.postings[term]!
    let left = numberAt(packed, at)
    at += lengthOf(left)
    for (let leaf = -1; left > 0; left--) {
      const apart = numberAt(packed, at)
      at += lengthOf(apart)
      leaf += apart
      const counts = packed[at++]!
      see(leaf, counts >>> 6, (counts >>> 4) & 3, counts & 15)
    }
  }

  /** The terms of a leaf as numbers on this shelf: title, headings, body. */
  read(leaf: number): Uint32Array {
    const { title, headings, body } = this.counts
    const read = new Uint32Array(title[leaf]! + headings[leaf]! + body[leaf]!)
    let at = this.rows[leaf]!
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
  const of = sources.map((source) => {
    const number = numbers.get(source) ?? numbers.size
    numbers.set(source, number)
    sizes[number] = (sizes[number] ?? 0) + 1
    return number
  })
  return { of, sizes: Uint32Array.from(sizes) }
}

/** Every leaf of a shelf as it was put there. */
export function leavesOf(shelf: Shelf): Leaf[] {
  return Array.from({ length: shelf.size }, (_, leaf) => {
    const terms = shelf.read(leaf).map((term) => shelf.terms[term]!)
    const title = shelf.lengths('title')[leaf]!
    const body = title + shelf.lengths('headings')[leaf]!
    return {
      id: shelf.column('id')[leaf]!,
      source: shelf.column('source')[leaf]!,
      title: terms.slice(0, title),
      headings: terms.slice(title, body),
      body: terms.slice(body),
    }
  })
}

export function shelve(leaves: readonly Leaf[]): Shelf {
  const terms = termsIn(leaves)
  const packer = new Packer()
  const rows = leaves.map((leaf) => {
    const at = packer.length
    for (const field of FIELDS) for (const term of leaf[field]) packer.number(terms.get(term)!)
    return at
  })
  const postings = pack(packer, countsOf(leaves, terms))
  const head = [MAGIC, SHELF_FORMAT, 0, leaves.length, terms.size, packer.length, 0, 0]
  const columns = COLUMNS.flatMap((name) => leaves.map((leaf) => leaf[name]))
  const lengths = FIELDS.flatMap((name) => leaves.map((leaf) => leaf[name].length))
  const numbers = [head, columns, lengths, rows, [...terms.keys()], postings]
  const count = numbers.reduce((sum, some) => sum + some.length, 0)
  const buffer = new ArrayBuffer((count + Math.ceil(packer.length / 4)) * 4)
  const words = new Uint32Array(buffer)
  let at = 0
  for (const some of numbers) {
    words.set(some, at)
    at += some.length
  }
  new Uint8Array(buffer).set(packer.done(), at * 4)
  words[2] = digestOf(buffer)
  return new Shelf(buffer)
}

/** Reads what `encode` gave; refuses anything else. */
export function unshelve(bytes: Uint8Array): Shelf {
  const buffer = bytes.slice().buffer
  const words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2)
  const isWhole =
    buffer.byteLength >= HEADER * 4 && buffer.byteLength % 4 === 0 && words[0] === MAGIC
  if (!isWhole || words[1] !== SHELF_FORMAT || words[2] !== digestOf(buffer))
    throw new Error('This is no shelf, or a damaged one')
  return new Shelf(buffer)
}

/** Of everything but the place where it stands itself. */
const digestOf = (buffer: ArrayBuffer) => Bun.hash.xxHash32(new Uint8Array(buffer, 12))
