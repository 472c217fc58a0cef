import { and, count, eq, exists, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { lock } from '../../../../store/lock.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { placeOf, projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { sectionsById } from '../../../boards/sections/model/index.ts'
import { type Task, tasks, tasksById } from '../../tasks/model/index.ts'
import {
  otherEnd,
  type RelationType,
  type StoredRelation,
  toStoredRelation,
  typeFor,
} from './rules.ts'
import type { RelationRow, TaskRelation } from './schema.ts'
import { relations } from './tables.ts'

export type Relation = typeof relations.$inferSelect

/**
 * Locks the relations of the caller's teams. Without it, two concurrent relations could close a
 * cycle that neither check sees.
 */
export async function lockRelations({ tx, caller }: Context): Promise<void> {
  for (const team_id of [...caller.teams.keys()].sort((a, b) => a - b))
    await lock(tx, `relations:${team_id}`)
}

/** Creates a relation. The caller must have called `lockRelations`. */
export async function link(
  ctx: Context,
  source: Task,
  target: Task,
  type: RelationType,
): Promise<Relation> {
  checkLinkable(source, target)
  const { tx, caller, now } = ctx
  const { team_id } = source
  const stored = toStoredRelation(type, source.task_id, target.task_id)
  const before = (await relationsBetween(tx, source, target)).find(
    ({ kind }) => kind === stored.kind,
  )
  if (before) throw alreadyLinked(source, target, typeFor(source.task_id, before), before)
  if (stored.kind === 'blocks') await refuseCircularBlock(tx, team_id, source, target, stored)
  const [relation] = await tx
    .insert(relations)
    .values({ ...stored, team_id, created_by: caller.actor_id, created_at: now })
    .returning()
  emitForBoth(ctx, 'relation.created', source, target, relation!)
  return relation!
}

function checkLinkable(source: Task, target: Task): void {
  if (source.task_id === target.task_id)
    throw fault.invalid(
      'target_ticket_number',
      'conflict',
      `${source.ticket_number} cannot be linked to itself`,
      target.ticket_number,
    )
  if (source.team_id !== target.team_id)
    throw fault.invalid(
      'target_ticket_number',
      'conflict',
      `${source.ticket_number} and ${target.ticket_number} belong to different teams`,
      target.ticket_number,
      'Only tasks of one team can be linked; mention the other task in a comment',
    )
  const deleted = [source, target].find(({ status }) => status === 'Deleted')
  if (deleted)
    throw fault.invalid(
      deleted === source ? 'source_ticket_number' : 'target_ticket_number',
      'conflict',
      `${deleted.ticket_number} is deleted`,
      deleted.ticket_number,
      'Restore it first: update it with status Normal',
    )
}

const alreadyLinked = (source: Task, target: Task, type: RelationType, { relation_id }: Relation) =>
  fault.conflict(
    `${source.ticket_number} is already linked to ${target.ticket_number}: ${type}`,
    { field: 'relation_type', value: type, relation_id },
    type === 'RelatedTo' ? undefined : 'To reverse it, unlink the two tasks first',
  )

const MAX_VISITED = 5000
const BATCH_SIZE = 500

/** Refuses a blocking relation that closes a cycle: follows all tasks blocked by the second one. */
async function refuseCircularBlock(
  tx: Tx,
  team_id: number,
  source: Task,
  target: Task,
  stored: StoredRelation,
) {
  const visited = new Set([stored.second_id])
  for (let queue = [stored.second_id]; queue.length; ) {
    const batch = queue.splice(0, BATCH_SIZE)
    const next = await blockedBy(tx, team_id, batch)
    if (next.length > MAX_VISITED) throw tooMany(source, target)
    for (const { second_id } of next) {
      if (second_id === stored.first_id) throw circularBlock(source, target)
      if (!visited.has(second_id)) queue.push(second_id)
      visited.add(second_id)
    }
    if (visited.size > MAX_VISITED) throw tooMany(source, target)
  }
}

const blockedBy = (tx: Tx, team_id: number, ids: readonly number[]) =>
  tx
    .select({ second_id: relations.second_id })
    .from(relations)
    .where(
      and(
        eq(relations.team_id, team_id),
        inArray(relations.first_id, [...ids]),
        eq(relations.kind, 'blocks'),
      ),
    )
    .limit(MAX_VISITED + 1)

const circularBlock = (source: Task, target: Task) =>
  fault.conflict(
    `${source.ticket_number} and ${target.ticket_number} would block each other, directly or through other tasks`,
    { field: 'relation_type' },
    'List what blocks each task with svc_tasks links, and unlink one first',
  )

const tooMany = (source: Task, target: Task) =>
  fault.conflict(
    `More than ${MAX_VISITED} tasks wait for ${source.ticket_number} or ${target.ticket_number}`,
    { field: 'relation_type' },
    'Use RelatedTo, or unlink some of them first',
  )

/** Deletes the relations between two tasks: those of one type, or all. */
export async function unlink(
  ctx: Context,
  source: Task,
  target: Task,
  type: RelationType | undefined,
): Promise<RelationType[]> {
  const existing = await relationsBetween(ctx.tx, source, target)
  const hasType = (relation: StoredRelation) =>
    type === undefined || typeFor(source.task_id, relation) === type
  const removed = existing.filter(hasType)
  if (!removed.length)
    throw fault.notFound(
      'target_ticket_number',
      `${source.ticket_number} and ${target.ticket_number} are not linked${type ? ` as ${type}` : ''}`,
      target.ticket_number,
      `List its relations: svc_tasks links with source_ticket_number ${source.ticket_number}`,
    )
  const ids = removed.map(({ relation_id }) => relation_id)
  await ctx.tx.delete(relations).where(inArray(relations.relation_id, ids))
  for (const relation of removed) emitForBoth(ctx, 'relation.deleted', source, target, relation)
  return removed.map((relation) => typeFor(source.task_id, relation))
}

/** Emits the change for both tasks, each on its own board with its own relation type. */
function emitForBoth(
  ctx: Context,
  type: ChangeType<'relation'>,
  source: Task,
  target: Task,
  relation: Relation,
) {
  emitFor(ctx, type, source, target, relation)
  emitFor(ctx, type, target, source, relation)
}

const emitFor = (
  ctx: Context,
  type: ChangeType<'relation'>,
  task: Task,
  other: Task,
  relation: Relation,
) =>
  ctx.emit(
    type,
    { ...placeOf(task), task_id: task.task_id },
    {
      relation_id: relation.relation_id,
      relation_type: typeFor(task.task_id, relation),
      ticket_number: task.ticket_number,
      other_ticket_number: other.ticket_number,
    },
  )

/** Deletes the relations of a task that is itself deleted; the other tasks record it. */
export async function deleteRelationsOf(ctx: Context, task: Task): Promise<void> {
  const deleted: Relation[] = await ctx.tx.delete(relations).where(hasEnd(task)).returning()
  const idOf = (relation: Relation) => otherEnd(task.task_id, relation)
  const others = await tasksById(ctx.tx, deleted.map(idOf))
  for (const relation of deleted)
    emitFor(ctx, 'relation.deleted', others.get(idOf(relation))!, task, relation)
}

async function relationsBetween(
  tx: Tx,
  { team_id, task_id }: Task,
  other: Task,
): Promise<Relation[]> {
  const [lower, higher] = [task_id, other.task_id].sort((a, b) => a - b) as [number, number]
  const inOrder = (first: number, second: number) =>
    and(
      eq(relations.team_id, team_id),
      eq(relations.first_id, first),
      eq(relations.second_id, second),
    )
  return tx
    .select()
    .from(relations)
    .where(or(inOrder(lower, higher), inOrder(higher, lower)))
    .orderBy(relations.relation_id)
}

/** A condition for the relations of a task whose other task the caller can see. */
export function relationConditions(
  ctx: Context,
  task: Task,
  type?: RelationType,
  target?: Task,
): SQL {
  const { task_id } = task
  const { isFirst, isSecond } = endsOf(task)
  const ends = {
    RelatedTo: and(or(isFirst, isSecond), eq(relations.kind, 'related')),
    BlockedTo: and(isFirst, eq(relations.kind, 'blocks')),
    BlockedBy: and(isSecond, eq(relations.kind, 'blocks')),
  }
  const otherTask = sql`case when ${relations.first_id} = ${task_id} then ${relations.second_id} else ${relations.first_id} end`
  const isVisible = ctx.tx
    .select({ one: sql`1` })
    .from(tasks)
    .innerJoin(projects, eq(projects.project_id, tasks.project_id))
    .where(and(eq(tasks.task_id, otherTask), visibleProjects(ctx)))
  const isTarget = target && eq(otherTask, target.task_id)
  return and(type ? ends[type] : hasEnd(task), isTarget, exists(isVisible))!
}

type TaskRef = Pick<Task, 'team_id' | 'task_id'>

/** The conditions that a task is the first or the second end of a relation. */
const endsOf = ({ team_id, task_id }: TaskRef) => ({
  isFirst: and(eq(relations.team_id, team_id), eq(relations.first_id, task_id)),
  isSecond: and(eq(relations.team_id, team_id), eq(relations.second_id, task_id)),
})

function hasEnd(task: TaskRef) {
  const { isFirst, isSecond } = endsOf(task)
  return or(isFirst, isSecond)
}

/** Relations as a task sees them, each with the task at the other end. */
export async function toRelationRows(
  { tx }: Pick<Context, 'tx'>,
  { task_id }: Pick<Task, 'task_id'>,
  rows: readonly Relation[],
): Promise<RelationRow[]> {
  const others = await tasksById(
    tx,
    rows.map((row) => otherEnd(task_id, row)),
  )
  const columns = await sectionsById(
    tx,
    [...others.values()].map(({ section_id }) => section_id),
  )
  return rows.map((row) => {
    const other = others.get(otherEnd(task_id, row))!
    const { title: section, done } = columns.get(other.section_id)!
    return {
      relation_id: row.relation_id,
      relation_type: typeFor(task_id, row),
      task_id: other.task_id,
      ticket_number: other.ticket_number,
      title: other.title,
      project_id: other.project_id,
      section_id: other.section_id,
      section,
      done,
      status: other.status,
      created_at: row.created_at.toISOString(),
    }
  })
}

const MOST_LINKS = 50

/** The tasks that a task is related to by one type, oldest first. */
export async function relatedTasks(
  ctx: Context,
  task: Task,
  type: RelationType,
): Promise<RelationRow[]> {
  const rows = await ctx.tx
    .select()
    .from(relations)
    .where(relationConditions(ctx, task, type))
    .orderBy(relations.relation_id)
    .limit(MOST_LINKS)
  return toRelationRows(ctx, task, rows)
}

/** Relations of several tasks of a team, without those to tasks that the caller cannot see. */
export async function relationsOfTasks(
  ctx: Context,
  team_id: number,
  ids: readonly number[],
): Promise<Map<number, TaskRelation[]>> {
  const { first_id, second_id, kind } = relations
  type End = typeof first_id | typeof second_id
  const from = (own: End, other: End) =>
    ctx.tx
      .select({ own, first_id, second_id, kind, ...pickKey(tasks) })
      .from(relations)
      .innerJoin(tasks, eq(tasks.task_id, other))
      .innerJoin(projects, eq(projects.project_id, tasks.project_id))
      .where(
        and(
          eq(relations.team_id, team_id),
          inArray(own, [...ids]),
          ne(tasks.status, 'Deleted'),
          visibleProjects(ctx),
        ),
      )
      .orderBy(relations.relation_id)
  const rows = [...(await from(first_id, second_id)), ...(await from(second_id, first_id))]
  const toRelation = ({ own, ticket_number, title, ...stored }: (typeof rows)[number]) => ({
    task_id: own,
    relation_type: typeFor(own, stored),
    ticket_number,
    title,
  })
  return Map.groupBy(rows.map(toRelation), ({ task_id }) => task_id)
}

const pickKey = ({ ticket_number, title }: typeof tasks) => ({ ticket_number, title })

const selectAny = prepared((tx) =>
  tx
    .select({ relation_id: relations.relation_id })
    .from(relations)
    .where(hasEnd({ team_id: param('team_id'), task_id: param('task_id') }))
    .limit(1)
    .prepare('relations_any'),
)

/**
 * Counts the relations of a task to tasks that the caller can see. Most tasks have none at all,
 * which is quick to find out.
 */
export async function countRelations(ctx: Context, task: Task): Promise<number> {
  const { team_id, task_id } = task
  if (!(await selectAny(ctx.tx).execute({ team_id, task_id })).length) return 0
  const [found] = await ctx.tx
    .select({ many: count() })
    .from(relations)
    .where(relationConditions(ctx, task))
  return Number(found!.many)
}
