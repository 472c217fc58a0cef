import { type Call, type History, told } from './history.ts'
import { after, fresh, type State } from './model.ts'

/**
 * Searches for an order in which each call takes effect between its begin and its end and has the
 * response that the model allows (Wing and Gong, with the memoization of Lowe). If no order has all
 * calls, `longest` is the longest partial one.
 */
export function linearize({ calls, value }: History): { whole: boolean; longest: Call[] } {
  const sorted = calls.toSorted((a, b) => a.began - b.began)
  const tried = new Set<string>()
  const order: Call[] = []
  let longest: Call[] = []
  const taken = sorted.map(() => false)
  const reach = (state: State): boolean => {
    if (order.length > longest.length) longest = [...order]
    if (order.length === sorted.length) return true
    const key = taken.map(Number).join('') + JSON.stringify(state)
    if (tried.has(key)) return false
    tried.add(key)
    for (const at of firsts(sorted, taken)) {
      const call = sorted[at]!
      taken[at] = true
      order.push(call)
      for (const next of after(state, call)) if (reach(next)) return true
      order.pop()
      taken[at] = false
    }
    return false
  }
  return { whole: reach(fresh(value)), longest }
}

/** The remaining calls that can be next: no other remaining call ended before they began. */
function firsts(sorted: readonly Call[], taken: readonly boolean[]): number[] {
  let soonest = Number.POSITIVE_INFINITY
  for (const [at, { ended }] of sorted.entries()) if (!taken[at] && ended < soonest) soonest = ended
  const found: number[] = []
  for (const [at, { began }] of sorted.entries()) {
    if (began > soonest) break
    if (!taken[at]) found.push(at)
  }
  return found
}

/** Why no order explains the calls; undefined if one does. */
export function unexplained(history: History): string | undefined {
  const twice = reused(history.calls)
  if (twice) return `${history.task}: ${twice}`
  const { whole, longest } = linearize(history)
  if (whole) return undefined
  const left = history.calls.filter((call) => !longest.includes(call))
  const lines = (calls: readonly Call[]) => calls.map((call) => `\n    ${told(call)}`).join('')
  return `${history.task}: no order explains these calls. In the longest that was found${lines(longest)}\n  none of these could follow${lines(left)}`
}

/** A lease must have one fencing token, and a fencing token must belong to one lease. */
function reused(calls: readonly Call[]): string | undefined {
  const fenceOf = new Map<string, number>()
  const leaseOf = new Map<number, string>()
  for (const { answered } of calls) {
    if (answered.says !== 'leased') continue
    const { lease, fence } = answered
    if ((fenceOf.get(lease) ?? fence) !== fence) return `${lease} has two fencing tokens`
    if ((leaseOf.get(fence) ?? lease) !== lease) return `two leases have the fencing token ${fence}`
    fenceOf.set(lease, fence)
    leaseOf.set(fence, lease)
  }
  return undefined
}
