import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { customFields } from '../../features/custom_fields/index.ts'
import { labels } from '../../features/labels/index.ts'
import type { Project } from '../../features/projects/index.ts'
import { sectionsOf } from '../../features/sections/index.ts'
import {
  formerTickets,
  relations,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
} from '../../features/tasks/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { Line } from '../lines.ts'
import { compare, type Participants } from '../participants.ts'
import type { RecordOf } from '../schema.ts'
import { loadChildren } from './children.ts'
import { loadPages } from './pages.ts'
import { loadTimeEntries } from './planning.ts'

const ROWS = 200

type Row = typeof tasks.$inferSelect
const toIsoOrNull = (date: Date | null) => date?.toISOString() ?? null

/** The tasks of a board in the order of their numbers, each followed by its children. */
export async function* tasksOf(
  tx: Tx,
  board: Project,
  participants: Participants,
  now: Date,
): AsyncGenerator<Line> {
  const { team_id, project_id } = board
  const sectionIndexes = new Map(
    (await sectionsOf(tx, board)).map((section, index) => [section.section_id, index]),
  )
  let after = 0
  for (;;) {
    const rows = await tx
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
      .limit(ROWS)
    const related = await loadRelated(tx, team_id, rows)
    const childrenOf = await loadChildren(tx, team_id, rows, participants)
    const pagesOf = await loadPages(tx, team_id, rows, participants)
    const timeEntriesOf = await loadTimeEntries(tx, team_id, rows, { participants, now })
    for (const row of rows) {
      yield {
        task: taskOf(row, board.key, sectionIndexes.get(row.section_id)!, related, participants),
      }
      yield* childrenOf(row)
      yield* pagesOf(row)
      yield* timeEntriesOf(row)
    }
    if (rows.length < ROWS) return
    after = rows.at(-1)!.unique_index
  }
}

const fieldColumns = {
  task_id: taskFields.task_id,
  number: taskFields.number,
  text: taskFields.text,
}

type Related = Awaited<ReturnType<typeof loadRelated>>

function taskOf(
  row: Row,
  board: string,
  section: number,
  related: Related,
  participants: Participants,
): RecordOf<'task'> {
  const { task_id, team_id: _, project_id: __, section_id: ___, parent_task_id, ...own } = row
  const { comment_count: _1, last_comment_at: _2, attachment_count: _3, ...withoutCounts } = own
  const { leased_by: _4, page_count: _5, ...withoutLease } = withoutCounts
  const { ticket_number, created_at, updated_at, ...rest } = withoutLease
  const sorted = (names: string[] | undefined) => (names ?? []).sort(compare)
  return {
    ...{ ticket_number, board, section },
    ...rest,
    start_date: toIsoOrNull(rest.start_date),
    due_at: toIsoOrNull(rest.due_at),
    snoozed_until: toIsoOrNull(rest.snoozed_until),
    parent: parent_task_id === null ? null : (related.tickets.get(parent_task_id) ?? null),
    created_by: participants.nameOf(rest.created_by),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    completed_at: toIsoOrNull(rest.completed_at),
    section_changed_at: toIsoOrNull(rest.section_changed_at),
    labels: sorted(related.labels.get(task_id)?.map(({ name }) => name)),
    assignees: sorted(
      related.assignees.get(task_id)?.map(({ actor_id }) => participants.nameOf(actor_id)),
    ),
    former_tickets: sorted(related.former.get(task_id)?.map((former) => former.ticket_number)),
    fields: (related.fields.get(task_id) ?? [])
      .map(({ name, number, text }) => ({ name, number, text }))
      .sort((a, b) => compare(a.name, b.name)),
  }
}

/** Loads labels, assignees, former tickets and custom fields of tasks, one query each. */
async function loadRelated(tx: Tx, team_id: number, rows: readonly Row[]) {
  const ids = rows.map(({ task_id }) => task_id)
  const parents = rows.flatMap(({ parent_task_id }) => parent_task_id ?? [])
  const labelRows = await tx
    .select({ task_id: taskLabels.task_id, name: labels.name })
    .from(taskLabels)
    .innerJoin(labels, eq(labels.label_id, taskLabels.label_id))
    .where(and(eq(taskLabels.team_id, team_id), inArray(taskLabels.task_id, ids)))
  const assigneeRows = await tx
    .select()
    .from(taskAssignees)
    .where(and(eq(taskAssignees.team_id, team_id), inArray(taskAssignees.task_id, ids)))
  const formerRows = await tx
    .select()
    .from(formerTickets)
    .where(inArray(formerTickets.task_id, ids))
  const fieldRows = await tx
    .select({ ...fieldColumns, name: customFields.name })
    .from(taskFields)
    .innerJoin(customFields, eq(customFields.custom_field_id, taskFields.custom_field_id))
    .where(and(eq(taskFields.team_id, team_id), inArray(taskFields.task_id, ids)))
  const byTask = <R extends { task_id: number }>(rows: R[]) =>
    Map.groupBy(rows, ({ task_id }) => task_id)
  return {
    tickets: await ticketsOf(tx, parents),
    labels: byTask(labelRows),
    assignees: byTask(assigneeRows),
    former: byTask(formerRows),
    fields: byTask(fieldRows),
  }
}

/** The relations between tasks of a team, across its boards. */
export async function* relationsOf(
  tx: Tx,
  team_id: number,
  participants: Participants,
): AsyncGenerator<Line> {
  let after = 0
  const lines: RecordOf<'relation'>[] = []
  for (;;) {
    const rows = await tx
      .select()
      .from(relations)
      .where(and(eq(relations.team_id, team_id), gt(relations.relation_id, after)))
      .orderBy(asc(relations.relation_id))
      .limit(ROWS)
    const tickets = await ticketsOf(
      tx,
      rows.flatMap(({ first_id, second_id }) => [first_id, second_id]),
    )
    for (const { kind, first_id, second_id, created_by, created_at } of rows)
      lines.push({
        kind,
        first: tickets.get(first_id)!,
        second: tickets.get(second_id)!,
        created_by: participants.nameOf(created_by),
        created_at: created_at.toISOString(),
      })
    if (rows.length < ROWS) break
    after = rows.at(-1)!.relation_id
  }
  for (const relation of lines.map(normalizeRelation).sort(compareRelations)) yield { relation }
}

/**
 * Orders the two tasks of a `related` relation by ticket. In the database they are ordered by task
 * id, which differs between servers.
 */
const normalizeRelation = (relation: RecordOf<'relation'>) =>
  relation.kind === 'related' && relation.first > relation.second
    ? { ...relation, first: relation.second, second: relation.first }
    : relation

const compareRelations = (a: RecordOf<'relation'>, b: RecordOf<'relation'>) =>
  compare(a.first, b.first) || compare(a.second, b.second) || compare(a.kind, b.kind)

async function ticketsOf(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  const rows = await tx
    .select({ task_id: tasks.task_id, ticket_number: tasks.ticket_number })
    .from(tasks)
    .where(inArray(tasks.task_id, ids))
  return new Map(rows.map(({ task_id, ticket_number }) => [task_id, ticket_number]))
}
