import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { findSection } from '../../../boards/sections/model/index.ts'
import { actorCandidates, resolveActor } from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { assigneesOf, checkMayAssignAgent, uniqueActors } from '../../assignees/model/index.ts'
import { excludeActors, MAX_TASKS, setAssignees } from '../../edits/model/index.ts'
import { receiptOf, TaskReceipt } from '../../records/model/index.ts'
import { locateTask } from '../model/address.ts'
import { resolveTaskIds, withTaskInFault } from '../model/references.ts'
import { TicketNumber } from '../model/schema.ts'

export const AssigneeWords = t.Array(t.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 20,
  description: 'Each: me, a name, an email, a user id or an agent UUID',
})

const taskList = {
  ticket_numbers: t.Array(TicketNumber, {
    minItems: 1,
    maxItems: MAX_TASKS,
    description: 'Keys of the tasks',
  }),
}
const output = t.Array(TaskReceipt, { description: 'In the order of the request' })

/** Assigns by name, since people in a chat refer to each other by name. */
export const assignTo = operation({
  name: 'tasks.assign_to',
  summary: 'Add assignees (people or agents) to tasks',
  needs: 'tasks:write',
  on: { chat: true },
  input: t.Object({ ...taskList, assignees: AssigneeWords, ...leaseInput }),
  output,
  guard: {
    by: 'lease',
    tasks: ({ ticket_numbers }, ctx) => resolveTaskIds(ctx, { ticket_numbers }),
  },
  run: ({ ticket_numbers, assignees }, ctx) =>
    forEachTask(ctx, ticket_numbers, async (project, before) =>
      uniqueActors(before, await resolveActors(ctx, project, assignees)),
    ),
})

export const unassign = operation({
  name: 'tasks.unassign',
  summary: 'Unassign tasks: from everyone, or from the given assignees',
  needs: 'tasks:write',
  on: { chat: true },
  input: t.Object({ ...taskList, assignees: t.Optional(AssigneeWords), ...leaseInput }),
  output,
  guard: {
    by: 'lease',
    tasks: ({ ticket_numbers }, ctx) => resolveTaskIds(ctx, { ticket_numbers }),
  },
  run: ({ ticket_numbers, assignees }, ctx) =>
    forEachTask(ctx, ticket_numbers, async (project, before) => {
      const requested = assignees ? await resolveActors(ctx, project, assignees, before) : before
      const removed = before.filter((actor) =>
        requested.some(({ actor_id }) => actor_id === actor.actor_id),
      )
      await checkAgents(ctx, project, removed)
      return excludeActors(before, removed)
    }),
})

/** Resolves words to actors of a board. Agents are accepted only if the caller may assign them. */
export async function resolveActors(
  ctx: Context,
  project: Project,
  words: readonly string[],
  current?: readonly ActorRow[],
): Promise<ActorRow[]> {
  const candidates = await actorCandidates(ctx, project, current)
  const actors = words.map((word, at) => resolveActor(ctx, candidates, word, `assignees.${at}`))
  if (!current) await checkAgents(ctx, project, actors)
  return actors
}

async function checkAgents(ctx: Context, project: Project, actors: readonly ActorRow[]) {
  for (const { agent_id } of actors)
    if (agent_id !== null) await checkMayAssignAgent(ctx, project, agent_id)
}

async function forEachTask(
  ctx: Context,
  ticket_numbers: string[],
  after: (project: Project, before: readonly ActorRow[]) => Promise<ActorRow[]>,
): Promise<TaskReceipt[]> {
  const receipts: TaskReceipt[] = []
  for (const task_id of await resolveTaskIds(ctx, { ticket_numbers })) {
    const { task, project } = await locateTask(ctx, { task_id })
    receipts.push(
      await withTaskInFault(task, async () => {
        const before = await assigneesOf(ctx.tx, task)
        const result = await setAssignees(ctx, task, before, await after(project, before))
        const section = await findSection(ctx, result.task, result.task.section_id)
        return receiptOf(ctx, result.task, section, result.changed)
      }),
    )
  }
  return receipts
}
