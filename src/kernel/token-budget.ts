/** How many tokens one result may cost its reader, and the hint on how to get the rest. */
export interface TokenBudget {
  tokens: number
  hint: string
}

/** Texts are never clipped to fewer characters, so that keys, names and addresses stay whole. */
const MIN_TEXT_LENGTH = 100
/** Characters of plain English per token. */
const CHARS_PER_TOKEN = 4.5
const ROW_LIMITS = [25, 12, 6, 3, 1]

export interface FittedResult {
  data: unknown
  /**
   * Size of the result relative to the budget, after its texts are clipped; 1 or less if it fits.
   */
  ratio: number
}

/** Clips the longest texts of a result to one common length, so that the result fits. */
export function clipToBudget(data: unknown, budget: TokenBudget): FittedResult {
  const lengths = textLengths(data)
  const ratio =
    lengths.reduce((sum, length) => sum + length, 0) > ALWAYS_TOO_LONG
      ? ALWAYS_TOO_LONG
      : budgetRatio(data, budget)
  if (ratio <= 1) return { data, ratio }
  for (let maxLength = fairLength(lengths, budget); ; ) {
    const clipped = clip(data, maxLength, budget)
    const clippedRatio = budgetRatio(clipped, budget)
    if (clippedRatio <= 1 || maxLength <= MIN_TEXT_LENGTH)
      return { data: clipped, ratio: clippedRatio }
    maxLength = Math.max(MIN_TEXT_LENGTH, Math.floor((maxLength / clippedRatio) * 0.95))
  }
}

/** A result with more characters exceeds any budget, so its tokens are not estimated. */
const ALWAYS_TOO_LONG = 100_000

function budgetRatio(data: unknown, { tokens }: TokenBudget): number {
  const text = JSON.stringify(data) ?? ''
  // A token is at least a byte, and most results are far smaller than that.
  const isSmall = text.length <= tokens && Buffer.byteLength(text) <= tokens
  return isSmall ? 0 : estimateTokens(text) / tokens
}

/** Also shortens lists where clipping texts is not enough; `truncated` says which lists. */
export function truncateToBudget(
  data: unknown,
  budget: TokenBudget,
): { data: unknown; truncated: string[] } {
  for (const maxRows of ROW_LIMITS) {
    const truncated = new Map<string, string>()
    const limited = limitRows(data, maxRows, '', truncated)
    const fitted = clipToBudget(limited, budget)
    if (fitted.ratio <= 1 || maxRows === 1)
      return { data: fitted.data, truncated: [...truncated.values()] }
  }
  return { data, truncated: [] }
}

function limitRows(
  value: unknown,
  maxRows: number,
  path: string,
  truncated: Map<string, string>,
): unknown {
  if (Array.isArray(value)) {
    const rows = value.slice(0, maxRows).map((row) => limitRows(row, maxRows, path, truncated))
    if (value.length > maxRows && !truncated.has(path))
      truncated.set(path, `${path || 'the list'}: ${maxRows} of ${value.length}`)
    return rows
  }
  return mapValues(value, (part, name) =>
    limitRows(part, maxRows, path ? `${path}.${name}` : name, truncated),
  )
}

function clip(value: unknown, maxLength: number, budget: TokenBudget): unknown {
  if (typeof value === 'string') return clipText(value, maxLength, budget)
  if (Array.isArray(value)) return value.map((item) => clip(item, maxLength, budget))
  return mapValues(value, (part) => clip(part, maxLength, budget))
}

function mapValues(value: unknown, change: (part: unknown, name: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]))
}

function clipText(text: string, maxLength: number, { hint }: TokenBudget): string {
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
  const omitted = (text.length - start.length).toLocaleString('en')
  return `${start}… ${omitted} more characters${hint && `; ${hint}`}`
}

function textLengths(value: unknown): number[] {
  if (typeof value === 'string') return [value.length]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textLengths)
}

/** The length to which the longest texts must be clipped, so that all texts fit. */
function fairLength(lengths: number[], { tokens }: TokenBudget): number {
  let remaining = tokens * CHARS_PER_TOKEN
  const sorted = lengths.sort((a, b) => a - b)
  for (const [index, length] of sorted.entries()) {
    const share = remaining / (sorted.length - index)
    if (length > share) return Math.max(MIN_TEXT_LENGTH, Math.floor(share))
    remaining -= length
  }
  return Math.max(MIN_TEXT_LENGTH, sorted.at(-1) ?? 0)
}

/** Characters per token for letters that form no words of any language. */
const MIN_CHARS_PER_TOKEN = 2.2

const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+|\P{ASCII}+|[^A-Za-z0-9 ]| +/gu

/** Estimates the tokens of a text, rather too high than too low; counting them is too slow. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [run] of text.matchAll(RUNS)) {
    const code = run.charCodeAt(0)
    if (code > 0x7f) tokens += nonAsciiTokens(run)
    else if (code === 0x20) tokens += run.length > 1 ? 1 : 0
    else if (code >= 0x30 && code <= 0x39) tokens += Math.ceil(run.length / 3)
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)
      tokens += Math.max(1, run.length / MIN_CHARS_PER_TOKEN)
    else tokens += 0.9
  }
  return tokens
}

/**
 * Estimates by code point range: vocabularies made of English and code know other scripts least.
 */
function nonAsciiTokens(run: string): number {
  let tokens = 0
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at)
    const isRare = code < 0x3000 || (code >= 0x3400 && code < 0x4e00)
    tokens += code < 0x800 ? 1 : isRare ? 3 : 2
  }
  return tokens
}
