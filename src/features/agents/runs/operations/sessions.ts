import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, PageInfo, type Paging } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject, type Project, ProjectId } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { onVisibleTask, tasks } from '../../../tasks/tasks/model/index.ts'
import { entryRecords, lastEntries } from '../model/entries.ts'
import {
  changesSince,
  type KeyState,
  keyOf,
  type PageRequest,
  parseKey,
} from '../model/history-key.ts'
import { sessionRecords } from '../model/records.ts'
import { AgentRef, Entry, RunId, RunState, Session } from '../model/schema.ts'
import type { Run } from '../model/store.ts'
import { runs } from '../model/tables.ts'

const HistoryKey = t.String({
  minLength: 1,
  maxLength: 16_000,
  description: 'From an earlier response',
})

export const list = operation({
  name: 'sessions.list',
  summary: 'Runs on a board, newest first; a history_key returns only later changes',
  needs: 'tasks:read',
  // The app reloads the list at its own pace while agents write transcripts.
  dependsOn: ['run', 'agent'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/sessions',
    cli: { usage: 'sessions list <project_id>', example: 'HOM --state running' },
  },
  input: listInput(
    {
      project_id: ProjectId,
      state: t.Optional(RunState),
      agent_id: t.Optional(AgentRef),
      prefer: t.Optional(
        t.Literal('paged=true', { description: 'Include a history_key in the response' }),
      ),
      history_key: t.Optional({
        ...HistoryKey,
        description: 'From the previous response: return only what changed on the same page',
      }),
    },
    ['createdAt', 'updatedAt'],
  ),
  output: t.Object(
    {
      items: t.Array(Session),
      page: t.Object({
        ...PageInfo.properties,
        history_key: t.Optional(t.String({ description: 'Send it with the next request' })),
        removed: t.Optional(t.Array(RunId, { description: 'Runs that are no longer on the page' })),
      }),
    },
    { list: true },
  ),
  async run({ project_id, prefer, history_key, fields: _, ...filters }, ctx) {
    const project = await findProject(ctx, project_id)
    const previous = history_key === undefined ? undefined : parseKey(history_key, project_id)
    if (previous) assertSameRequest(previous.request, filters)
    const request = (previous?.request ?? filters) as SessionsRequest
    const { rows, page } = await pageOfRuns(ctx, project, request)
    const sessions = await sessionRecords(ctx, rows)
    if (!previous && !prefer) return { items: sessions, page }
    const key = keyOf(project_id, request, sessions)
    if (!previous) return { items: sessions, page: { ...page, history_key: key } }
    const { changed, removed } = changesSince(previous, sessions)
    return { items: changed, page: { ...page, history_key: key, removed } }
  },
})

type SessionsRequest = Pick<Paging, Exclude<keyof Paging, 'fields'>> & {
  state?: Run['state']
  agent_id?: string
}

/** Filters sent beside a history key must equal those of the key. */
function assertSameRequest(before: PageRequest, now: PageRequest): void {
  for (const [name, value] of Object.entries(now))
    if (value !== undefined && value !== before[name as keyof PageRequest])
      throw fault.invalid(
        'history_key',
        'conflict',
        `history_key belongs to another ${name}`,
        value,
        'Leave out the filters, or start again without history_key',
      )
}

async function pageOfRuns(
  ctx: Context,
  project: Project,
  { state, agent_id, ...paging }: SessionsRequest,
): Promise<{ rows: Run[]; page: PageInfo }> {
  const { rows, page } = await pageOf(ctx.tx, paging, {
    name: ['sessions', project.project_id, state ?? '', agent_id ?? ''].join(' '),
    from: runs,
    columns: getTableColumns(runs),
    where: and(
      onBoard(ctx, project, matchesSearch(paging, [tasks.title, tasks.ticket_number, runs.prompt])),
      state && eq(runs.state, state),
      agent_id === undefined ? undefined : inArray(runs.actor_id, ofAgent(ctx, agent_id)),
    ),
    sorts: { createdAt: { key: runs.created_at }, updatedAt: { key: runs.updated_at } },
    id: 'run_id',
  })
  return { rows: rows as Run[], page }
}

const onBoard = (
  ctx: Context,
  { team_id, project_id }: Project,
  extra?: ReturnType<typeof matchesSearch>,
) =>
  and(
    eq(runs.team_id, team_id),
    eq(runs.project_id, project_id),
    onVisibleTask(
      ctx,
      runs.task_id,
      and(eq(tasks.project_id, project_id), ne(tasks.status, 'Deleted'), extra),
    ),
  )

const ofAgent = ({ tx, caller }: Context, agent_id: string) =>
  tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(
      eq(actors.agent_id, agent_id === 'self' ? (caller.agent_id ?? '') : agent_id.toLowerCase()),
    )

const MAX_LINES = 20
const MAX_WORDS = 2000

export const transcripts = operation({
  name: 'sessions.transcripts',
  summary: 'Ends of the transcripts of the runs on the page of a history_key',
  needs: 'tasks:read',
  dependsOn: ['run', 'run.transcript'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/sessions.transcripts',
    cli: { usage: 'sessions transcripts <project_id> <history_key>', example: 'HOM WzEse30sW11d' },
  },
  input: t.Object({ project_id: ProjectId, history_key: HistoryKey }),
  output: t.Object({
    transcripts: t.Array(
      t.Object({
        run_id: RunId,
        entry_count: t.Integer(),
        entries: t.Array(Entry, {
          description:
            'Last 20 entries, long texts truncated; GET /api/v1/runs/{id}/transcript returns all',
        }),
      }),
    ),
  }),
  async run({ project_id, history_key }, ctx) {
    const project = await findProject(ctx, project_id)
    const previous = parseKey(history_key, project_id)
    const rows = await runsOf(ctx, project, previous)
    const result = []
    for (const run of rows) {
      const last = await lastEntries(ctx.tx, run, MAX_LINES)
      const entries = await entryRecords(ctx, last)
      result.push({
        run_id: run.run_id,
        entry_count: run.entries,
        entries: entries.map(truncateEntry),
      })
    }
    return { transcripts: result }
  },
})

const truncateEntry = (entry: Entry): Entry =>
  entry.text.length <= MAX_WORDS
    ? entry
    : { ...entry, text: `${entry.text.slice(0, MAX_WORDS - 1).toWellFormed()}…` }

/** The runs of a key in its order, without those that left the board. */
async function runsOf(ctx: Context, project: Project, { marks }: KeyState): Promise<Run[]> {
  const ids = [...marks.keys()]
  if (!ids.length) return []
  const rows = await ctx.tx
    .select()
    .from(runs)
    .where(and(inArray(runs.run_id, ids), onBoard(ctx, project)))
  const known = new Map(rows.map((row) => [row.run_id, row]))
  return ids.flatMap((run_id) => known.get(run_id) ?? [])
}
