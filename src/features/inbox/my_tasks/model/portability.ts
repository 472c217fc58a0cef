import { Type as t } from '@sinclair/typebox'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import {
  actor,
  Count,
  compare,
  Email,
  type FileCheck,
  from,
  InvalidRecord,
  Key,
  moment,
  type Names,
  newer,
  nullable,
  oneOf,
  plain,
  portableRows,
  type RecordOf,
  ShortText,
  standaloneLines,
  strict,
  type TeamExport,
  type TeamImport,
  Uuid,
  Who,
} from '../../../../store/portability/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import { TICKETS } from '../../../tasks/edits/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { myViews, type View } from './tables.ts'

/** A column, by its position on the board. */
const ColumnName = strict({ board: Key, section: Count })
/** A value of a filter rule; texts, numbers and booleans stand for themselves. */
const FilterValue = t.Union([
  ...[t.String({ maxLength: 500 }), t.Number(), t.Boolean(), ColumnName],
  strict({ board: Key, label: ShortText }),
  strict({ who: Who }),
  strict({ task: t.String({ maxLength: 50, pattern: '^[A-Z0-9]+-[1-9]\\d*$' }) }),
])
const RuleType = strict({
  field: t.String({ minLength: 1, maxLength: 200 }),
  op: t.String({ minLength: 1, maxLength: 50 }),
  value: t.Optional(t.Union([FilterValue, t.Null(), t.Array(FilterValue, { maxItems: 50 })])),
})
const Match = oneOf('ALL', 'ANY')
const Group = strict({ match: t.Optional(Match), rules: t.Array(RuleType, { maxItems: 100 }) })
const Sorting = strict({
  mode: t.String({ minLength: 1, maxLength: 210 }),
  order: oneOf('Ascending', 'Descending'),
})

const rows = portableRows(
  myViews,
  {
    view_id: plain(Uuid),
    owner: from('actor_id', { ...actor, type: Email }),
    title: plain(ShortText),
    grouping: plain(oneOf('due', 'board')),
    involvement: newer(plain(oneOf('assigned', 'created', 'watched')), 'assigned'),
    show_done: plain(t.Boolean()),
    match: plain(Match),
    sorting: plain(nullable(t.Array(Sorting, { maxItems: 100 }))),
    created_at: moment,
    updated_at: moment,
  },
  {
    my_view_id: 'generated',
    project_ids: 'the field boards',
    hidden_section_ids: 'the field hidden_sections',
    board_filters: 'the field filters',
    default_project_id: 'the field default_board',
  },
)

const type = strict({
  ...rows.properties,
  /** Empty for all boards. */
  boards: t.Array(Key, { maxItems: 1000 }),
  hidden_sections: t.Array(ColumnName, { maxItems: 1000 }),
  filters: nullable(strict({ groups: t.Array(Group, { maxItems: 100 }) })),
  default_board: nullable(Key),
})

type ViewRecord = RecordOf<{ type: typeof type }>
type Filters = NonNullable<ViewRecord['filters']>
type Rule = Filters['groups'][number]['rules'][number]
type Value = NonNullable<Rule['value']>
type SingleValue = Exclude<Value, unknown[]>

/**
 * The My Tasks views of the members of a team. A member of several teams may have boards of other
 * teams in a view: the export drops those boards, and views that have no others.
 */
export const myViewLines = standaloneLines({
  kind: 'my_view',
  type,
  rows: [rows],
  check(view, file) {
    file.unique('views', view.view_id)
    file.actor(view.owner)
    for (const key of [...view.boards, view.default_board ?? []].flat()) file.board('a view', key)
    for (const column of view.hidden_sections) checkColumn(column, file)
    for (const { rules } of view.filters?.groups ?? [])
      for (const rule of rules) checkRule(rule, file)
  },
  async *export(team) {
    const { tx, team_id, names } = team
    const joined = await tx
      .select({ view: myViews })
      .from(myViews)
      .innerJoin(members, eq(members.actor_id, myViews.actor_id))
      .where(eq(members.team_id, team_id))
      .orderBy(asc(myViews.created_at), asc(myViews.view_id))
    const found = joined.map(({ view }) => view)
    const tickets = await parentTickets(tx, team_id, found)
    const records = found.flatMap((view) => recordOf(view, team, { ...names, tickets }) ?? [])
    yield* records.sort((a, b) => compare(a.owner, b.owner) || compare(a.created_at, b.created_at))
  },
  stage: async (record) => record,
  async publish(staged, team, tx) {
    for (const record of staged) await insertView(tx, team, record)
    return []
  },
})

function checkRule({ value }: Rule, file: FileCheck): void {
  for (const item of [value].flat()) {
    if (typeof item !== 'object' || item === null) continue
    if ('who' in item) file.actor(item.who)
    else if ('task' in item) file.refer(TICKETS, item.task)
    else if ('section' in item) checkColumn(item, file)
    else if (!file.board('a view', item.board).labels.has(item.label.toLowerCase()))
      throw new InvalidRecord(
        `a view has the label ${item.label}, which ${item.board} does not have`,
      )
  }
}

function checkColumn({ board, section }: { board: string; section: number }, file: FileCheck) {
  if (section >= file.board('a view', board).sections)
    throw new InvalidRecord(`a view has column ${section}, which ${board} does not have`)
}

interface ViewNames extends Names {
  /** Of the tasks that `parent` rules refer to. */
  tickets: Map<number, string>
}

function recordOf(view: View, team: TeamExport, names: ViewNames): ViewRecord | undefined {
  const keys = new Map(team.boards.map(({ project_id, key }) => [project_id, key]))
  const boards = view.project_ids.flatMap((id) => keys.get(id) ?? []).sort(compare)
  const filters = view.board_filters && filtersOf(view.board_filters as Filters, names)
  if ((!boards.length && view.project_ids.length) || filters === undefined) return undefined
  const { created_at, updated_at, show_done, match, sorting, ...own } = rows.write(view, names)
  return {
    ...{ ...own, boards },
    hidden_sections: view.hidden_section_ids.flatMap((id) => names.columns.get(id) ?? []),
    ...{ show_done, filters, match, sorting },
    default_board: keys.get(view.default_project_id ?? 0) ?? null,
    ...{ created_at, updated_at },
  }
}

/** Undefined if a rule refers only to other teams: dropping the rule would change the view. */
function filtersOf({ groups }: Filters, names: ViewNames): Filters | undefined {
  const portable = groups.map(({ rules, ...group }) => ({
    ...group,
    rules: rules.flatMap((rule) => ruleOf(rule, names) ?? []),
  }))
  const isComplete = portable.every(
    ({ rules }, index) => rules.length === groups[index]!.rules.length,
  )
  return isComplete ? { groups: portable } : undefined
}

function ruleOf({ value, ...rule }: Rule, names: ViewNames): Rule | undefined {
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
  names: ViewNames,
): SingleValue | undefined {
  const id = idIn(value)
  if (id === undefined) return value
  // A title may look like a number.
  const fallback = typeof value === 'string' ? value : undefined
  if (field === 'section' || field === 'section_id') return names.columns.get(id) ?? fallback
  if (field === 'label') return names.labels.get(id) ?? fallback
  if (field === 'assignee' || field === 'created_by') {
    const owner = names.nameOf(id) as string | undefined
    return owner === undefined ? fallback : { who: owner }
  }
  const ticket = names.tickets.get(id)
  if (field === 'parent') return ticket === undefined ? fallback : { task: ticket }
  return value
}

const idIn = (value: unknown): number | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value))
    ? Number(value)
    : undefined

/** Tickets of the tasks that `parent` rules refer to. */
async function parentTickets(tx: Tx, team_id: number, found: readonly View[]) {
  const rules = found.flatMap(({ board_filters }) =>
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

/** Inserts a view, unless its owner already has one of that title here. */
async function insertView(tx: Tx, team: TeamImport, view: ViewRecord): Promise<void> {
  const row = rows.read(view, team.ids)
  const same = and(eq(myViews.actor_id, row.actor_id), eq(myViews.title, row.title))
  if ((await tx.select().from(myViews).where(same)).length) return
  const [existing] = await tx.select().from(myViews).where(eq(myViews.view_id, row.view_id))
  const { boards, hidden_sections, filters, default_board } = view
  const boardOf = (key: string) => team.boards.get(key)!
  await tx.insert(myViews).values({
    ...row,
    view_id: existing ? Bun.randomUUIDv7() : row.view_id,
    project_ids: boards.map((key) => boardOf(key).project_id),
    hidden_section_ids: hidden_sections.map((one) => boardOf(one.board).section_ids[one.section]!),
    board_filters: filters && localFilters(filters, team),
    default_project_id: default_board === null ? null : boardOf(default_board).project_id,
  })
}

type StoredFilters = NonNullable<(typeof myViews.$inferInsert)['board_filters']>

const localFilters = ({ groups }: Filters, team: TeamImport) =>
  ({
    groups: groups.map(({ rules, ...group }) => ({
      ...group,
      rules: rules.map((rule) => localRule(rule, team)),
    })),
  }) as StoredFilters

function localRule({ value, ...rule }: Rule, team: TeamImport) {
  if (value === undefined || value === null) return value === null ? { ...rule, value } : rule
  const toLocal = (item: SingleValue) => localValue(item, team)
  return { ...rule, value: Array.isArray(value) ? value.map(toLocal) : toLocal(value) }
}

function localValue(value: SingleValue, { ids, boards, taskOf }: TeamImport) {
  if (typeof value !== 'object') return value
  if ('who' in value) return ids.actorOf(value.who)
  if ('task' in value) return taskOf(value.task)!
  const board = boards.get(value.board)!
  return 'label' in value ? board.ids.labelOf(value.label) : board.section_ids[value.section]!
}
