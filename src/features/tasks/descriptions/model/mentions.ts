import { and, eq, inArray } from 'drizzle-orm'
import { snippetOf } from '../../../../content/words.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { type Project, placeOf } from '../../../boards/projects/model/index.ts'
import { type Mention, resolveMentions } from '../../../conversation/mentions/model/index.ts'
import { type ActorRow, actors, asActor } from '../../../identity/people/model/index.ts'
import type { Task } from '../../tasks/model/index.ts'
import type { DescriptionInput } from './descriptions.ts'
import { taskMentions } from './tables.ts'

interface MentionInput {
  mentions?: readonly Mention[] | undefined
  described?: DescriptionInput | undefined
}

/**
 * Notifies actors that a new description mentions and an earlier one did not. `knownMentions` are
 * those of the earlier one; without them they are loaded.
 */
export async function notifyMentioned(
  ctx: Context,
  project: Project,
  task: Task,
  { mentions, described }: MentionInput,
  knownMentions?: readonly ActorRow[],
): Promise<void> {
  const isNew = described !== undefined && 'text' in described
  if (mentions && !isNew)
    throw fault.invalid(
      'mentions',
      'conflict',
      'mentions requires description',
      undefined,
      'Also send description; in comments, send mentions with text',
    )
  if (!isNew) return
  const { team_id, task_id, description, content_type, ticket_number } = task
  const alreadyMentioned = knownMentions ?? (await mentionedInTask(ctx, task))
  const text = description ?? ''
  const mentionInput = {
    mentions,
    text,
    format: content_type,
    field: 'description' as const,
    known: alreadyMentioned,
  }
  const mentioned = await resolveMentions(ctx, project, mentionInput)
  await deleteMentions(ctx, task, difference(alreadyMentioned, mentioned))
  const snippet = snippetOf(text, content_type)
  for (const actor of difference(mentioned, alreadyMentioned)) {
    const { actor_id } = actor
    await ctx.tx.insert(taskMentions).values({ team_id, task_id, actor_id })
    const data = { ticket_number, actor: asActor(actor), actor_id, snippet }
    ctx.emit('task.mentioned', { ...placeOf(task), task_id }, data)
  }
}

const difference = (actors: readonly ActorRow[], others: readonly ActorRow[]) =>
  actors.filter(({ actor_id }) => !others.some((other) => other.actor_id === actor_id))

async function deleteMentions(
  { tx }: Context,
  task: Task,
  actors: readonly ActorRow[],
): Promise<void> {
  const ids = actors.map(({ actor_id }) => actor_id)
  if (ids.length)
    await tx.delete(taskMentions).where(and(ofTask(task), inArray(taskMentions.actor_id, ids)))
}

const ofTask = ({ team_id, task_id }: Task) =>
  and(eq(taskMentions.team_id, team_id), eq(taskMentions.task_id, task_id))

async function mentionedInTask({ tx }: Context, task: Task): Promise<ActorRow[]> {
  const rows = await tx
    .select({ actor: actors })
    .from(taskMentions)
    .innerJoin(actors, eq(actors.actor_id, taskMentions.actor_id))
    .where(ofTask(task))
    .orderBy(actors.actor_id)
  return rows.map(({ actor }) => actor)
}
