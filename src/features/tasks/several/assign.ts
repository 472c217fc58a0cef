import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../kernel/caller.ts'
import { leased, operation } from '../../../kernel/operation.ts'
import { actorSaid, knownOn } from '../../members/index.ts'
import type { ActorRow } from '../../people/index.ts'
import type { Project } from '../../projects/index.ts'
import { findSection } from '../../sections/index.ts'
import { locateTask } from '../address.ts'
import { checkOwner, hand, without } from '../assign.ts'
import { assigneesOf, together } from '../assignees.ts'
import { receiptOf } from '../records.ts'
import { MOST_TASKS, TaskReceipt, TicketNumber } from '../schema.ts'
import { about, named } from './named.ts'

export const Whom = t.Array(t.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 20,
  description: 'Each me, a name, an e-mail, a user id or an agent UUID',
})

const some = {
  ticket_numbers: t.Array(TicketNumber, {
    ...{ minItems: 1, maxItems: MOST_TASKS },
    description: 'Keys of the tasks',
  }),
}
const output = t.Array(TaskReceipt, { description: 'In the order the tasks were named' })

/** People call each other by name, and so does whoever they talk to. */
export const assignTo = operation({
  name: 'tasks.assign_to',
  summary: 'Assign tasks to people or agents, beside those who have them',
  needs: 'tasks:write',
  on: { chat: true },
  input: t.Object({ ...some, assignees: Whom, ...leased }),
  output,
  guard: { by: 'lease', tasks: ({ ticket_numbers }, ctx) => named(ctx, { ticket_numbers }) },
  run: ({ ticket_numbers, assignees }, ctx) =>
    eachOf(ctx, ticket_numbers, async (project, before) =>
      together(before, await meantOn(ctx, project, assignees)),
    ),
})

export const unassign = operation({
  name: 'tasks.unassign',
  summary: 'Take tasks from those assigned: from all, or from those named',
  needs: 'tasks:write',
  on: { chat: true },
  input: t.Object({ ...some, assignees: t.Optional(Whom), ...leased }),
  output,
  guard: { by: 'lease', tasks: ({ ticket_numbers }, ctx) => named(ctx, { ticket_numbers }) },
  run: ({ ticket_numbers, assignees }, ctx) =>
    eachOf(ctx, ticket_numbers, async (project, before) => {
      const meant = assignees ? await meantOn(ctx, project, assignees, before) : before
      const gone = before.filter((one) => meant.some(({ actor_id }) => actor_id === one.actor_id))
      await checkAgents(ctx, project, gone)
      return without(before, gone)
    }),
})

/** Those who are meant by these words on a board; agents only for those who answer for them. */
export async function meantOn(
  ctx: Context,
  project: Project,
  words: readonly string[],
  holding?: readonly ActorRow[],
): Promise<ActorRow[]> {
  const known = await knownOn(ctx, project, holding)
  const meant = words.map((word, at) => actorSaid(ctx, known, word, `assignees.${at}`))
  if (!holding) await checkAgents(ctx, project, meant)
  return meant
}

async function checkAgents(ctx: Context, project: Project, actors: readonly ActorRow[]) {
  for (const { agent_id } of actors) if (agent_id !== null) await checkOwner(ctx, project, agent_id)
}

async function eachOf(
  ctx: Context,
  ticket_numbers: string[],
  after: (project: Project, before: readonly ActorRow[]) => Promise<ActorRow[]>,
): Promise<TaskReceipt[]> {
  const receipts: TaskReceipt[] = []
  for (const task_id of await named(ctx, { ticket_numbers })) {
    const { task, project } = await locateTask(ctx, { task_id })
    receipts.push(
      await about(task, async () => {
        const before = await assigneesOf(ctx.tx, task)
        const done = await hand(ctx, task, before, await after(project, before))
        const section = await findSection(ctx, done.task, done.task.section_id)
        return receiptOf(ctx, done.task, section, done.changed)
      }),
    )
  }
  return receipts
}
