import { Type as t } from '@sinclair/typebox'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { indexTexts } from '../../../../store/fulltext.ts'
import {
  actor,
  type CheckedBoard,
  Count,
  cleanField,
  compare,
  type ExportedBoard,
  type FileCheck,
  format,
  from,
  type ImportedBoard,
  type ImportedTask,
  InvalidRecord,
  isCyclic,
  Key,
  type LineKind,
  moment,
  newer,
  nullable,
  oneOf,
  orNull,
  Positive,
  plain,
  portableRows,
  Rank,
  type RecordOf,
  ShortText,
  standaloneLines,
  strict,
  type TeamExport,
  type TeamImport,
  Text,
  Ticket,
  Who,
} from '../../../../store/portability/index.ts'
import { customFields, taskFields } from '../../../boards/custom_fields/model/index.ts'
import { taskLabels } from '../../../boards/labels/model/index.ts'
import { foldName } from '../../../boards/projects/model/index.ts'
import { recordImportedMoves } from '../../../reports/flow/model/index.ts'
import { indexTextOf } from '../../../search/text_index/model/index.ts'
import { parseRecurrence } from '../../../time/repeats/model/index.ts'
import { taskAssignees } from '../../assignees/model/index.ts'
import { transferFields } from '../../fields/model/index.ts'
import { relations } from '../../relations/model/index.ts'
import { isOpen } from '../../states/model/index.ts'
import { formerTickets, rebuildCounts, tasks } from '../../tasks/model/index.ts'

const ROWS_PER_QUERY = 200
const COUNTED = 'counted again from the lines that follow the task'
const PLACE_OF_TASK = { status: 'the field status' }
/** What `FileCheck` calls ticket keys, of which each names one task. */
export const TICKETS = 'tasks known as'

const rows = portableRows(
  tasks,
  {
    ticket_number: plain(Ticket),
    unique_index: plain(Positive),
    title: plain(ShortText),
    description: plain(nullable(Text)),
    content_type: format,
    description_version: plain(Count),
    ...transferFields,
    due_date: plain(
      nullable(t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(T.{5,20}Z)?$', maxLength: 40 })),
    ),
    due_at: orNull(moment),
    // Files from before recurring tasks lack the following fields.
    repeats_from: newer(plain(nullable(t.String({ maxLength: 100 }))), null),
    starts_from: newer(plain(nullable(t.String({ maxLength: 100 }))), null),
    snoozed_until: newer(orNull(moment), null),
    reminded: newer(plain(t.Union([t.Literal(0), t.Literal(1), t.Literal(2)])), 0),
    status: plain(oneOf('Normal', 'Archive', 'Deleted')),
    rank: plain(Rank),
    created_by: actor,
    completed_at: orNull(moment),
    section_changed_at: orNull(moment),
    pr_badge: plain(nullable(oneOf('red', 'pending', 'green', 'merged'))),
    created_at: moment,
    updated_at: moment,
  },
  {
    section_id: 'the field section',
    parent_task_id: 'the field parent',
    ...{ comment_count: COUNTED, last_comment_at: COUNTED },
    ...{ attachment_count: COUNTED, page_count: COUNTED },
    assigned: 'the field assignees',
    leased_by: 'leases end with the server that they were taken on',
  },
)
const labelRows = portableRows(
  taskLabels,
  {},
  { label_id: 'an item of the field labels', ...PLACE_OF_TASK },
)
const assigneeRows = portableRows(
  taskAssignees,
  { who: from('actor_id', actor) },
  { open: 'the fields status and completed_at', ...PLACE_OF_TASK },
)
const formerRows = portableRows(
  formerTickets,
  {},
  { ticket_number: 'an item of the field former_tickets' },
)
const fieldRows = portableRows(
  taskFields,
  { number: plain(nullable(t.Number())), text: plain(nullable(Text)) },
  { custom_field_id: 'the name of the field' },
)

const type = strict({
  ...rows.properties,
  board: Key,
  /** The position of its column on the board, from 0. */
  section: Count,
  /** The ticket key of the parent task. */
  parent: nullable(Ticket),
  labels: t.Array(ShortText, { maxItems: 10_000 }),
  assignees: t.Array(Who, { maxItems: 10_000 }),
  former_tickets: t.Array(Ticket, { maxItems: 10_000 }),
  fields: t.Array(strict({ name: ShortText, ...fieldRows.properties }), { maxItems: 10_000 }),
})
type TaskRecord = RecordOf<{ type: typeof type }>
type TaskRow = typeof tasks.$inferSelect

/** Tasks, each followed by its children. */
export const taskLines: LineKind<'task', (typeof type)['properties']> = {
  kind: 'task',
  type,
  rows: [rows, labelRows, assigneeRows, formerRows, fieldRows] as never,
  clean: (record, clean) => cleanField(record, 'description', clean),
  check(record, file) {
    const { ticket_number: ticket, unique_index, parent, assignees, recurrence } = record
    const board = checkPlace(record, file)
    for (const key of [ticket, ...record.former_tickets]) file.unique(TICKETS, key)
    file.unique('tasks with the number', `${record.board} ${unique_index}`)
    if (unique_index >= board.next)
      throw new InvalidRecord(`${ticket} has a number that its board has not assigned yet`)
    if (new Set([...record.labels, ...assignees]).size < record.labels.length + assignees.length)
      throw new InvalidRecord(`${ticket} has a label or person twice`)
    if (recurrence) parseRecurrence(recurrence)
    file.actor(...rows.actorsIn(record), ...assignees)
    if (parent === null) return
    file.memory('task', newParents).set(ticket, parent)
    file.refer(TICKETS, parent)
  },
  checkFile(file) {
    const parents = file.memory('task', newParents)
    for (const ticket of parents.keys())
      if (isCyclic(parents, ticket)) throw new InvalidRecord(`${ticket} is its own subtask`)
  },
}
const newParents = () => new Map<string, string>()

/** Checks that the board of a task has its column, labels and fields. */
function checkPlace(record: TaskRecord, file: FileCheck): CheckedBoard {
  const { ticket_number: ticket, labels, fields } = record
  const board = file.boards.get(record.board)
  if (!board)
    throw new InvalidRecord(`${ticket} is on the board ${record.board}, which does not exist`)
  if (record.section >= board.sections)
    throw new InvalidRecord(
      `${ticket} is in column ${record.section}, which its board does not have`,
    )
  const label = labels.find((name) => !board.labels.has(name.toLowerCase()))
  if (label)
    throw new InvalidRecord(`${ticket} has the label ${label}, which its board does not have`)
  const field = fields.find(({ name }) => !board.fields.has(foldName(name)))
  if (field)
    throw new InvalidRecord(`${ticket} has the field ${field.name}, which its board does not have`)
  return board
}

/** The tasks of a board in the order of their numbers, in batches. */
export async function* exportTasks(
  team: TeamExport,
  { project_id, key }: ExportedBoard,
): AsyncGenerator<{ task_id: number; record: TaskRecord }[]> {
  const { tx, team_id, names } = team
  for (let after = 0; ; ) {
    const found = await tx
      .select()
      .from(tasks)
      .where(
        and(
          eq(tasks.team_id, team_id),
          eq(tasks.project_id, project_id),
          gt(tasks.unique_index, after),
        ),
      )
      .orderBy(asc(tasks.unique_index))
      .limit(ROWS_PER_QUERY)
    const related = await loadRelated(team, found)
    yield found.map((row) => {
      const { ticket_number, created_at, updated_at, ...own } = rows.write(row, names)
      const { section } = names.columns.get(row.section_id)!
      const place = { ticket_number, board: key, section }
      return {
        task_id: row.task_id,
        record: { ...place, ...own, ...related(row, { created_at, updated_at }) },
      }
    })
    if (found.length < ROWS_PER_QUERY) return
    after = found.at(-1)!.unique_index
  }
}

/** Loads parents, labels, assignees, former tickets and custom fields of tasks, one query each. */
async function loadRelated({ tx, team_id, names }: TeamExport, found: readonly TaskRow[]) {
  const ids = found.map(({ task_id }) => task_id)
  const tickets = await ticketsOf(
    tx,
    found.flatMap(({ parent_task_id }) => parent_task_id ?? []),
  )
  const ofTeam = (table: typeof taskLabels | typeof taskAssignees | typeof taskFields) =>
    and(eq(table.team_id, team_id), inArray(table.task_id, ids))
  const labels = byTask(await tx.select().from(taskLabels).where(ofTeam(taskLabels)))
  const assignees = byTask(await tx.select().from(taskAssignees).where(ofTeam(taskAssignees)))
  const former = byTask(
    await tx.select().from(formerTickets).where(inArray(formerTickets.task_id, ids)),
  )
  const { number, text } = taskFields
  const fields = byTask(
    await tx
      .select({ task_id: taskFields.task_id, name: customFields.name, number, text })
      .from(taskFields)
      .innerJoin(customFields, eq(customFields.custom_field_id, taskFields.custom_field_id))
      .where(ofTeam(taskFields)),
  )
  return (
    { task_id, parent_task_id }: TaskRow,
    times: Pick<TaskRecord, 'created_at' | 'updated_at'>,
  ) => ({
    parent: parent_task_id === null ? null : (tickets.get(parent_task_id) ?? null),
    ...times,
    labels: labels(task_id)
      .map(({ label_id }) => names.labels.get(label_id)!.label)
      .sort(compare),
    assignees: assignees(task_id)
      .map(({ actor_id }) => names.nameOf(actor_id))
      .sort(compare),
    former_tickets: former(task_id)
      .map(({ ticket_number }) => ticket_number)
      .sort(compare),
    fields: fields(task_id)
      .map(({ name, ...value }) => ({ name, ...fieldRows.write(value, names) }))
      .sort((a, b) => compare(a.name, b.name)),
  })
}

function byTask<R extends { task_id: number }>(found: R[]) {
  const groups = Map.groupBy(found, ({ task_id }) => task_id)
  return (task_id: number) => groups.get(task_id) ?? []
}

async function ticketsOf(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  const found = await tx
    .select({ task_id: tasks.task_id, ticket_number: tasks.ticket_number })
    .from(tasks)
    .where(inArray(tasks.task_id, ids))
  return new Map(found.map(({ task_id, ticket_number }) => [task_id, ticket_number]))
}

/** The row of an imported task, and its text for the index. `derived` counts its children. */
export function draftTask(record: TaskRecord, team: TeamImport, derived: object) {
  const { team_id, project_id, section_ids, ids } = team.boards.get(record.board)!
  const { due_at, parent } = record
  // Older files lack `reminded`: tasks that were due before the import get no reminder.
  const isOld = due_at !== null && new Date(due_at) < team.now
  const row = {
    ...{ team_id, project_id, ...rows.read(record, ids) },
    section_id: section_ids[record.section]!,
    parent_task_id: parent === null ? null : (team.taskOf(parent) ?? null),
    reminded: record.reminded ?? (isOld ? (2 as const) : (0 as const)),
    assigned: record.assignees.length > 0,
    ...derived,
  }
  return { row, text: indexTextOf({ ...row, task_id: 0 }) }
}
export type TaskDraft = ReturnType<typeof draftTask>

/** Inserts tasks with their texts, so that the index never lacks one. Returns ids by ticket. */
export async function insertTasks(
  drafts: readonly TaskDraft[],
  { inserter }: TeamImport,
): Promise<Map<string, number>> {
  const inserted = await inserter.insert(
    tasks,
    drafts.map(({ row }) => row),
    ['task_id', 'ticket_number'],
  )
  // Not every engine returns the rows in the order of the insert.
  const ids = new Map(inserted.map(({ task_id, ticket_number }) => [ticket_number, task_id]))
  const texts = drafts.map(({ row, text }) => ({ ...text, id: ids.get(row.ticket_number)! }))
  await indexTexts(inserter.tx, texts)
  return ids
}

export async function setParent({ inserter }: TeamImport, task_id: number, parent_task_id: number) {
  await inserter.beforeStatement()
  await inserter.tx.update(tasks).set({ parent_task_id }).where(eq(tasks.task_id, task_id))
}

/** Inserts labels, assignees, former tickets and custom fields of tasks. */
export async function insertTaskLists(
  imported: readonly (Pick<ImportedTask, 'place'> & { record: TaskRecord })[],
  { inserter, boards, ids }: TeamImport,
): Promise<void> {
  const rowsFor = <R>(list: (record: TaskRecord, board: ImportedBoard) => R[]) =>
    imported.flatMap(({ place, record }) =>
      list(record, boards.get(record.board)!).map((row) => ({ ...place, ...row })),
    )
  await inserter.insert(
    taskLabels,
    rowsFor(({ labels, status }, { ids, project_id }) =>
      labels.map((name) => ({ label_id: ids.labelOf(name), project_id, status })),
    ),
  )
  await inserter.insert(
    taskAssignees,
    rowsFor(({ assignees, status, completed_at }, { project_id }) => {
      const open = isOpen({ status, completed_at })
      return assignees.map((who) => ({
        ...{ open, project_id, status },
        ...assigneeRows.read({ who }, ids),
      }))
    }),
  )
  await inserter.insert(
    formerTickets,
    rowsFor(({ former_tickets }) => former_tickets.map((ticket_number) => ({ ticket_number }))),
  )
  await inserter.insert(
    taskFields,
    rowsFor(({ fields }, { field_ids }) =>
      fields.map((field) => ({
        ...fieldRows.read(field, ids),
        custom_field_id: field_ids.get(foldName(field.name))!,
      })),
    ),
  )
}

/** Counts the tasks of the boards, and records where the tasks with these ids are. */
export async function completeTasks(team: TeamImport, range: { first: number; last: number }) {
  const { inserter, team_id, boards } = team
  for (const board of boards.values()) {
    await team.commit()
    await rebuildCounts(inserter.tx, board, inserter.beforeStatement)
  }
  await recordImportedMoves(inserter, { team_id, ...range })
}

const relationRows = portableRows(
  relations,
  { kind: plain(oneOf('blocks', 'related')), created_by: actor, created_at: moment },
  { relation_id: 'generated', first_id: 'the field first', second_id: 'the field second' },
)
const relationType = strict({ ...relationRows.properties, first: Ticket, second: Ticket })
type Relation = RecordOf<{ type: typeof relationType }>

/** The relations between the tasks of a team, across its boards. */
export const relationLines = standaloneLines({
  kind: 'relation',
  type: relationType,
  rows: [relationRows],
  check(record, file) {
    const { kind, first, second } = record
    for (const ticket of [first, second]) file.refer(TICKETS, ticket)
    if (first === second) throw new InvalidRecord(`${first} is related to itself`)
    const tickets = kind === 'related' ? [first, second].sort() : [first, second]
    file.unique('ties', `${tickets.join(' ')} ${kind}`)
    file.actor(...relationRows.actorsIn(record))
  },
  async *export({ tx, team_id, names }) {
    const records: Relation[] = []
    for (let after = 0; ; ) {
      const found = await tx
        .select()
        .from(relations)
        .where(and(eq(relations.team_id, team_id), gt(relations.relation_id, after)))
        .orderBy(asc(relations.relation_id))
        .limit(ROWS_PER_QUERY)
      const ids = found.flatMap(({ first_id, second_id }) => [first_id, second_id])
      const tickets = await ticketsOf(tx, ids)
      for (const row of found) {
        const { kind, ...own } = relationRows.write(row, names)
        const ends = { first: tickets.get(row.first_id)!, second: tickets.get(row.second_id)! }
        records.push(normalizeRelation({ kind, ...ends, ...own }))
      }
      if (found.length < ROWS_PER_QUERY) break
      after = found.at(-1)!.relation_id
    }
    yield* records.sort(compareRelations)
  },
  stage: async (record) => record,
  /** A row of kind `related` has the lower task id first, and ids differ between servers. */
  async complete(staged, { inserter, team_id, ids, taskOf }) {
    const newRows = staged.map((record) => {
      const task_ids = [taskOf(record.first)!, taskOf(record.second)!]
      if (record.kind === 'related') task_ids.sort((a, b) => a - b)
      const [first_id, second_id] = task_ids as [number, number]
      return { team_id, ...relationRows.read(record, ids), first_id, second_id }
    })
    await inserter.insert(relations, newRows)
  },
})

/**
 * Orders the two tasks of a `related` relation by ticket. In the database they are ordered by task
 * id, which differs between servers.
 */
const normalizeRelation = (relation: Relation): Relation =>
  relation.kind === 'related' && relation.first > relation.second
    ? { ...relation, first: relation.second, second: relation.first }
    : relation

const compareRelations = (a: Relation, b: Relation) =>
  compare(a.first, b.first) || compare(a.second, b.second) || compare(a.kind, b.kind)
