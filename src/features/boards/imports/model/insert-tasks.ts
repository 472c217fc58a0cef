import { and, eq, inArray } from 'drizzle-orm'
import { generateNKeysBetween } from 'fractional-indexing'
import { readWords } from '../../../../content/words.ts'
import type { Inserter } from '../../../../store/bulk.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { people } from '../../../identity/people/model/index.ts'
import { insertInitialMoves } from '../../../reports/flow/model/index.ts'
import { indexTextOf } from '../../../search/text_index/model/index.ts'
import { taskAssignees } from '../../../tasks/assignees/model/index.ts'
import { descriptionVersions } from '../../../tasks/descriptions/model/index.ts'
import { insertTasks, lastRank } from '../../../tasks/edits/model/index.ts'
import { isOpen } from '../../../tasks/states/model/index.ts'
import { addToCount, formerTickets, tasks, ticketKey } from '../../../tasks/tasks/model/index.ts'
import { dueAt, isDay } from '../../../time/dates/model/index.ts'
import { taskFields } from '../../custom_fields/model/index.ts'
import { taskLabels } from '../../labels/model/index.ts'
import { lockProject, type Project, placeOf, projects } from '../../projects/model/index.ts'
import type { Section } from '../../sections/model/index.ts'
import type { Batch, TargetBoard } from './batch.ts'
import { digestsOf } from './digests.ts'
import { checkResolvedParent, type ResolvedTask } from './task-values.ts'

type NewRow = typeof tasks.$inferInsert

/** A new task of one board: what is written, and the row of the table. */
interface NewTask extends ResolvedTask {
  row: Omit<NewRow, 'task_id'>
  section: Section
}

/**
 * Inserts tasks of one board in the order of their records, with the times and authors that they
 * have in the source. Nobody is notified, and no agent starts to work on them. Returns their new
 * keys by the ids of the source.
 */
export async function insertNewTasks(
  batch: Batch,
  board: string,
  resolved: readonly ResolvedTask[],
): Promise<Map<string, string>> {
  const target = batch.board(board, 'records')
  const { ctx } = batch
  await lockProject(ctx.tx, target.project)
  const numbers = await takeNumbers(batch, target.project, resolved)
  const ranks = await takeRanks(batch, target, resolved)
  const zones = await zonesOf(batch, resolved)
  const drafts: NewTask[] = []
  for (const [at, one] of resolved.entries()) {
    await checkResolvedParent(batch, target.project, one)
    const place = { number: numbers[at]!, rank: ranks[at]!, zones }
    drafts.push(newTask(batch, target, one, place))
  }
  const rows = drafts.map(({ row }) => row as typeof tasks.$inferSelect)
  readWords(ctx, ...rows)
  const { inserter } = batch
  const ids = await insertTasks(
    rows.map((row) => ({ row, text: indexTextOf({ ...row, task_id: 0 }) })) as never,
    { inserter } as never,
  )
  const inserted = drafts.map((draft) => ({
    ...draft,
    task_id: ids.get(draft.row.ticket_number)!,
  }))
  await setParents(batch, inserted)
  await insertAttributes(inserter, inserted)
  await recordNew(batch, inserter, inserted)
  return new Map(inserted.map(({ record, row }) => [record.id, row.ticket_number]))
}

type Inserted = NewTask & { task_id: number }

/** Sets parents that come in the same request as their subtasks. */
async function setParents({ ctx: { tx } }: Batch, inserted: readonly Inserted[]): Promise<void> {
  const ids = new Map(inserted.map(({ record, task_id }) => [record.id, task_id]))
  const parents = new Map(inserted.map(({ record }) => [record.id, record.parent]))
  for (const { record, values, problems, task_id } of inserted) {
    const parent_task_id = record.parent === undefined ? undefined : ids.get(record.parent)
    if (values.parent_task_id !== undefined || !parent_task_id) continue
    if (isOwnAncestor(record.id, parents)) {
      values.parent_task_id = null
      problems.push('It is its own subtask')
      continue
    }
    values.parent_task_id = parent_task_id
    await tx.update(tasks).set({ parent_task_id }).where(eq(tasks.task_id, task_id))
  }
}

function isOwnAncestor(id: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set([id])
  for (let next = parents.get(id); next !== undefined; next = parents.get(next)) {
    if (seen.has(next)) return true
    seen.add(next)
  }
  return false
}

/** The time zones of assigned people: a due day ends in that of the first one. */
async function zonesOf(
  { ctx: { tx } }: Batch,
  resolved: readonly ResolvedTask[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(resolved.flatMap(({ values }) => values.assignees.slice(0, 1)))
  const rows = ids.size
    ? await tx
        .select({ actor_id: people.actor_id, time_zone: people.time_zone })
        .from(people)
        .where(isOneOf(people.actor_id, [...ids]))
    : []
  return new Map(rows.map(({ actor_id, time_zone }) => [actor_id, time_zone]))
}

interface PlaceOnBoard {
  number: number
  rank: string
  zones: ReadonlyMap<number, string>
}

function newTask(
  batch: Batch,
  { project, sections }: TargetBoard,
  { record, values, problems }: ResolvedTask,
  { number, rank, zones }: PlaceOnBoard,
): NewTask {
  const { ctx } = batch
  const section = sections.find(({ section_id }) => section_id === values.section_id)!
  const { text, parent_task_id = null, labels: _, assignees, fields: __, ...columns } = values
  const moment = momentBefore(ctx.now)
  const created_at = moment(record.created_at, ctx.now)
  const updated_at = moment(record.updated_at, created_at)
  const completed_at = section.done ? moment(record.completed_at, updated_at) : null
  const { due_date } = values
  const zone = zones.get(assignees[0] ?? 0) ?? ctx.caller.time_zone
  const due_at = due_date === null ? null : dueAt(due_date, isDay(due_date) ? zone : 'UTC')
  const row = {
    ...placeOf(project),
    ...columns,
    unique_index: number,
    ticket_number: `${project.key}-${number}`,
    description: text?.text ?? null,
    content_type: text?.format ?? ('html' as const),
    description_version: text ? 1 : 0,
    due_at,
    repeats_from: null,
    starts_from: null,
    snoozed_until: null,
    // What was due before the import gets no reminder.
    reminded: due_at && due_at < ctx.now ? (2 as const) : (0 as const),
    parent_task_id,
    rank,
    created_by: record.created_by
      ? batch.actorId(record.created_by, 'created_by')
      : ctx.caller.actor_id,
    ...{ created_at, updated_at, completed_at },
    section_changed_at: completed_at ?? updated_at,
    ...{ comment_count: 0, last_comment_at: null, attachment_count: 0, page_count: 0 },
    ...{ pr_badge: null, leased_by: null, assigned: assignees.length > 0 },
  }
  return { record, values, problems, row, section }
}

/** A time of the source; times in the future would come first in every list, so they are now. */
const momentBefore = (now: Date) => (text: string | undefined, otherwise: Date) => {
  const time = text === undefined ? otherwise : new Date(text)
  return Number.isNaN(time.getTime()) ? otherwise : time < now ? time : now
}

/**
 * The numbers of new tasks. A task keeps the number that its key has in the source if that key has
 * the board's prefix and is free.
 */
async function takeNumbers(
  { ctx: { tx } }: Batch,
  project: Project,
  resolved: readonly ResolvedTask[],
): Promise<number[]> {
  const { team_id, project_id, key } = project
  const wanted = resolved.map(({ record }) => {
    const [, prefix, digits] = /^(.+)-([1-9]\d{0,8})$/.exec(record.key?.toUpperCase() ?? '') ?? []
    return prefix === key ? Number(digits) : undefined
  })
  const taken = new Set(
    await takenNumbers(
      tx,
      { team_id, key },
      wanted.filter((number) => number !== undefined),
    ),
  )
  const own = eq(projects.project_id, project_id)
  const [row] = await tx.select({ next: projects.next_number }).from(projects).where(own)
  let next = row!.next
  const numbers = wanted.map((number) => {
    if (number === undefined || taken.has(number)) return undefined
    taken.add(number)
    next = Math.max(next, number + 1)
    return number
  })
  const result = numbers.map((number) => number ?? next++)
  if (next !== row!.next) await tx.update(projects).set({ next_number: next }).where(own)
  return result
}

async function takenNumbers(
  tx: Batch['ctx']['tx'],
  { team_id, key }: { team_id: number; key: string },
  numbers: readonly number[],
): Promise<number[]> {
  if (!numbers.length) return []
  const tickets = numbers.map((number) => `${key}-${number}`)
  const [current, former] = [
    await tx
      .select({ ticket: tasks.ticket_number })
      .from(tasks)
      .where(and(eq(tasks.team_id, team_id), inArray(tasks.ticket_number, tickets))),
    await tx
      .select({ ticket: formerTickets.ticket_number })
      .from(formerTickets)
      .where(
        and(eq(formerTickets.team_id, team_id), inArray(formerTickets.ticket_number, tickets)),
      ),
  ]
  return [...current, ...former].map(({ ticket }) => Number(ticket.slice(key.length + 1)))
}

/** Ranks below the last task of each column, in the order of the records. */
async function takeRanks(
  { ctx: { tx } }: Batch,
  { sections }: TargetBoard,
  resolved: readonly ResolvedTask[],
): Promise<string[]> {
  const ranks: string[] = new Array(resolved.length)
  const bySection = Map.groupBy(resolved.keys(), (at) => resolved[at]!.values.section_id)
  for (const [section_id, positions] of bySection) {
    const section = sections.find((one) => one.section_id === section_id)!
    const keys = generateNKeysBetween(await lastRank(tx, section), null, positions.length)
    for (const [index, at] of positions.entries()) ranks[at] = keys[index]!
  }
  return ranks
}

async function insertAttributes(inserter: Inserter, inserted: readonly Inserted[]): Promise<void> {
  const rowsFor = <R>(list: (task: Inserted) => readonly R[]) =>
    inserted.flatMap((task) =>
      list(task).map((row) => ({ team_id: task.row.team_id, task_id: task.task_id, ...row })),
    )
  await inserter.insert(
    taskLabels,
    rowsFor(({ values, row: { project_id, status } }) =>
      values.labels.map((label_id) => ({ label_id, project_id, status })),
    ),
  )
  await inserter.insert(
    taskAssignees,
    rowsFor(({ values, row: { project_id, status, completed_at = null } }) => {
      const open = isOpen({ status, completed_at })
      return values.assignees.map((actor_id) => ({ actor_id, open, project_id, status }))
    }),
  )
  await inserter.insert(
    taskFields,
    rowsFor(({ values }) =>
      values.fields.map(([custom_field_id, stored]) => ({ custom_field_id, ...stored })),
    ),
  )
  await inserter.insert(
    descriptionVersions,
    rowsFor(({ values: { text }, row: { created_by, created_at } }) =>
      text
        ? [
            {
              version: 1,
              content: text.text,
              content_type: text.format,
              author_id: created_by,
              created_at,
            },
          ]
        : [],
    ),
  )
  const formerRows = rowsFor(({ record, row }) => formerKeys(record.key, row.ticket_number))
  if (formerRows.length)
    await inserter.tx.insert(formerTickets).values(formerRows).onConflictDoNothing()
}

/** The key in the source, which keeps finding the task. */
function formerKeys(key: string | undefined, ticket_number: string) {
  if (key === undefined) return []
  const former = ticketKey(key, '')
  return former === ticket_number || /^\d+$/.test(former) ? [] : [{ ticket_number: former }]
}

const isCounted = ({ status }: { status: string }) => status === 'Normal'

/** Counts the new tasks, and records where they are and that they were imported. */
async function recordNew(
  { ctx, known, source }: Batch,
  inserter: Inserter,
  inserted: readonly Inserted[],
): Promise<void> {
  const rows = inserted.map(({ row, task_id, section }) => ({
    ...(row as typeof tasks.$inferSelect),
    task_id,
    role: section.role,
  }))
  for (const [, group] of Map.groupBy(rows.filter(isCounted), ({ section_id }) => section_id))
    await addToCount(ctx.tx, group[0]!, group.length)
  await insertInitialMoves(inserter, rows)
  await known.add(
    'task',
    inserted.map(({ record, values, task_id }) => ({
      source_id: record.id,
      row_id: task_id,
      created: true,
      digests: digestsOf(values as never),
    })),
  )
  for (const { row, task_id, section } of inserted) {
    const { ticket_number, title } = row
    const data = { ticket_number, title, section: section.title, source: source.source }
    ctx.emit('task.imported', { ...placeOf(row), task_id }, data)
  }
}
