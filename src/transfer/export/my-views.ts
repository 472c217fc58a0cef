import { and, asc, eq, inArray } from 'drizzle-orm'
import { labels } from '../../features/labels/index.ts'
import { myViews } from '../../features/my_tasks/index.ts'
import type { Project } from '../../features/projects/index.ts'
import { sectionsOf } from '../../features/sections/index.ts'
import { tasks } from '../../features/tasks/index.ts'
import { members } from '../../features/teams/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { compare, type Participants } from '../participants.ts'
import type { RecordOf } from '../schema.ts'

type View = typeof myViews.$inferSelect
type Record = RecordOf<'my_view'>
type Filters = NonNullable<Record['filters']>
type Rule = Filters['groups'][number]['rules'][number]
type Value = NonNullable<Rule['value']>
type SingleValue = Exclude<Value, unknown[]>

/** Maps ids of this server to the names that the file uses. */
interface PortableNames {
  boards: Map<number, string>
  columns: Map<number, { board: string; section: number }>
  labels: Map<number, { board: string; label: string }>
  tickets: Map<number, string>
  nameOf(actor_id: number): string | undefined
}

/**
 * The My Tasks views of the members of a team. A member of several teams may have boards of other
 * teams in a view: the export drops those boards, and views that have no others.
 */
export async function myViewsOf(
  tx: Tx,
  team_id: number,
  boards: readonly Project[],
  participants: Participants,
): Promise<Record[]> {
  const joined = await tx
    .select({ view: myViews })
    .from(myViews)
    .innerJoin(members, eq(members.actor_id, myViews.actor_id))
    .where(eq(members.team_id, team_id))
    .orderBy(asc(myViews.created_at), asc(myViews.view_id))
  const rows = joined.map(({ view }) => view)
  const names = await namesFor(tx, team_id, boards, { participants, rows })
  const views = rows.flatMap((view) => viewOf(view, names, participants) ?? [])
  return views.sort((a, b) => compare(a.owner, b.owner) || compare(a.created_at, b.created_at))
}

function viewOf(view: View, names: PortableNames, participants: Participants): Record | undefined {
  const boards = view.project_ids.flatMap((id) => names.boards.get(id) ?? []).sort(compare)
  const filters = view.board_filters && filtersOf(view.board_filters as Filters, names)
  if ((!boards.length && view.project_ids.length) || filters === undefined) return undefined
  const { view_id, title, grouping, show_done, match, sorting, default_project_id } = view
  return {
    ...{ view_id, owner: participants.nameOf(view.actor_id), title, grouping, boards },
    hidden_sections: view.hidden_section_ids.flatMap((id) => names.columns.get(id) ?? []),
    ...{ show_done, filters, match, sorting },
    default_board: names.boards.get(default_project_id ?? 0) ?? null,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
  }
}

/** Undefined if a rule refers only to other teams: dropping the rule would change the view. */
function filtersOf({ groups }: Filters, names: PortableNames): Filters | undefined {
  const portable = groups.map(({ rules, ...group }) => ({
    ...group,
    rules: rules.flatMap((rule) => ruleOf(rule, names) ?? []),
  }))
  const isComplete = portable.every(
    ({ rules }, index) => rules.length === groups[index]!.rules.length,
  )
  return isComplete ? { groups: portable } : undefined
}

function ruleOf({ value, ...rule }: Rule, names: PortableNames): Rule | undefined {
  if (value === undefined || value === null) return value === null ? { ...rule, value } : rule
  const values = [value]
    .flat()
    .flatMap((item) => portableValue(rule.field, item as SingleValue, names) ?? [])
  if (!values.length) return undefined
  return { ...rule, value: Array.isArray(value) ? values : values[0]! }
}

function portableValue(
  field: string,
  value: SingleValue,
  names: PortableNames,
): SingleValue | undefined {
  const id = idIn(value)
  if (id === undefined) return value
  // A title may look like a number.
  const fallback = typeof value === 'string' ? value : undefined
  if (field === 'section' || field === 'section_id') return names.columns.get(id) ?? fallback
  if (field === 'label') return names.labels.get(id) ?? fallback
  const name = names.nameOf(id)
  if (field === 'assignee' || field === 'created_by')
    return name === undefined ? fallback : { who: name }
  const ticket = names.tickets.get(id)
  if (field === 'parent') return ticket === undefined ? fallback : { task: ticket }
  return value
}

const idIn = (value: unknown): number | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value))
    ? Number(value)
    : undefined

interface Sources {
  participants: Participants
  rows: readonly View[]
}

async function namesFor(
  tx: Tx,
  team_id: number,
  boards: readonly Project[],
  { participants, rows }: Sources,
): Promise<PortableNames> {
  const keys = new Map(boards.map(({ project_id, key }) => [project_id, key]))
  const columns: PortableNames['columns'] = new Map()
  for (const board of boards)
    for (const [section, { section_id }] of (await sectionsOf(tx, board)).entries())
      columns.set(section_id, { board: board.key, section })
  const labelRows = await tx.select().from(labels).where(eq(labels.team_id, team_id))
  const labelEntries = labelRows.map(
    ({ label_id, project_id, name }) =>
      [label_id, { board: keys.get(project_id)!, label: name }] as const,
  )
  const actor_ids = new Set(
    [...participants.people, ...participants.agents].map(({ actor_id }) => actor_id),
  )
  return {
    boards: keys,
    columns,
    labels: new Map(labelEntries),
    tickets: await parentTickets(tx, team_id, rows),
    nameOf: (id) => (actor_ids.has(id) ? participants.nameOf(id) : undefined),
  }
}

/** Tickets of the tasks that `parent` rules refer to. */
async function parentTickets(tx: Tx, team_id: number, rows: readonly View[]) {
  const rules = rows.flatMap(({ board_filters }) =>
    (board_filters?.groups ?? []).flatMap((group) => group.rules),
  )
  const ids = rules
    .filter(({ field }) => field === 'parent')
    .flatMap(({ value }) => [value].flat().flatMap((item) => idIn(item) ?? []))
  if (!ids.length) return new Map<number, string>()
  const taskRows = await tx
    .select({ task_id: tasks.task_id, ticket_number: tasks.ticket_number })
    .from(tasks)
    .where(and(eq(tasks.team_id, team_id), inArray(tasks.task_id, ids)))
  return new Map(taskRows.map((task) => [task.task_id, task.ticket_number]))
}
