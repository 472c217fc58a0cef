import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { checkIsRunAgent, checkNotOver } from '../model/access.ts'
import { type EntryRow, entryRecords } from '../model/entries.ts'
import { Entry, MAX_AT_ONCE, MAX_ENTRIES, NewEntry, RunId } from '../model/schema.ts'
import {
  actingAs,
  addEntries,
  emitTranscript,
  findRun,
  type Line,
  type Run,
} from '../model/store.ts'
import { runEntries } from '../model/tables.ts'

export const append = operation({
  name: 'runs.append',
  summary: 'Append to the transcript of your own run; agents only',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/runs/:run_id/transcript',
    cli: {
      usage: 'runs append <run_id>',
      example: '1 --entries \'[{"kind":"action","text":"Opened the file"}]\'',
    },
  },
  input: t.Object({
    run_id: RunId,
    entries: t.Array(NewEntry, {
      minItems: 1,
      maxItems: MAX_AT_ONCE,
      description: 'Entries to append, in order',
    }),
  }),
  output: t.Object({
    run_id: RunId,
    first: t.Integer({ description: 'Number of the first new entry' }),
    last: t.Integer(),
    entry_count: t.Integer(),
  }),
  async run({ run_id, entries }, ctx) {
    const found = await findRun(ctx, run_id)
    checkIsRunAgent(ctx, found)
    checkNotOver(found)
    const { run } = found
    const lines = entries.map((entry, at) => lineOf(entry, `entries.${at}.at`, ctx.now))
    checkRoom(run, lines.length)
    const after = await addEntries(actingAs(ctx), run, lines)
    await emitTranscript(actingAs(ctx), run, after)
    const [first, last] = [run.entries + 1, after.entries]
    return { run_id, first, last, entry_count: last }
  },
})

function lineOf({ kind = 'message', text, at }: NewEntry, field: string, now: Date): Line {
  if (at === undefined) return { kind, text, at: now }
  const moment = new Date(at)
  if (/^\d{4}-\d\d-\d\dT/.test(at) && !Number.isNaN(moment.getTime()))
    return { kind, text, at: moment }
  throw fault.invalid(field, 'invalid_format', `${field} must be an ISO 8601 date-time`, at)
}

function checkRoom(run: Run, added: number): void {
  if (run.entries + added <= MAX_ENTRIES) return
  throw fault.conflict(
    `A transcript has at most ${MAX_ENTRIES} entries`,
    { field: 'entries', limit: MAX_ENTRIES, entry_count: run.entries },
    'Attach long output as a file: POST /api/v1/tasks/{task}/attachments',
  )
}

export const transcript = operation({
  name: 'runs.transcript',
  summary: 'Transcript of a run, oldest entry first',
  needs: 'tasks:read',
  // A caller reads new lines from the last one that it has.
  dependsOn: ['run'],
  on: {
    rest: 'GET /api/v1/runs/:run_id/transcript',
    cli: { usage: 'runs transcript <run_id>', example: '1' },
  },
  input: listInput({ run_id: RunId }),
  output: listOf(Entry),
  async run({ run_id, ...paging }, ctx) {
    const { run } = await findRun(ctx, run_id)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `run_entries ${run_id}`,
      from: runEntries,
      columns: getTableColumns(runEntries),
      where: and(
        eq(runEntries.team_id, run.team_id),
        eq(runEntries.run_id, run_id),
        matchesSearch(paging, [runEntries.text]),
      ),
      sorts: {},
      manualSort: { key: runEntries.number },
      id: 'number',
    })
    return { items: await entryRecords(ctx, rows as EntryRow[]), page }
  },
})
