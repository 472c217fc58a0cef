import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { listing, PageInfo, type Paging } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { pageOf } from '../../store/page.ts'
import { matching } from '../../store/text.ts'
import { actors } from '../people/index.ts'
import { findProject, type Project, ProjectId } from '../projects/index.ts'
import { aboutSeenTask, tasks } from '../tasks/index.ts'
import { type Asked, keyOf, newsOf, type Told, toldBy } from './key.ts'
import { AgentRef, Entry, RunId, RunState, Session } from './schema.ts'
import { shownSessions } from './shown.ts'
import type { Run } from './store.ts'
import { runs } from './tables.ts'
import { lastEntries, shownEntries } from './transcripts.ts'

const HistoryKey = t.String({
  minLength: 1,
  maxLength: 16_000,
  description: 'As an earlier answer gave it',
})

export const list = operation({
  name: 'sessions.list',
  summary: 'Runs on a board, newest first; with prefer=paged=true only news since a key',
  needs: 'tasks:read',
  on: { rest: 'GET /api/v1/projects/:project_id/sessions', cli: 'sessions list <project_id>' },
  input: listing(
    {
      project_id: ProjectId,
      state: t.Optional(RunState),
      agent_id: t.Optional(AgentRef),
      prefer: t.Optional(t.Literal('paged=true', { description: 'Answer with a history_key' })),
      history_key: t.Optional({
        ...HistoryKey,
        description: 'Of the answer before: tell of the same page only what has changed',
      }),
    },
    ['createdAt', 'updatedAt'],
  ),
  output: t.Object(
    {
      items: t.Array(Session),
      page: t.Object({
        ...PageInfo.properties,
        history_key: t.Optional(t.String({ description: 'To be sent next time' })),
        removed: t.Optional(
          t.Array(RunId, { description: 'Runs that the page of the key had and has no more' }),
        ),
      }),
    },
    { list: true },
  ),
  async run({ project_id, prefer, history_key, fields: _, ...given }, ctx) {
    const project = await findProject(ctx, project_id)
    const told = history_key === undefined ? undefined : toldBy(history_key, project_id)
    if (told) checkSame(told.asked, given)
    const asked = (told?.asked ?? given) as Wanted
    const { rows, page } = await pageOfRuns(ctx, project, asked)
    const sessions = await shownSessions(ctx, rows)
    if (!told && !prefer) return { items: sessions, page }
    const key = keyOf(project_id, asked, sessions)
    if (!told) return { items: sessions, page: { ...page, history_key: key } }
    const { changed, removed } = newsOf(told, sessions)
    return { items: changed, page: { ...page, history_key: key, removed } }
  },
})

type Wanted = Pick<Paging, Exclude<keyof Paging, 'fields'>> & {
  state?: Run['state']
  agent_id?: string
}

/** The key says what was asked; what is said again must be the same. */
function checkSame(before: Asked, now: Asked): void {
  for (const [name, value] of Object.entries(now))
    if (value !== undefined && value !== before[name as keyof Asked])
      throw fault.invalid(
        'history_key',
        'conflict',
        `history_key was given for another ${name}`,
        value,
        'Leave the filters out beside a history_key, or begin again without one',
      )
}

async function pageOfRuns(
  ctx: Context,
  project: Project,
  { state, agent_id, ...paging }: Wanted,
): Promise<{ rows: Run[]; page: PageInfo }> {
  const { rows, page } = await pageOf(ctx.tx, paging, {
    name: ['sessions', project.project_id, state ?? '', agent_id ?? ''].join(' '),
    from: runs,
    columns: getTableColumns(runs),
    where: and(
      onBoard(ctx, project, matching(paging, [tasks.title, tasks.ticket_number, runs.prompt])),
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
  more?: ReturnType<typeof matching>,
) =>
  and(
    eq(runs.team_id, team_id),
    eq(runs.project_id, project_id),
    aboutSeenTask(
      ctx,
      runs.task_id,
      and(eq(tasks.project_id, project_id), ne(tasks.status, 'Deleted'), more),
    ),
  )

const ofAgent = ({ tx, caller }: Context, agent_id: string) =>
  tx
    .select({ actor_id: actors.actor_id })
    .from(actors)
    .where(
      eq(actors.agent_id, agent_id === 'self' ? (caller.agent_id ?? '') : agent_id.toLowerCase()),
    )

const MOST_LINES = 20
const MOST_WORDS = 2000

export const transcripts = operation({
  name: 'sessions.transcripts',
  summary: 'How the transcripts end of the runs that a history_key stands for',
  needs: 'tasks:read',
  on: {
    rest: 'GET /api/v1/projects/:project_id/sessions.transcripts',
    cli: 'sessions transcripts <project_id> <history_key>',
  },
  input: t.Object({ project_id: ProjectId, history_key: HistoryKey }),
  output: t.Object({
    transcripts: t.Array(
      t.Object({
        run_id: RunId,
        entry_count: t.Integer(),
        entries: t.Array(Entry, {
          description: 'The last 20, long texts cut; GET /api/v1/runs/{id}/transcript has all',
        }),
      }),
    ),
  }),
  async run({ project_id, history_key }, ctx) {
    const project = await findProject(ctx, project_id)
    const told = toldBy(history_key, project_id)
    const rows = await runsOf(ctx, project, told)
    const shown = []
    for (const run of rows) {
      const last = await lastEntries(ctx.tx, run, MOST_LINES)
      const entries = await shownEntries(ctx, last)
      shown.push({ run_id: run.run_id, entry_count: run.entries, entries: entries.map(cut) })
    }
    return { transcripts: shown }
  },
})

const cut = (entry: Entry): Entry =>
  entry.text.length <= MOST_WORDS
    ? entry
    : { ...entry, text: `${entry.text.slice(0, MOST_WORDS - 1).toWellFormed()}…` }

/** In the order of the page, as far as they are still on the board. */
async function runsOf(ctx: Context, project: Project, { marks }: Told): Promise<Run[]> {
  const ids = [...marks.keys()]
  if (!ids.length) return []
  const rows = await ctx.tx
    .select()
    .from(runs)
    .where(and(inArray(runs.run_id, ids), onBoard(ctx, project)))
  const known = new Map(rows.map((row) => [row.run_id, row]))
  return ids.flatMap((run_id) => known.get(run_id) ?? [])
}
