import { splits } from './rules.ts'

/**
 * How a text is made of another one that it shares most with: stretches of the other, each from one
 * letter up to another, and letters of its own between them. Nothing begins or ends inside a
 * character of two letters.
 */
export type Step = readonly [from: number, to: number] | string

/** Finds lines that two lists share; `undefined` where looking for them would take too long. */
export type LineDiff = (
  before: string[],
  after: string[],
) => { count: number; added: boolean; removed: boolean }[] | undefined

/** Below this a stretch is told as it is: to look for lines in it saves nothing. */
const SHORT = 200

/** How the text `before` is made of the text `after`. */
export function stepsBack(before: string, after: string, diff?: LineDiff): Step[] {
  const head = sameHead(before, after)
  const tail = sameTail(before, after, head)
  const was = before.slice(head, before.length - tail)
  const is = after.slice(head, after.length - tail)
  return merged([[0, head], ...between(was, is, head, diff), [after.length - tail, after.length]])
}

export const applied = (steps: readonly Step[], text: string): string =>
  steps.map((step) => (typeof step === 'string' ? step : text.slice(step[0], step[1]))).join('')

/** Letters that stay, and those that are gone: what the steps bring back. */
export function sizeOf(steps: readonly Step[]): { kept: number; gone: number } {
  let kept = 0
  let gone = 0
  for (const step of steps)
    if (typeof step === 'string') gone += step.length
    else kept += step[1] - step[0]
  return { kept, gone }
}

function between(was: string, is: string, at: number, diff?: LineDiff): Step[] {
  if (!diff || was.length < SHORT || is.length < SHORT) return [was]
  const old = linesOf(was)
  const parts = diff(old, linesOf(is))
  if (!parts) return [was]
  const steps: Step[] = []
  const places = placesOf(is)
  let from = 0
  let to = 0
  for (const { count, added, removed } of parts) {
    if (removed) steps.push(old.slice(from, from + count).join(''))
    else if (!added) steps.push([at + places[to]!, at + places[to + count]!])
    if (!added) from += count
    if (!removed) to += count
  }
  return steps
}

/** Each with the line break that ends it. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Where each line begins, and where the last one ends. */
function placesOf(text: string): number[] {
  const places = [0]
  for (const line of linesOf(text)) places.push(places.at(-1)! + line.length)
  return places
}

function merged(steps: readonly Step[]): Step[] {
  const made: Step[] = []
  for (const step of steps) {
    const last = made.at(-1)
    if (typeof step === 'string') {
      if (!step) continue
      if (typeof last === 'string') made[made.length - 1] = last + step
      else made.push(step)
    } else if (step[0] < step[1]) {
      if (last && typeof last !== 'string' && last[1] === step[0])
        made[made.length - 1] = [last[0], step[1]]
      else made.push(step)
    }
  }
  return made
}

function sameHead(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same++
  return splits(one, same) || splits(other, same) ? same - 1 : same
}

function sameTail(one: string, other: string, head: number): number {
  const most = Math.min(one.length, other.length) - head
  let same = 0
  while (
    same < most &&
    one.charCodeAt(one.length - 1 - same) === other.charCodeAt(other.length - 1 - same)
  )
    same++
  return splits(one, one.length - same) || splits(other, other.length - same) ? same - 1 : same
}
