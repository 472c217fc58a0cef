const MAX_LENGTH = 8_000_000

interface Entry {
  value: unknown
  length: number
}

/** A least-recently-used cache, bounded by the length of its keys and values. */
export class Cache {
  private readonly entries = new Map<string, Entry>()
  private length = 0

  constructor(private readonly maxLength = MAX_LENGTH) {}

  get(key: string): unknown {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: unknown) {
    this.drop(key)
    const length = key.length + lengthOf(value)
    if (length > this.maxLength / 2) return
    this.entries.set(key, { value, length })
    this.length += length
    for (const oldest of this.entries.keys()) {
      if (this.length <= this.maxLength) return
      this.drop(oldest)
    }
  }

  clear() {
    this.entries.clear()
    this.length = 0
  }

  private drop(key: string) {
    const entry = this.entries.get(key)
    if (!entry) return
    this.length -= entry.length
    this.entries.delete(key)
  }
}

/** Every value counts at least 8, so that the number of small values is bounded too. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 8
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, item) => sum + lengthOf(item), 8)
}
