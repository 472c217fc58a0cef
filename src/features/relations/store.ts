import { and, eq, exists, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { lock } from '../../store/lock.ts'
import { placeOf, projects, visibleProjects } from '../projects/index.ts'
import { sectionsById } from '../sections/index.ts'
import { relations, type Task, tasks, tasksById } from '../tasks/index.ts'
import { otherEnd, type RelationType, seenFrom, type Tie, tieOf } from './rules.ts'
import type { RelationRow } from './schema.ts'

export type Relation = typeof relations.$inferSelect

/** Two relations that close a circle together would each find nothing wrong, so they take turns. */
export async function holdRelations({ tx, caller }: Context): Promise<void> {
  for (const team_id of [...caller.teams.keys()].sort((a, b) => a - b))
    await lock(tx, `relations:${team_id}`)
}

/** The caller holds the relations of the team. */
export async function link(
  ctx: Context,
  source: Task,
  target: Task,
  type: RelationType,
): Promise<Relation> {
  refuseUnfit(source, target)
  const { tx, caller, now } = ctx
  const { team_id } = source
  const tie = tieOf(type, source.task_id, target.task_id)
  const before = (await between(tx, source, target)).find(({ kind }) => kind === tie.kind)
  if (before) throw known(source, target, seenFrom(source.task_id, before), before)
  if (tie.kind === 'blocks') await refuseCircle(tx, team_id, source, target, tie)
  const [made] = await tx
    .insert(relations)
    .values({ ...tie, team_id, created_by: caller.actor_id, created_at: now })
    .returning()
  tell(ctx, 'relation.created', source, target, made!)
  return made!
}

function refuseUnfit(source: Task, target: Task): void {
  if (source.task_id === target.task_id)
    throw fault.invalid(
      'target_ticket_number',
      'conflict',
      `${source.ticket_number} cannot be linked with itself`,
      target.ticket_number,
    )
  if (source.team_id !== target.team_id)
    throw fault.invalid(
      'target_ticket_number',
      'conflict',
      `${source.ticket_number} and ${target.ticket_number} belong to different teams`,
      target.ticket_number,
      'Only tasks of one team can be linked; name the other one in a comment',
    )
  const deleted = [source, target].find(({ status }) => status === 'Deleted')
  if (deleted)
    throw fault.invalid(
      deleted === source ? 'source_ticket_number' : 'target_ticket_number',
      'conflict',
      `${deleted.ticket_number} is deleted`,
      deleted.ticket_number,
      'Bring it back first: update it with status Normal',
    )
}

const known = (source: Task, target: Task, type: RelationType, { relation_id }: Relation) =>
  fault.conflict(
    `${source.ticket_number} is linked with ${target.ticket_number} already: ${type}`,
    { field: 'relation_type', value: type, relation_id },
    type === 'RelatedTo' ? undefined : 'To turn it round, unlink the two first',
  )

const MOST_WALKED = 5000
const MOST_AT_ONCE = 500

/** Follows what waits for the second; the first must not be among it. */
async function refuseCircle(tx: Tx, team_id: number, source: Task, target: Task, tie: Tie) {
  const seen = new Set([tie.second_id])
  for (let waiting = [tie.second_id]; waiting.length; ) {
    const some = waiting.splice(0, MOST_AT_ONCE)
    const next = await heldUpBy(tx, team_id, some)
    if (next.length > MOST_WALKED) throw tooMany(source, target)
    for (const { second_id } of next) {
      if (second_id === tie.first_id) throw circle(source, target)
      if (!seen.has(second_id)) waiting.push(second_id)
      seen.add(second_id)
    }
    if (seen.size > MOST_WALKED) throw tooMany(source, target)
  }
}

const heldUpBy = (tx: Tx, team_id: number, ids: readonly number[]) =>
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
    .limit(MOST_WALKED + 1)

const circle = (source: Task, target: Task) =>
  fault.conflict(
    `${source.ticket_number} and ${target.ticket_number} would wait for each other, be it by way of others`,
    { field: 'relation_type' },
    'svc_tasks links shows what each waits for; unlink one of them first',
  )

const tooMany = (source: Task, target: Task) =>
  fault.conflict(
    `More than ${MOST_WALKED} tasks wait for ${source.ticket_number} or ${target.ticket_number}`,
    { field: 'relation_type' },
    'Use RelatedTo, or unlink some of them first',
  )

/** Takes away what is between two tasks: one type, or whatever there is. */
export async function unlink(
  ctx: Context,
  source: Task,
  target: Task,
  type: RelationType | undefined,
): Promise<RelationType[]> {
  const all = await between(ctx.tx, source, target)
  const isMeant = (one: Tie) => type === undefined || seenFrom(source.task_id, one) === type
  const gone = all.filter(isMeant)
  if (!gone.length)
    throw fault.notFound(
      'target_ticket_number',
      `${source.ticket_number} and ${target.ticket_number} are not linked${type ? ` as ${type}` : ''}`,
      target.ticket_number,
      `See what is linked: svc_tasks links with source_ticket_number ${source.ticket_number}`,
    )
  const ids = gone.map(({ relation_id }) => relation_id)
  await ctx.tx.delete(relations).where(inArray(relations.relation_id, ids))
  for (const one of gone) tell(ctx, 'relation.deleted', source, target, one)
  return gone.map((one) => seenFrom(source.task_id, one))
}

/** Each of the two hears of it, on its own board and as it sees it. */
function tell(ctx: Context, what: string, source: Task, target: Task, relation: Relation) {
  const { relation_id } = relation
  for (const [task, other] of [
    [source, target],
    [target, source],
  ] as const)
    ctx.emit(
      what,
      { ...placeOf(task), task_id: task.task_id },
      {
        relation_id,
        relation_type: seenFrom(task.task_id, relation),
        ticket_number: task.ticket_number,
        other_ticket_number: other.ticket_number,
      },
    )
}

async function between(tx: Tx, { team_id, task_id }: Task, other: Task): Promise<Relation[]> {
  const [one, two] = [task_id, other.task_id].sort((a, b) => a - b) as [number, number]
  const ofTwo = (first: number, second: number) =>
    and(
      eq(relations.team_id, team_id),
      eq(relations.first_id, first),
      eq(relations.second_id, second),
    )
  return tx
    .select()
    .from(relations)
    .where(or(ofTwo(one, two), ofTwo(two, one)))
    .orderBy(relations.relation_id)
}

/** What a task is linked with, as far as the caller may see it. */
export function linksOf(
  ctx: Context,
  { team_id, task_id }: Task,
  type?: RelationType,
  target?: Task,
): SQL {
  const isFirst = and(eq(relations.team_id, team_id), eq(relations.first_id, task_id))
  const isSecond = and(eq(relations.team_id, team_id), eq(relations.second_id, task_id))
  const ends = {
    RelatedTo: and(or(isFirst, isSecond), eq(relations.kind, 'related')),
    BlockedTo: and(isFirst, eq(relations.kind, 'blocks')),
    BlockedBy: and(isSecond, eq(relations.kind, 'blocks')),
  }
  const there = sql`case when ${relations.first_id} = ${task_id} then ${relations.second_id} else ${relations.first_id} end`
  const seen = ctx.tx
    .select({ one: sql`1` })
    .from(tasks)
    .innerJoin(projects, eq(projects.project_id, tasks.project_id))
    .where(and(eq(tasks.task_id, there), visibleProjects(ctx)))
  const isTarget = target && eq(there, target.task_id)
  return and(type ? ends[type] : or(isFirst, isSecond), isTarget, exists(seen))!
}

/** Relations as a task sees them, each with the task at the other end. */
export async function shownRelations(
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
      relation_type: seenFrom(task_id, row),
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
