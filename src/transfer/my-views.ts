import { and, asc, eq, inArray } from 'drizzle-orm'
import { labels } from '../features/labels/index.ts'
import { myViews } from '../features/my_tasks/index.ts'
import type { Project } from '../features/projects/index.ts'
import { sectionsOf } from '../features/sections/index.ts'
import { tasks } from '../features/tasks/index.ts'
import { members } from '../features/teams/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { type Cast, order } from './names.ts'
import type { RecordOf } from './schema.ts'

type View = typeof myViews.$inferSelect
type Record = RecordOf<'my_view'>
type Filters = NonNullable<Record['filters']>
type Rule = Filters['groups'][number]['rules'][number]
type Value = NonNullable<Rule['value']>
type Named = Exclude<Value, unknown[]>

/** What stands in the file for the numbers that rows have on this server. */
interface Names {
  boards: Map<number, string>
  columns: Map<number, { board: string; section: number }>
  labels: Map<number, { board: string; label: string }>
  tickets: Map<number, string>
  who(actor_id: number): string | undefined
}

/**
 * The ways in which the members of a team look at My Tasks. Who is in several teams has views of
 * other boards too: what is of those is left out, and a view that is of nothing else.
 */
export async function myViewsOf(
  tx: Tx,
  team_id: number,
  boards: readonly Project[],
  cast: Cast,
): Promise<Record[]> {
  const found = await tx
    .select({ view: myViews })
    .from(myViews)
    .innerJoin(members, eq(members.actor_id, myViews.actor_id))
    .where(eq(members.team_id, team_id))
    .orderBy(asc(myViews.created_at), asc(myViews.view_id))
  const rows = found.map(({ view }) => view)
  const names = await namesIn(tx, team_id, boards, { cast, rows })
  const views = rows.flatMap((view) => viewOf(view, names, cast) ?? [])
  return views.sort((a, b) => order(a.owner, b.owner) || order(a.created_at, b.created_at))
}

function viewOf(view: View, names: Names, cast: Cast): Record | undefined {
  const boards = view.project_ids.flatMap((id) => names.boards.get(id) ?? []).sort(order)
  const filters = view.board_filters && filtersOf(view.board_filters as Filters, names)
  if ((!boards.length && view.project_ids.length) || filters === undefined) return undefined
  const { view_id, title, grouping, show_done, match, sorting, default_project_id } = view
  return {
    ...{ view_id, owner: cast.of(view.actor_id), title, grouping, boards },
    hidden_sections: view.hidden_section_ids.flatMap((id) => names.columns.get(id) ?? []),
    ...{ show_done, filters, match, sorting },
    default_board: names.boards.get(default_project_id ?? 0) ?? null,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
  }
}

/** Nothing where a rule is about other teams alone: without it the view would be another one. */
function filtersOf({ groups }: Filters, names: Names): Filters | undefined {
  const kept = groups.map(({ rules, ...group }) => ({
    ...group,
    rules: rules.flatMap((rule) => ruleOf(rule, names) ?? []),
  }))
  const isWhole = kept.every(({ rules }, at) => rules.length === groups[at]!.rules.length)
  return isWhole ? { groups: kept } : undefined
}

function ruleOf({ value, ...rule }: Rule, names: Names): Rule | undefined {
  if (value === undefined || value === null) return value === null ? { ...rule, value } : rule
  const all = [value].flat().flatMap((one) => namedBy(rule.field, one as Named, names) ?? [])
  if (!all.length) return undefined
  return { ...rule, value: Array.isArray(value) ? all : all[0]! }
}

function namedBy(field: string, value: Named, names: Names): Named | undefined {
  const id = numberIn(value)
  if (id === undefined) return value
  // A title may look like a number.
  const plain = typeof value === 'string' ? value : undefined
  if (field === 'section' || field === 'section_id') return names.columns.get(id) ?? plain
  if (field === 'label') return names.labels.get(id) ?? plain
  const who = names.who(id)
  if (field === 'assignee' || field === 'created_by') return who === undefined ? plain : { who }
  const task = names.tickets.get(id)
  if (field === 'parent') return task === undefined ? plain : { task }
  return value
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value))
    ? Number(value)
    : undefined

interface Held {
  cast: Cast
  rows: readonly View[]
}

async function namesIn(
  tx: Tx,
  team_id: number,
  boards: readonly Project[],
  { cast, rows }: Held,
): Promise<Names> {
  const keys = new Map(boards.map(({ project_id, key }) => [project_id, key]))
  const columns: Names['columns'] = new Map()
  for (const board of boards)
    for (const [section, { section_id }] of (await sectionsOf(tx, board)).entries())
      columns.set(section_id, { board: board.key, section })
  const known = await tx.select().from(labels).where(eq(labels.team_id, team_id))
  const known_as = known.map(
    ({ label_id, project_id, name }) =>
      [label_id, { board: keys.get(project_id)!, label: name }] as const,
  )
  const everybody = new Set([...cast.people, ...cast.agents].map(({ actor_id }) => actor_id))
  return {
    boards: keys,
    columns,
    labels: new Map(known_as),
    tickets: await ticketsIn(tx, team_id, rows),
    who: (id) => (everybody.has(id) ? cast.of(id) : undefined),
  }
}

/** Of the tasks whose sub-tasks somebody asks for. */
async function ticketsIn(tx: Tx, team_id: number, rows: readonly View[]) {
  const rules = rows.flatMap(({ board_filters }) =>
    (board_filters?.groups ?? []).flatMap((group) => group.rules),
  )
  const ids = rules
    .filter(({ field }) => field === 'parent')
    .flatMap(({ value }) => [value].flat().flatMap((one) => numberIn(one) ?? []))
  if (!ids.length) return new Map<number, string>()
  const found = await tx
    .select({ task_id: tasks.task_id, ticket_number: tasks.ticket_number })
    .from(tasks)
    .where(and(eq(tasks.team_id, team_id), inArray(tasks.task_id, ids)))
  return new Map(found.map((one) => [one.task_id, one.ticket_number]))
}
