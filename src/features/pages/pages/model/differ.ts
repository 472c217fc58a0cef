import * as diff from 'diff'
import type { Comparison } from './lines.ts'
import { type LineDiff, type Step, stepsBack } from './steps.ts'

/** Limit of the edit distance. The time of a comparison grows with its square. */
const MAX_EDITS = 400
const CONTEXT_LINES = 3

interface NamedText {
  name: string
  text: string
}

export const lineDiff: LineDiff = (before, after) =>
  diff.diffArrays(before, after, { maxEditLength: MAX_EDITS })

/** The comparisons that run in a worker. */
export const diffTasks = {
  compare(older: string, before: string, newer: string, after: string): Comparison {
    return compare(withFinalNewline(older, before), withFinalNewline(newer, after))
  },
  steps(before: string, after: string): Step[] {
    return stepsBack(before, after, lineDiff)
  },
}

function compare(before: NamedText, after: NamedText): Comparison {
  const patch =
    diff.structuredPatch(before.name, after.name, before.text, after.text, '', '', {
      context: CONTEXT_LINES,
      maxEditLength: MAX_EDITS,
    }) ?? replaceAllLines(before, after)
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    old_start: oldStart,
    old_lines: oldLines,
    new_start: newStart,
    new_lines: newLines,
    lines,
  }))
  const unified = hunks.length ? diff.formatPatch(patch, diff.FILE_HEADERS_ONLY) : ''
  return { hunks, unified }
}

/** Adds a final newline, so that a missing one does not show up as a difference. */
const withFinalNewline = (name: string, text: string): NamedText => ({
  name,
  text: text.endsWith('\n') ? text : `${text}\n`,
})

/** Fallback for texts that are too different: all old lines removed, all new lines added. */
function replaceAllLines(before: NamedText, after: NamedText) {
  const linesIn = ({ text }: NamedText) => text.split('\n').slice(0, -1)
  const [oldLines, newLines] = [linesIn(before), linesIn(after)]
  const lines = [...oldLines.map((line) => `-${line}`), ...newLines.map((line) => `+${line}`)]
  return {
    oldFileName: before.name,
    newFileName: after.name,
    oldHeader: '',
    newHeader: '',
    index: undefined,
    hunks: [
      { oldStart: 1, oldLines: oldLines.length, newStart: 1, newLines: newLines.length, lines },
    ],
  }
}
