import * as diff from 'diff'
import type { Compared } from './lines.ts'
import { type LineDiff, type Step, stepsBack } from './steps.ts'

/** Looking for what two texts share ends there: it takes time that grows with the square of it. */
const MOST_EDITS = 400
const CONTEXT = 3

interface Named {
  name: string
  text: string
}

export const lines: LineDiff = (before, after) =>
  diff.diffArrays(before, after, { maxEditLength: MOST_EDITS })

/** What a worker does with two texts. */
export const diffTasks = {
  compare(older: string, before: string, newer: string, after: string): Compared {
    return compare(ended(older, before), ended(newer, after))
  },
  steps(before: string, after: string): Step[] {
    return stepsBack(before, after, lines)
  },
}

function compare(before: Named, after: Named): Compared {
  const patch =
    diff.structuredPatch(before.name, after.name, before.text, after.text, '', '', {
      ...{ context: CONTEXT, maxEditLength: MOST_EDITS },
    }) ?? replaced(before, after)
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    ...{ old_start: oldStart, old_lines: oldLines },
    ...{ new_start: newStart, new_lines: newLines, lines },
  }))
  const unified = hunks.length ? diff.formatPatch(patch, diff.FILE_HEADERS_ONLY) : ''
  return { hunks, unified }
}

/** Whether the last line has an end of its own is nothing that a reader sees. */
const ended = (name: string, text: string): Named => ({
  name,
  text: text.endsWith('\n') ? text : `${text}\n`,
})

/** Where hardly a line is the same: the one text for the other. */
function replaced(before: Named, after: Named) {
  const linesIn = ({ text }: Named) => text.split('\n').slice(0, -1)
  const [old, now] = [linesIn(before), linesIn(after)]
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  return {
    ...{ oldFileName: before.name, newFileName: after.name, oldHeader: '', newHeader: '' },
    index: undefined,
    hunks: [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }],
  }
}
