import { splitsSurrogatePair } from './rules.ts'

/**
 * One step in building a text from a similar one: a range of the other text to copy, or a string to
 * insert. Ranges and strings never split a surrogate pair.
 */
export type Step = readonly [from: number, to: number] | string

/** Compares two lists of lines. Returns undefined if the comparison would take too long. */
export type LineDiff = (
  before: string[],
  after: string[],
) => { count: number; added: boolean; removed: boolean }[] | undefined

/** Shorter texts are inserted whole, because a line diff saves nothing. */
const MIN_DIFF_LENGTH = 200

/** Computes the steps that turn the text `after` back into the text `before`. */
export function stepsBack(before: string, after: string, diff?: LineDiff): Step[] {
  const prefix = commonPrefix(before, after)
  const suffix = commonSuffix(before, after, prefix)
  const oldText = before.slice(prefix, before.length - suffix)
  const newText = after.slice(prefix, after.length - suffix)
  return mergeSteps([
    [0, prefix],
    ...middleSteps(oldText, newText, prefix, diff),
    [after.length - suffix, after.length],
  ])
}

export const applySteps = (steps: readonly Step[], text: string): string =>
  steps.map((step) => (typeof step === 'string' ? step : text.slice(step[0], step[1]))).join('')

/** Counts the characters that the steps copy (`shared`) and insert (`removed`). */
export function sizeOf(steps: readonly Step[]): { shared: number; removed: number } {
  let shared = 0
  let removed = 0
  for (const step of steps)
    if (typeof step === 'string') removed += step.length
    else shared += step[1] - step[0]
  return { shared, removed }
}

function middleSteps(oldText: string, newText: string, offset: number, diff?: LineDiff): Step[] {
  if (!diff || oldText.length < MIN_DIFF_LENGTH || newText.length < MIN_DIFF_LENGTH)
    return [oldText]
  const oldLines = linesOf(oldText)
  const parts = diff(oldLines, linesOf(newText))
  if (!parts) return [oldText]
  const steps: Step[] = []
  const offsets = lineOffsets(newText)
  let from = 0
  let to = 0
  for (const { count, added, removed } of parts) {
    if (removed) steps.push(oldLines.slice(from, from + count).join(''))
    else if (!added) steps.push([offset + offsets[to]!, offset + offsets[to + count]!])
    if (!added) from += count
    if (!removed) to += count
  }
  return steps
}

/** Splits a text into lines, each with its line break. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Returns the offset of each line, and the end of the last one. */
function lineOffsets(text: string): number[] {
  const offsets = [0]
  for (const line of linesOf(text)) offsets.push(offsets.at(-1)! + line.length)
  return offsets
}

function mergeSteps(steps: readonly Step[]): Step[] {
  const merged: Step[] = []
  for (const step of steps) {
    const last = merged.at(-1)
    if (typeof step === 'string') {
      if (!step) continue
      if (typeof last === 'string') merged[merged.length - 1] = last + step
      else merged.push(step)
    } else if (step[0] < step[1]) {
      if (last && typeof last !== 'string' && last[1] === step[0])
        merged[merged.length - 1] = [last[0], step[1]]
      else merged.push(step)
    }
  }
  return merged
}

function commonPrefix(first: string, second: string): number {
  const max = Math.min(first.length, second.length)
  let length = 0
  while (length < max && first.charCodeAt(length) === second.charCodeAt(length)) length++
  return splitsSurrogatePair(first, length) || splitsSurrogatePair(second, length)
    ? length - 1
    : length
}

function commonSuffix(first: string, second: string, prefix: number): number {
  const max = Math.min(first.length, second.length) - prefix
  let length = 0
  while (
    length < max &&
    first.charCodeAt(first.length - 1 - length) === second.charCodeAt(second.length - 1 - length)
  )
    length++
  return splitsSurrogatePair(first, first.length - length) ||
    splitsSurrogatePair(second, second.length - length)
    ? length - 1
    : length
}
