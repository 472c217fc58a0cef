import { describe, expect, test } from 'bun:test'
import { type Activity, foldActivity, summariesOf } from '../../src/web/screens/task/activity.ts'
import type { Row } from '../../src/web/screens/task/comments.ts'

const ADA = { kind: 'person', user_id: 1, name: 'Ada' }
const LANTERN = { kind: 'agent', agent_id: 'lantern', name: 'Lantern' }
const START = Date.parse('2026-03-02T09:00:00Z')

const row = (minute: number, summary: string, fields: object = {}) =>
  ({
    kind: 'activity',
    ...{ type: 'task.updated', actor: ADA, changed: [summary.split(' ').at(-1)!], summary },
    created_at: new Date(START + minute * 60_000).toISOString(),
    ...fields,
  }) as unknown as Row
const comment = (minute: number) => row(minute, 'Hello', { kind: 'comment', comment_id: minute })

/** The entries as texts: the lines of a fold in brackets. */
const shown = (rows: readonly Row[]) => {
  const textOf = (activity: Activity) =>
    summariesOf(activity)
      .map(({ text, times }) => (times > 1 ? `${text} ×${times}` : text))
      .join('; ')
  return foldActivity(rows).map((entry) =>
    entry.kind === 'comment'
      ? entry.row.summary
      : entry.kind === 'fold'
        ? entry.entries.map(textOf)
        : textOf(entry),
  )
}

describe('the activity of a task', () => {
  test('is one line for what Ada does in one go, repeated changes counted', () => {
    const rows = [
      row(0, 'edited the description'),
      row(4, 'set the priority'),
      row(9, 'edited the description'),
    ]
    expect(shown(rows)).toEqual(['edited the description ×2; set the priority'])
  })

  test('is two lines if half an hour lies between, or a comment, or somebody else did it', () => {
    const rows = [
      row(0, 'set the priority'),
      row(31, 'set the size'),
      comment(32),
      row(33, 'set the title'),
      row(34, 'set the size', { actor: LANTERN }),
    ]
    expect(shown(rows)).toEqual([
      'set the priority',
      'set the size',
      'Hello',
      'set the title',
      'set the size',
    ])
  })

  test('shows a run once, where its latest event is, in the words of that event', () => {
    const run = { actor: LANTERN, run_id: 1, changed: [] }
    const rows = [
      row(0, 'started a run', { ...run, type: 'run.created', actor: ADA }),
      row(1, 'began to work', { ...run, type: 'run.started' }),
      row(2, 'set the size', { actor: LANTERN }),
      row(3, 'finished the run', { ...run, type: 'run.done' }),
    ]
    expect(shown(rows)).toEqual(['set the size', 'finished the run'])
  })

  test('leaves out a changed position beside other changes, but shows it alone', () => {
    const moved = row(0, 'changed its position in the column', { changed: ['rank'] })
    expect(shown([moved, row(1, 'set the size')])).toEqual(['set the size'])
    expect(shown([moved])).toEqual(['changed its position in the column'])
  })

  test('folds all but the last three consecutive lines, and never a single one', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => row(index * 60, `set field ${index}`))
    expect(shown(rows(4))).toEqual(['set field 0', 'set field 1', 'set field 2', 'set field 3'])
    expect(shown([...rows(6), comment(600), row(700, 'set the size')])).toEqual([
      ['set field 0', 'set field 1', 'set field 2'],
      ...['set field 3', 'set field 4', 'set field 5', 'Hello', 'set the size'],
    ])
  })
})
