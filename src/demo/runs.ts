import type { Scene } from './scene.ts'

type Line = [kind: 'message' | 'thought' | 'action' | 'result' | 'error', text: string]

const INVESTIGATION: readonly Line[] = [
  ['message', 'I measure first: where an export of 4,000 tasks spends its time.'],
  ['action', 'npm run bench -- export --tasks 4000'],
  [
    'result',
    `export --tasks 4000
  read rows      1.2 s
  count rows    27.9 s
  write csv      0.8 s
  total         29.9 s`,
  ],
  ['thought', 'Nine tenths of the time goes into counting, once for each page of rows.'],
  ['action', 'grep -rn "count(" src/export'],
  [
    'result',
    `src/export/pages.ts:41:  const total = await count(rows, where)
src/export/pages.ts:77:  if (offset + rows.length >= total) break`,
  ],
  [
    'message',
    'The total only decides when to stop. An empty page says the same, without counting.',
  ],
]
const FIX: readonly Line[] = [
  ['action', 'git switch -c export-without-count && npm test -- export'],
  ['error', 'export.test.ts: "a page that is exactly full is the last" failed: 101 rows, not 100'],
  ['thought', 'A full last page now asks once more. It must not write its header twice.'],
  ['action', 'npm test -- export'],
  ['result', '48 pass, 0 fail in 3.1 s'],
  ['message', 'Rows are sent as they are read now: 2.1 s instead of 29.9 s on the largest board.'],
]

const entries = (lines: readonly Line[]) => lines.map(([kind, text]) => ({ kind, text }))

/** Adds runs of both agents with their transcripts, some evidence and an escalation. */
export async function addRuns({ as, actors, key }: Scene): Promise<void> {
  const { run_id } = await as.beacon('runs.create', {
    ticket_number: key('Exports time out on boards with many tasks'),
  })
  await as.beacon('runs.append', { run_id, entries: entries(INVESTIGATION) })
  await as.robin('runs.prompt', { run_id, text: 'Good find. Keep the order of the rows as it is.' })
  await as.beacon('runs.append', { run_id, entries: entries(FIX) })
  await as.beacon('evidence.add', {
    ticket_number: key('Exports time out on boards with many tasks'),
    kind: 'test_result',
    summary: '48 tests of the export pass, 2.1 s instead of 29.9 s',
  })
  const search = await as.lantern('runs.create', {
    ticket_number: key('Search finds words in comments'),
  })
  await as.lantern('runs.append', {
    run_id: search.run_id,
    entries: entries([
      ['action', 'npm run index -- --only comments'],
      ['result', '18,204 comments in 41 s'],
      ['message', 'The index is built. Waiting for somebody to say how long comments are kept.'],
    ]),
  })
  await as.lantern('runs.update', { run_id: search.run_id, state: 'waiting' })
  await as.lantern('escalations.create', {
    ticket_number: key('Search finds words in comments'),
    reason: 'How long are deleted comments kept? The index must forget them too.',
    ...(actors.robin.user_id !== undefined && { to_user_id: actors.robin.user_id }),
  })
}
