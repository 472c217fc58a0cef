import { ChangeSet, Text } from '@codemirror/state'
import { diffArrays } from 'diff'

/** Limit of the edit distance. The time of a comparison grows with its square. */
const MAX_EDITS = 400
/** Longer differences are replaced as a whole instead of being compared word by word. */
const MAX_REFINED = 4000

interface Replacement {
  from: number
  to: number
  insert: Text
}

/** Only `\n` separates lines, so that positions are those of the string. */
export const toText = (text: string): Text => Text.of(text.split('\n'))

/** The smallest changes that a comparison of lines, then of words, finds between two texts. */
export function changesBetween(before: string, after: string): ChangeSet {
  const replacements: Replacement[] = []
  for (const lines of differences(linesOf(before), linesOf(after)))
    replacements.push(...refine(before, after, lines))
  return ChangeSet.of(replacements, before.length)
}

const linesOf = (text: string) => text.split(/(?<=\n)/)
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? []

interface Difference {
  from: number
  to: number
  newFrom: number
  newTo: number
}

/** Where two lists of parts differ, as positions in the texts that they make up. */
function differences(before: string[], after: string[]): Difference[] {
  const whole = [{ from: 0, to: lengthOf(before), newFrom: 0, newTo: lengthOf(after) }]
  const parts = diffArrays(before, after, { maxEditLength: MAX_EDITS })
  if (!parts) return whole
  const found: Difference[] = []
  let [from, newFrom] = [0, 0]
  for (const { value, added, removed } of parts) {
    const length = lengthOf(value)
    const last = found.at(-1)
    const isContinued = last?.to === from && last.newTo === newFrom
    if (added || removed) {
      const difference = isContinued ? last : { from, to: from, newFrom, newTo: newFrom }
      if (!isContinued) found.push(difference)
      if (removed) difference.to += length
      else difference.newTo += length
    }
    if (!added) from += length
    if (!removed) newFrom += length
  }
  return found
}

const lengthOf = (parts: readonly string[]) => parts.reduce((sum, part) => sum + part.length, 0)

function refine(before: string, after: string, lines: Difference): Replacement[] {
  const { from, to, newFrom, newTo } = lines
  const [removed, added] = [before.slice(from, to), after.slice(newFrom, newTo)]
  if (removed.length + added.length > MAX_REFINED) return [{ from, to, insert: toText(added) }]
  return differences(wordsOf(removed), wordsOf(added)).map((part) => ({
    from: from + part.from,
    to: from + part.to,
    insert: toText(added.slice(part.newFrom, part.newTo)),
  }))
}
