import { type Call, formatCall, type History } from './history.ts'
import { initialState, nextStates, type State } from './model.ts'

/**
 * Searches for an order in which each call takes effect between its begin and its end and has the
 * response that the model allows (Wing and Gong, with the memoization of Lowe). If no order has all
 * calls, `longest` is the longest partial one.
 */
export function linearize({ calls, value }: History): { isComplete: boolean; longest: Call[] } {
  const sorted = calls.toSorted((a, b) => a.start - b.start)
  const visited = new Set<string>()
  const order: Call[] = []
  let longest: Call[] = []
  const used = sorted.map(() => false)
  const search = (state: State): boolean => {
    if (order.length > longest.length) longest = [...order]
    if (order.length === sorted.length) return true
    const key = used.map(Number).join('') + JSON.stringify(state)
    if (visited.has(key)) return false
    visited.add(key)
    for (const at of nextCandidates(sorted, used)) {
      const call = sorted[at]!
      used[at] = true
      order.push(call)
      for (const next of nextStates(state, call)) if (search(next)) return true
      order.pop()
      used[at] = false
    }
    return false
  }
  return { isComplete: search(initialState(value)), longest }
}

/** The remaining calls that can be next: no other remaining call ended before they began. */
function nextCandidates(sorted: readonly Call[], used: readonly boolean[]): number[] {
  let earliestEnd = Number.POSITIVE_INFINITY
  for (const [at, { end }] of sorted.entries())
    if (!used[at] && end < earliestEnd) earliestEnd = end
  const candidates: number[] = []
  for (const [at, { start }] of sorted.entries()) {
    if (start > earliestEnd) break
    if (!used[at]) candidates.push(at)
  }
  return candidates
}

/** Why no order explains the calls; undefined if one does. */
export function linearizationFailure(history: History): string | undefined {
  const tokenProblem = findReusedToken(history.calls)
  if (tokenProblem) return `${history.task}: ${tokenProblem}`
  const { isComplete, longest } = linearize(history)
  if (isComplete) return undefined
  const remaining = history.calls.filter((call) => !longest.includes(call))
  const formatCalls = (calls: readonly Call[]) =>
    calls.map((call) => `\n    ${formatCall(call)}`).join('')
  return `${history.task}: no order explains these calls. In the longest that was found${formatCalls(longest)}\n  none of these could follow${formatCalls(remaining)}`
}

/** A lease must have one fencing token, and a fencing token must belong to one lease. */
function findReusedToken(calls: readonly Call[]): string | undefined {
  const fenceOf = new Map<string, number>()
  const leaseOf = new Map<number, string>()
  for (const { response } of calls) {
    if (response.outcome !== 'leased') continue
    const { lease, fence } = response
    if ((fenceOf.get(lease) ?? fence) !== fence) return `${lease} has two fencing tokens`
    if ((leaseOf.get(fence) ?? lease) !== lease) return `two leases have the fencing token ${fence}`
    fenceOf.set(lease, fence)
    leaseOf.set(fence, lease)
  }
  return undefined
}
