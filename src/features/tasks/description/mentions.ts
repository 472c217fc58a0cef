import { and, eq, inArray } from 'drizzle-orm'
import { snippetOf } from '../../../content/index.ts'
import type { Context } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { type Mention, mentionsIn } from '../../mentions/index.ts'
import { type ActorRow, actors, asActor } from '../../people/index.ts'
import { type Project, placeOf } from '../../projects/index.ts'
import type { Task } from '../address.ts'
import { taskMentions } from '../tables.ts'
import type { Described } from './descriptions.ts'

interface Naming {
  mentions?: readonly Mention[] | undefined
  described?: Described | undefined
}

/**
 * Tells those whom a new description mentions, unless an earlier wording of it did; whom it did is
 * looked up where it is not given.
 */
export async function tellMentioned(
  ctx: Context,
  project: Project,
  task: Task,
  { mentions, described }: Naming,
  before?: readonly ActorRow[],
): Promise<void> {
  const isNew = described !== undefined && 'text' in described
  if (mentions && !isNew)
    throw fault.invalid(
      'mentions',
      'conflict',
      'mentions belong to a description, and none was sent',
      undefined,
      'Send description too; in comments, mentions go with text',
    )
  if (!isNew) return
  const { team_id, task_id, description, content_type, ticket_number } = task
  const known = before ?? (await mentionedOn(ctx, task))
  const text = description ?? ''
  const said = { mentions, text, format: content_type, field: 'description' as const, known }
  const meant = await mentionsIn(ctx, project, said)
  await forget(ctx, task, without(known, meant))
  const snippet = snippetOf(text, content_type)
  for (const one of without(meant, known)) {
    const { actor_id } = one
    await ctx.tx.insert(taskMentions).values({ team_id, task_id, actor_id })
    const data = { ticket_number, actor: asActor(one), actor_id, snippet }
    ctx.emit('task.mentioned', { ...placeOf(task), task_id }, data)
  }
}

const without = (some: readonly ActorRow[], others: readonly ActorRow[]) =>
  some.filter(({ actor_id }) => !others.some((one) => one.actor_id === actor_id))

async function forget({ tx }: Context, task: Task, some: readonly ActorRow[]): Promise<void> {
  const ids = some.map(({ actor_id }) => actor_id)
  if (ids.length)
    await tx.delete(taskMentions).where(and(ofTask(task), inArray(taskMentions.actor_id, ids)))
}

const ofTask = ({ team_id, task_id }: Task) =>
  and(eq(taskMentions.team_id, team_id), eq(taskMentions.task_id, task_id))

async function mentionedOn({ tx }: Context, task: Task): Promise<ActorRow[]> {
  const rows = await tx
    .select({ actor: actors })
    .from(taskMentions)
    .innerJoin(actors, eq(actors.actor_id, taskMentions.actor_id))
    .where(ofTask(task))
    .orderBy(actors.actor_id)
  return rows.map(({ actor }) => actor)
}
