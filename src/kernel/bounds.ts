/** How much one result may cost whoever reads it, and what tells them how to get the rest. */
export interface Room {
  tokens: number
  rest: string
}

/** No text is clipped to less: keys, names and addresses stay whole. */
const LEAST = 100
/** Characters of plain English for which a token is enough. */
const LETTERS = 4.5
const ROWS = [25, 12, 6, 3, 1]

export interface Fitted {
  data: unknown
  /** How many times too large it still is when its texts are clipped; at most 1 where it fits. */
  over: number
}

/** A result with its longest texts clipped, each to the same share, until it fits. */
export function fitted(data: unknown, room: Room): Fitted {
  const lengths = lengthsIn(data)
  const over = lengths.reduce((sum, length) => sum + length, 0) > SURE ? SURE : overOf(data, room)
  if (over <= 1) return { data, over }
  for (let most = share(lengths, room); ; ) {
    const clipped = clip(data, most, room)
    const left = overOf(clipped, room)
    if (left <= 1 || most <= LEAST) return { data: clipped, over: left }
    most = Math.max(LEAST, Math.floor((most / left) * 0.95))
  }
}

/** So many characters are too many, whatever they are, and need not be looked at. */
const SURE = 100_000

function overOf(data: unknown, { tokens }: Room): number {
  const text = JSON.stringify(data) ?? ''
  // A token is at least a byte, and most results are far smaller than that.
  const isSmall = text.length <= tokens && Buffer.byteLength(text) <= tokens
  return isSmall ? 0 : costOf(text) / tokens
}

/** Where clipped texts do not help, the longest lists are cut too; `cut` says which. */
export function shortened(data: unknown, room: Room): { data: unknown; cut: string[] } {
  for (const rows of ROWS) {
    const cut = new Map<string, string>()
    const shorter = rowsOf(data, rows, '', cut)
    const found = fitted(shorter, room)
    if (found.over <= 1 || rows === 1) return { data: found.data, cut: [...cut.values()] }
  }
  return { data, cut: [] }
}

function rowsOf(value: unknown, most: number, path: string, cut: Map<string, string>): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((one) => rowsOf(one, most, path, cut))
    if (value.length > most && !cut.has(path))
      cut.set(path, `${path || 'the list'}: ${most} of ${value.length}`)
    return kept
  }
  return each(value, (part, name) => rowsOf(part, most, path ? `${path}.${name}` : name, cut))
}

function clip(value: unknown, most: number, room: Room): unknown {
  if (typeof value === 'string') return clippedTo(value, most, room)
  if (Array.isArray(value)) return value.map((one) => clip(one, most, room))
  return each(value, (part) => clip(part, most, room))
}

function each(value: unknown, change: (part: unknown, name: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]))
}

function clippedTo(text: string, most: number, { rest }: Room): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  const left = (text.length - kept.length).toLocaleString('en')
  return `${kept}… ${left} more characters${rest && `; ${rest}`}`
}

function lengthsIn(value: unknown): number[] {
  if (typeof value === 'string') return [value.length]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(lengthsIn)
}

/** The length to which the longest texts must come down for all of them to have room. */
function share(lengths: number[], { tokens }: Room): number {
  let room = tokens * LETTERS
  const sorted = lengths.sort((a, b) => a - b)
  for (const [at, length] of sorted.entries()) {
    const each = room / (sorted.length - at)
    if (length > each) return Math.max(LEAST, Math.floor(each))
    room -= length
  }
  return Math.max(LEAST, sorted.at(-1) ?? 0)
}

/** What a run of letters costs at the worst, where they make no words of any language. */
const LETTERS_AT_WORST = 2.2

const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+|\P{ASCII}+|[^A-Za-z0-9 ]| +/gu

/** About how many tokens a text is, rather more than less: there is no time to count them. */
export function costOf(text: string): number {
  let cost = 0
  for (const [run] of text.matchAll(RUNS)) {
    const code = run.charCodeAt(0)
    if (code > 0x7f) cost += foreign(run)
    else if (code === 0x20) cost += run.length > 1 ? 1 : 0
    else if (code >= 0x30 && code <= 0x39) cost += Math.ceil(run.length / 3)
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)
      cost += Math.max(1, run.length / LETTERS_AT_WORST)
    else cost += 0.9
  }
  return cost
}

/** By the bytes of what a vocabulary made of English and code knows least of. */
function foreign(run: string): number {
  let cost = 0
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at)
    const isRare = code < 0x3000 || (code >= 0x3400 && code < 0x4e00)
    cost += code < 0x800 ? 1 : isRare ? 3 : 2
  }
  return cost
}
