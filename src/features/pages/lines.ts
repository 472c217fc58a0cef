import type { LineDiff } from './steps.ts'

/** Looking for what two texts share ends there: it takes time that grows with the square of it. */
const MOST_EDITS = 400
const CONTEXT = 3

export interface Hunk {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  lines: string[]
}

/** How two texts differ, line by line. */
export interface Compared {
  hunks: Hunk[]
  /** The same as one text, as `diff -u` writes it. */
  unified: string
}

export interface Differ {
  lines: LineDiff
  compare(before: Named, after: Named): Compared
}

interface Named {
  name: string
  text: string
}

let loading: Promise<Differ> | undefined

/** The library takes longer to load than most requests take, and is loaded once. */
export function loadDiffer(): Promise<Differ> {
  loading ??= import('diff').then((diff) => ({
    lines: (before, after) => diff.diffArrays(before, after, { maxEditLength: MOST_EDITS }),
    compare(older, newer) {
      const [before, after] = [ended(older), ended(newer)]
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
    },
  }))
  return loading
}

/** Whether the last line has an end of its own is nothing that a reader sees. */
const ended = ({ name, text }: Named): Named => ({
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
