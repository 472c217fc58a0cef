import type { Loss } from './plan-types.ts'

const MAX_EXAMPLES = 3

/** Counts what an import loses, by the reason. A few examples stand for the others. */
export class LossCount {
  private readonly byReason = new Map<string, { examples: Set<string>; count: number }>()

  add(what: string, why: string): void {
    const entry = this.byReason.get(why) ?? { examples: new Set(), count: 0 }
    this.byReason.set(why, entry)
    entry.count++
    if (entry.examples.size <= MAX_EXAMPLES) entry.examples.add(what)
  }

  all(): Loss[] {
    return [...this.byReason].map(([why, { examples, count }]) => {
      const named = [...examples].slice(0, MAX_EXAMPLES)
      const what = [...named, ...(examples.size > MAX_EXAMPLES ? ['…'] : [])].join(', ')
      return { what, why, count }
    })
  }
}
