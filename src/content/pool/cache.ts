const MOST_LETTERS = 8_000_000

interface Entry {
  value: unknown
  letters: number
}

/** The results used last, as many as fit. */
export class Cache {
  private readonly entries = new Map<string, Entry>()
  private letters = 0

  constructor(private readonly most = MOST_LETTERS) {}

  get(key: string): unknown {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: unknown) {
    this.drop(key)
    const letters = key.length + lettersIn(value)
    if (letters > this.most / 2) return
    this.entries.set(key, { value, letters })
    this.letters += letters
    for (const oldest of this.entries.keys()) {
      if (this.letters <= this.most) return
      this.drop(oldest)
    }
  }

  clear() {
    this.entries.clear()
    this.letters = 0
  }

  private drop(key: string) {
    const entry = this.entries.get(key)
    if (!entry) return
    this.letters -= entry.letters
    this.entries.delete(key)
  }
}

/** Every value has a size of its own, so that many small ones are bounded as well. */
function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length + 8
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, one) => sum + lettersIn(one), 8)
}
