import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { param } from '../../store/prepared.ts'
import { matching } from '../../store/text.ts'
import { agents } from '../agents/index.ts'
import { labels } from '../labels/index.ts'
import { actors } from '../people/index.ts'
import { findProject, folded, projects, visibleProjects } from '../projects/index.ts'
import { sections } from '../sections/index.ts'
import { members } from '../teams/index.ts'
import { countOf } from './counts.ts'
import { isDay, readDate, startOf } from './rules.ts'
import { taskAssignees, taskLabels, tasks } from './tables.ts'
import { dateIn, momentIn, priorityAsked } from './values.ts'
import { filters, type Wanted } from './wanted.ts'

/** The boards a list is about: one, or all that the caller can see and nobody archived. */
interface Scope {
  teams: number[]
  project_id?: number
}

const PLAIN = ['project_id', 'status']
const ofBoard = and(
  eq(tasks.team_id, param('team_id')),
  eq(tasks.project_id, param('project_id')),
  eq(tasks.status, param('status')),
)

/** The tasks a list asks for; those of a board with no other filter are what is asked for most. */
export async function chosenTasks(ctx: Context, { project_id, ...wanted }: Wanted) {
  const own = Object.keys(wanted).filter((name) => name in filters && !PLAIN.includes(name))
  if (project_id === undefined || own.length || wanted.query || wanted.search)
    return { where: await wantedTasks(ctx, { project_id, ...wanted }) }
  const project = await findProject(ctx, project_id)
  const { status = 'Normal' } = wanted
  const params = { team_id: project.team_id, project_id, status }
  const total = status === 'Normal' ? () => countOf(ctx.tx, project) : undefined
  return { where: ofBoard, shape: 'board', params, total }
}

/** The tasks a list asks for, among those the caller can see. */
async function wantedTasks(ctx: Context, wanted: Wanted): Promise<SQL | undefined> {
  const { filter = {}, project_id } = wanted
  const scope: Scope =
    project_id === undefined
      ? { teams: [...ctx.caller.teams.keys()] }
      : { teams: [(await findProject(ctx, project_id)).team_id], project_id }
  const states = [wanted.status, filter.status].filter((status) => status !== undefined)
  return and(
    within(ctx, scope),
    ...(states.length ? states : ['Normal' as const]).map((status) => eq(tasks.status, status)),
    ...ownFields(wanted),
    ...dates(ctx, wanted),
    changedSince(ctx, 'updated_since', wanted.updated_since),
    changedSince(ctx, 'filter.updated_since', filter.updated_since),
    await inColumn(ctx, scope, wanted.section),
    await inColumn(ctx, scope, filter.section),
    await labelled(ctx, scope, wanted.labels),
    await labelled(ctx, scope, filter.label),
    await assigned(ctx, scope, wanted.assigned_to),
    await assigned(ctx, scope, filter.assignee),
  )
}

function within(ctx: Context, { teams, project_id }: Scope): SQL | undefined {
  const ofTeams = teams.length === 1 ? eq(tasks.team_id, teams[0]!) : inArray(tasks.team_id, teams)
  if (project_id !== undefined) return and(ofTeams, eq(tasks.project_id, project_id))
  const boards = ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
  return and(ofTeams, inArray(tasks.project_id, boards))
}

function ownFields(wanted: Wanted): (SQL | undefined)[] {
  const { section_id, created_by, parent_task_id, has_due_date, priority } = wanted
  return [
    section_id === undefined ? undefined : eq(tasks.section_id, section_id),
    created_by === undefined ? undefined : eq(tasks.created_by, created_by),
    parent_task_id === undefined
      ? undefined
      : parent_task_id === null
        ? isNull(tasks.parent_task_id)
        : eq(tasks.parent_task_id, parent_task_id),
    has_due_date === undefined
      ? undefined
      : has_due_date
        ? isNotNull(tasks.due_at)
        : isNull(tasks.due_at),
    priority === undefined
      ? undefined
      : inArray(tasks.priority, [priority].flat().map(priorityAsked)),
    matching(wanted, [tasks.title, tasks.description, tasks.ticket_number]),
  ]
}

function dates(ctx: Context, wanted: Wanted): (SQL | undefined)[] {
  const { created_since, due_date_after, due_date_before } = wanted
  return [
    created_since === undefined
      ? undefined
      : gte(tasks.created_at, momentIn(ctx, 'created_since', created_since)),
    due_date_after === undefined
      ? undefined
      : dueBeyond(ctx, gt, dateIn(ctx, 'due_date_after', due_date_after)),
    due_date_before === undefined
      ? undefined
      : dueBeyond(ctx, lt, dateIn(ctx, 'due_date_before', due_date_before)),
  ]
}

/** Days are compared with days, so that a task's own time zone does not push it over the edge. */
function dueBeyond({ caller }: Context, beyond: typeof gt, date: string): SQL | undefined {
  if (!isDay(date)) return beyond(tasks.due_at, new Date(date))
  const zone = caller.time_zone
  const edge =
    beyond === gt ? new Date(startOf(nextDay(date), zone).getTime() - 1) : startOf(date, zone)
  const isDate = eq(sql`length(${tasks.due_date})`, 10)
  return or(and(isDate, beyond(tasks.due_date, date)), and(not(isDate), beyond(tasks.due_at, edge)))
}

const nextDay = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

function changedSince(ctx: Context, field: string, given: unknown): SQL | undefined {
  if (given === undefined) return undefined
  const date = typeof given === 'string' ? readDate(given, ctx.caller.time_zone) : undefined
  if (date !== undefined) return gte(tasks.updated_at, momentIn(ctx, field, date))
  const message = `${field} is not an ISO 8601 date or date-time; it was left out`
  ctx.warn(field, 'invalid_format', message)
  return undefined
}

/** Names are compared here: databases fold the case of ASCII alone. */
async function inColumn({ tx }: Context, { teams, project_id }: Scope, title: string | undefined) {
  if (title === undefined) return undefined
  const known = await tx
    .select({ section_id: sections.section_id, title: sections.title })
    .from(sections)
    .where(
      and(
        inArray(sections.team_id, teams),
        project_id === undefined ? undefined : eq(sections.project_id, project_id),
      ),
    )
  const ids = known.filter((one) => folded(one.title) === folded(title))
  return inArray(
    tasks.section_id,
    ids.map(({ section_id }) => section_id),
  )
}

async function labelled(ctx: Context, { teams, project_id }: Scope, given: Wanted['labels']) {
  if (given === undefined) return undefined
  const known = await ctx.tx
    .select({ label_id: labels.label_id, name: labels.name })
    .from(labels)
    .where(
      and(
        inArray(labels.team_id, teams),
        project_id === undefined ? undefined : eq(labels.project_id, project_id),
      ),
    )
  const refs = new Set([given].flat().map((ref) => folded(String(ref))))
  const ids = known.filter((one) => refs.has(folded(one.name)) || refs.has(String(one.label_id)))
  const holders = ctx.tx
    .select({ task_id: taskLabels.task_id })
    .from(taskLabels)
    .where(
      and(
        inArray(taskLabels.team_id, teams),
        inArray(
          taskLabels.label_id,
          ids.map(({ label_id }) => label_id),
        ),
      ),
    )
  return inArray(tasks.task_id, holders)
}

async function assigned(ctx: Context, { teams, project_id }: Scope, given: Wanted['assigned_to']) {
  if (given === undefined) return undefined
  const hands = and(
    eq(taskAssignees.team_id, tasks.team_id),
    eq(taskAssignees.task_id, tasks.task_id),
  )
  const held = (by?: SQL) =>
    exists(ctx.tx.select({ one: sql`1` }).from(taskAssignees).where(and(hands, by)))
  const word = typeof given === 'string' ? folded(given) : undefined
  if (word === 'none') return not(held())
  const ids =
    word === undefined ? [given as number | number[]].flat() : await named(ctx, teams, word)
  const theirs = inArray(taskAssignees.actor_id, ids)
  // In a team somebody may hold far more tasks than a board has; without a board all are wanted.
  if (project_id !== undefined) return held(theirs)
  const all = ctx.tx
    .select({ task_id: taskAssignees.task_id })
    .from(taskAssignees)
    .where(and(inArray(taskAssignees.team_id, teams), theirs))
  return inArray(tasks.task_id, all)
}

/** Everybody in these teams who is meant by a word. */
async function named({ tx, caller }: Context, teams: number[], word: string): Promise<number[]> {
  if (word === 'me' || word === 'self') return [caller.actor_id]
  if (/^\d{1,9}$/.test(word)) return [Number(word)]
  const inTeams = tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(inArray(members.team_id, teams))
  const ofTeams = tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(inArray(agents.team_id, teams))
  const known = await tx
    .select({ actor_id: actors.actor_id, agent_id: actors.agent_id, name: actors.name })
    .from(actors)
    .where(or(inArray(actors.actor_id, inTeams), inArray(actors.actor_id, ofTeams)))
  return known
    .filter(({ agent_id, name }) => agent_id === word || folded(name) === word)
    .map(({ actor_id }) => actor_id)
}
