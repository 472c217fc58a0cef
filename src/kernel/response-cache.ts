import type { Caller } from './caller.ts'

const MAX_ROWS = 4000
/** Larger results, such as whole boards, are rarely requested again before the next write. */
const MAX_ENTRY_ROWS = 500
const ROW_CHARS = 500
const MAX_INPUT_LENGTH = 20_000

/** Whether an input is too long to be serialized as a cache key. */
export const isLongInput = (input: unknown): boolean =>
  Object.values(Object(input)).some(
    (part) => typeof part === 'string' && part.length > MAX_INPUT_LENGTH,
  )

/**
 * Caches results of reads until the next write, because agents poll while nothing changes. Some
 * results change with the clock alone (overdue tasks), so the cache is also cleared every second.
 */
export class ResponseCache<Result extends { data: unknown; dataText?: string }> {
  private readonly entries = new Map<string, { caller: Caller; answer: Result }>()
  private rows = 0
  private storeVersion = -1
  private second = 0

  /** A new caller object may have other rights, even if the credential is the same. */
  get(caller: Caller, request: string): Result | undefined {
    const entry = this.entries.get(`${caller.credential} ${request}`)
    return entry?.caller === caller ? entry.answer : undefined
  }

  set(caller: Caller, request: string, result: Result) {
    const { dataText } = result
    const weight = dataText ? dataText.length / ROW_CHARS : weightOf(result.data)
    const rows = 1 + request.length / ROW_CHARS + weight
    if (rows > MAX_ENTRY_ROWS) return
    if (this.rows + rows > MAX_ROWS) this.clear()
    this.rows += rows
    this.entries.set(`${caller.credential} ${request}`, { caller, answer: result })
  }

  /** Clears the cache if there was a write, or if another second began, since the last call. */
  refresh(storeVersion: number, now: Date): this {
    const second = Math.floor(now.getTime() / 1000)
    if (storeVersion === this.storeVersion && second === this.second) return this
    this.clear()
    this.storeVersion = storeVersion
    this.second = second
    return this
  }

  private clear() {
    this.entries.clear()
    this.rows = 0
  }
}

/** The size in rows; texts are converted at `ROW_CHARS` characters per row. */
function weightOf(data: unknown): number {
  if (Array.isArray(data)) return data.length
  let weight = 0
  for (const part of Object.values(Object(data)))
    if (Array.isArray(part)) weight += part.length
    else if (typeof part === 'string') weight += part.length / ROW_CHARS
  return weight
}
