import { and, eq, gt, gte, inArray, lte, or } from 'drizzle-orm'
import type { Change, Tx } from '../../kernel/caller.ts'
import { unheld } from '../../store/columns.ts'
import { published } from '../../store/imported.ts'
import { append } from '../../store/log.ts'
import { HOUSE } from '../people/index.ts'
import { placeOf, projects } from '../projects/index.ts'
import { assigneesOf, isSnoozed, isUnreminded, type Task, tasks } from '../tasks/index.ts'
import { type Reminder, reminderOf, SOON_MS, TOLD } from './rules.ts'
import { onward, type Sweep } from './sweep.ts'

interface Mark {
  due_at: Date | null
  task_id: number
}

const { task_id, team_id, project_id, ticket_number, title } = tasks
const { due_date, due_at, snoozed_until, reminded, created_by } = tasks

/** Tells of dates that come near, or have passed: of those of which nothing was told, or one thing. */
export const reminding: readonly Sweep<Mark>[] = [after(0), after(1)]

function after(told: 0 | 1): Sweep<Mark> {
  return {
    name: told ? 'overdue' : 'due',
    async look(tx, now, most, from) {
      const until = told ? now : new Date(now.getTime() + SOON_MS)
      const rows = await tx
        .select({ task_id, due_at, snoozed_until })
        .from(tasks)
        .where(
          and(
            isUnreminded(tasks),
            eq(reminded, told),
            lte(due_at, until),
            published(tx, team_id),
            from && beyond(from.due_at!, from.task_id),
          ),
        )
        .orderBy(due_at, task_id)
        .limit(most)
      const ripe = rows.filter((row) => !isSnoozed(row, now))
      return { ids: ripe.map((row) => row.task_id), ...onward(rows, most) }
    },
    act: remind,
  }
}

const beyond = (at: Date, last: number) =>
  and(gte(due_at, at), or(gt(due_at, at), gt(task_id, last)))

/** Another server may have been here since the look, or somebody has changed the task. */
async function remind(tx: Tx, now: Date, ids: readonly number[]): Promise<number> {
  const rows = await unheld(
    tx
      .select(found)
      .from(tasks)
      .where(and(inArray(task_id, [...ids]), isUnreminded(tasks)))
      .orderBy(task_id),
  )
  const due = rows.flatMap((row) => {
    const kind = isSnoozed(row, now) ? undefined : reminderOf(row, now)
    return kind ? [{ ...row, kind }] : []
  })
  for (const kind of ['overdue', 'due_soon'] as const) await note(tx, kind, due)
  const open = await shownBoards(tx, due)
  // A board that was put away says nothing, and has nothing to make up for when it comes back.
  const told = due.filter((row) => open.has(row.project_id))
  const changes: Change[] = []
  for (const row of told) changes.push(await changeOf(tx, row))
  await append(tx, { actor_id: HOUSE }, now, changes)
  return due.length
}

const found = {
  ...{ task_id, team_id, project_id, ticket_number, title },
  ...{ due_date, due_at, snoozed_until, reminded, created_by },
}

type Found = Pick<Task, keyof typeof found> & { kind: Reminder }

async function changeOf(tx: Tx, found: Found): Promise<Change> {
  const { kind, task_id, ticket_number, title, due_date, created_by } = found
  const assigned = (await assigneesOf(tx, found)).map(({ actor_id }) => actor_id)
  return {
    type: `task.${kind}`,
    place: { ...placeOf(found), task_id },
    data: { ticket_number, title, due_date },
    recipients: { participants: assigned.length ? assigned : [created_by] },
  }
}

async function note(tx: Tx, kind: Reminder, due: readonly Found[]): Promise<void> {
  const ids = due.filter((row) => row.kind === kind).map((row) => row.task_id)
  if (!ids.length) return
  await tx.update(tasks).set({ reminded: TOLD[kind] }).where(inArray(task_id, ids))
}

async function shownBoards(tx: Tx, due: readonly Found[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(due.map((row) => row.project_id))]
  if (!ids.length) return new Set()
  const rows = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(inArray(projects.project_id, ids), eq(projects.status, 'Normal')))
  return new Set(rows.map((row) => row.project_id))
}
