import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { customFields } from '../features/custom_fields/index.ts'
import { labels } from '../features/labels/index.ts'
import type { Project } from '../features/projects/index.ts'
import { sectionsOf } from '../features/sections/index.ts'
import {
  formerTickets,
  relations,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
} from '../features/tasks/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { Line } from './lines.ts'
import { type Cast, order } from './names.ts'
import { pagesOn } from './pages.ts'
import { piecesOf } from './pieces.ts'
import { timeOn } from './plans.ts'
import type { RecordOf } from './schema.ts'

const ROWS = 200

type Row = typeof tasks.$inferSelect
const iso = (date: Date | null) => date?.toISOString() ?? null

/** The tasks of a board in the order of their numbers, each with the texts it had. */
export async function* tasksOf(
  tx: Tx,
  board: Project,
  cast: Cast,
  now: Date,
): AsyncGenerator<Line> {
  const { team_id, project_id } = board
  const places = new Map((await sectionsOf(tx, board)).map((one, at) => [one.section_id, at]))
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
    const near = await around(tx, team_id, rows)
    const pieces = await piecesOf(tx, team_id, rows, cast)
    const pages = await pagesOn(tx, team_id, rows, cast)
    const time = await timeOn(tx, team_id, rows, { cast, now })
    for (const row of rows) {
      yield { task: taskOf(row, board.key, places.get(row.section_id)!, near, cast) }
      yield* pieces(row)
      yield* pages(row)
      yield* time(row)
    }
    if (rows.length < ROWS) return
    after = rows.at(-1)!.unique_index
  }
}

const heldIn = { task_id: taskFields.task_id, number: taskFields.number, text: taskFields.text }

type Near = Awaited<ReturnType<typeof around>>

function taskOf(
  row: Row,
  board: string,
  section: number,
  near: Near,
  cast: Cast,
): RecordOf<'task'> {
  const { task_id, team_id: _, project_id: __, section_id: ___, parent_task_id, ...own } = row
  const { comment_count: _1, last_comment_at: _2, attachment_count: _3, ...counted } = own
  const { leased_by: _4, page_count: _5, ...kept } = counted
  const { ticket_number, created_at, updated_at, ...rest } = kept
  const texts = (found: string[] | undefined) => (found ?? []).sort(order)
  return {
    ...{ ticket_number, board, section },
    ...rest,
    start_date: iso(rest.start_date),
    due_at: iso(rest.due_at),
    snoozed_until: iso(rest.snoozed_until),
    parent: parent_task_id === null ? null : (near.tickets.get(parent_task_id) ?? null),
    created_by: cast.of(rest.created_by),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    completed_at: iso(rest.completed_at),
    section_changed_at: iso(rest.section_changed_at),
    labels: texts(near.labels.get(task_id)?.map(({ name }) => name)),
    assignees: texts(near.assignees.get(task_id)?.map(({ actor_id }) => cast.of(actor_id))),
    former_tickets: texts(near.former.get(task_id)?.map((one) => one.ticket_number)),
    fields: (near.held.get(task_id) ?? [])
      .map(({ name, number, text }) => ({ name, number, text }))
      .sort((a, b) => order(a.name, b.name)),
  }
}

/** What belongs to some tasks, found at once. */
async function around(tx: Tx, team_id: number, rows: readonly Row[]) {
  const ids = rows.map(({ task_id }) => task_id)
  const parents = rows.flatMap(({ parent_task_id }) => parent_task_id ?? [])
  const labelled = await tx
    .select({ task_id: taskLabels.task_id, name: labels.name })
    .from(taskLabels)
    .innerJoin(labels, eq(labels.label_id, taskLabels.label_id))
    .where(and(eq(taskLabels.team_id, team_id), inArray(taskLabels.task_id, ids)))
  const assigned = await tx
    .select()
    .from(taskAssignees)
    .where(and(eq(taskAssignees.team_id, team_id), inArray(taskAssignees.task_id, ids)))
  const former = await tx.select().from(formerTickets).where(inArray(formerTickets.task_id, ids))
  const held = await tx
    .select({ ...heldIn, name: customFields.name })
    .from(taskFields)
    .innerJoin(customFields, eq(customFields.custom_field_id, taskFields.custom_field_id))
    .where(and(eq(taskFields.team_id, team_id), inArray(taskFields.task_id, ids)))
  const byTask = <R extends { task_id: number }>(found: R[]) =>
    Map.groupBy(found, ({ task_id }) => task_id)
  return {
    tickets: await ticketsOf(tx, parents),
    labels: byTask(labelled),
    assignees: byTask(assigned),
    former: byTask(former),
    held: byTask(held),
  }
}

/** Ties between tasks, of whatever boards of the team they are on. */
export async function* relationsOf(tx: Tx, team_id: number, cast: Cast): AsyncGenerator<Line> {
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
        created_by: cast.of(created_by),
        created_at: created_at.toISOString(),
      })
    if (rows.length < ROWS) break
    after = rows.at(-1)!.relation_id
  }
  for (const relation of lines.map(evenly).sort(byEnds)) yield { relation }
}

/** Which of two related tasks has the lower number says nothing where they have other numbers. */
const evenly = (one: RecordOf<'relation'>) =>
  one.kind === 'related' && one.first > one.second
    ? { ...one, first: one.second, second: one.first }
    : one

const byEnds = (a: RecordOf<'relation'>, b: RecordOf<'relation'>) =>
  order(a.first, b.first) || order(a.second, b.second) || order(a.kind, b.kind)

async function ticketsOf(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  const rows = await tx
    .select({ task_id: tasks.task_id, ticket_number: tasks.ticket_number })
    .from(tasks)
    .where(inArray(tasks.task_id, ids))
  return new Map(rows.map(({ task_id, ticket_number }) => [task_id, ticket_number]))
}
