import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { labels } from '../features/labels/index.ts'
import type { Project } from '../features/projects/index.ts'
import { sectionsOf } from '../features/sections/index.ts'
import {
  descriptionVersions,
  formerTickets,
  taskAssignees,
  taskLabels,
  tasks,
} from '../features/tasks/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { Line } from './lines.ts'
import { type Cast, order } from './names.ts'
import type { RecordOf } from './schema.ts'

const ROWS = 200

type Row = typeof tasks.$inferSelect
const iso = (date: Date | null) => date?.toISOString() ?? null

/** The tasks of a board in the order of their numbers, each with the texts it had. */
export async function* tasksOf(tx: Tx, board: Project, cast: Cast): AsyncGenerator<Line> {
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
    for (const row of rows) {
      yield { task: taskOf(row, board.key, places.get(row.section_id)!, near, cast) }
      yield* versionsOf(row, near, cast)
    }
    if (rows.length < ROWS) return
    after = rows.at(-1)!.unique_index
  }
}

type Near = Awaited<ReturnType<typeof around>>

function taskOf(
  row: Row,
  board: string,
  section: number,
  near: Near,
  cast: Cast,
): RecordOf<'task'> {
  const { task_id, team_id: _, project_id: __, section_id: ___, parent_task_id, ...own } = row
  const { ticket_number, created_at, updated_at, ...rest } = own
  const texts = (found: string[] | undefined) => (found ?? []).sort(order)
  return {
    ...{ ticket_number, board, section },
    ...rest,
    start_date: iso(rest.start_date),
    due_at: iso(rest.due_at),
    parent: parent_task_id === null ? null : (near.tickets.get(parent_task_id) ?? null),
    created_by: cast.of(rest.created_by),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    completed_at: iso(rest.completed_at),
    labels: texts(near.labels.get(task_id)?.map(({ name }) => name)),
    assignees: texts(near.assignees.get(task_id)?.map(({ actor_id }) => cast.of(actor_id))),
    former_tickets: texts(near.former.get(task_id)?.map((one) => one.ticket_number)),
  }
}

function* versionsOf(row: Row, near: Near, cast: Cast): Generator<Line> {
  for (const one of near.versions.get(row.task_id) ?? []) {
    const { version, content, content_type, author_id, created_at } = one
    const made: RecordOf<'version'> = {
      task: row.ticket_number,
      ...{ version, content, content_type },
      author: cast.of(author_id),
      created_at: created_at.toISOString(),
    }
    yield { version: made }
  }
}

/** What belongs to some tasks, found at once. */
async function around(tx: Tx, team_id: number, rows: readonly Row[]) {
  const ids = rows.map(({ task_id }) => task_id)
  const parents = rows.flatMap(({ parent_task_id }) => parent_task_id ?? [])
  const above = parents.length
    ? await tx
        .select({ task_id: tasks.task_id, ticket_number: tasks.ticket_number })
        .from(tasks)
        .where(inArray(tasks.task_id, parents))
    : []
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
  const versions = await tx
    .select()
    .from(descriptionVersions)
    .where(and(eq(descriptionVersions.team_id, team_id), inArray(descriptionVersions.task_id, ids)))
    .orderBy(asc(descriptionVersions.task_id), asc(descriptionVersions.version))
  const byTask = <R extends { task_id: number }>(found: R[]) =>
    Map.groupBy(found, ({ task_id }) => task_id)
  return {
    tickets: new Map(above.map(({ task_id, ticket_number }) => [task_id, ticket_number])),
    labels: byTask(labelled),
    assignees: byTask(assigned),
    former: byTask(former),
    versions: byTask(versions),
  }
}
