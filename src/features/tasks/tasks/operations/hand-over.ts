import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { releaseOwn } from '../../../agents/leases/model/index.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { findSection, SectionId } from '../../../boards/sections/model/index.ts'
import { addComment } from '../../../conversation/comments/model/index.ts'
import { actorCandidates, resolveActor } from '../../../identity/members/model/index.ts'
import { Actor, type ActorRow, asActor, Id } from '../../../identity/people/model/index.ts'
import { assigneesOf, checkMayHandOver, uniqueActors } from '../../assignees/model/index.ts'
import { cleanText } from '../../descriptions/model/index.ts'
import { setAssignees, updateTask } from '../../edits/model/index.ts'
import { receiptOf, TaskReceipt } from '../../records/model/index.ts'
import { locateTask, taskIdOf } from '../model/address.ts'
import { address, ContentType } from '../model/schema.ts'

const OWNER = 'owner'

export const handOver = operation({
  name: 'tasks.hand_over',
  summary: 'Hand a task over to a person or an agent: note as a comment, assignment, release',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/tasks/:task/hand-over',
    mcp: 'svc_tasks.hand_over',
    cli: { usage: 'tasks hand-over <task> <to> <note>', example: "HOM-1 Cleo 'Please check it.'" },
    chat: true,
  },
  input: t.Object({
    ...address,
    to: t.String({
      minLength: 1,
      maxLength: 200,
      description: 'owner (the person who owns you), a name, an email, a user id or an agent UUID',
    }),
    note: t.String({
      minLength: 1,
      maxLength: 1_048_576,
      description: 'What is done and what is left to do, as a comment',
    }),
    content_type: t.Optional({
      ...ContentType,
      description: 'Format of note; detected if omitted',
    }),
    section_id: t.Optional({ ...SectionId, description: 'Also moves the task to this column' }),
    ...leaseInput,
  }),
  output: t.Object(
    {
      ...TaskReceipt.properties,
      handed_to: Actor,
      comment_id: Id('Id of the comment with the note'),
      released: t.Boolean({ description: 'Whether your lease ended' }),
    },
    { columns: [...TaskReceipt.columns, 'handed_to', 'comment_id'] },
  ),
  guard: { by: 'lease', tasks: taskIdOf },
  prepare: ({ note, content_type }, request) => cleanText(request, note, content_type, 'note'),
  async run({ to, note: _, content_type: __, section_id, ...taskRef }, ctx, { text, type }) {
    const located = await locateTask(ctx, taskRef)
    const recipient = await findRecipient(ctx, located.project, to)
    const { comment_id } = await addComment(ctx, located, { text, content_type: type })
    const moved =
      section_id === undefined ? undefined : await updateTask(ctx, located, { section_id })
    const { task: current } = await locateTask(ctx, { task_id: located.task.task_id })
    const before = await assigneesOf(ctx.tx, current)
    const others = before.filter(({ actor_id }) => actor_id !== ctx.caller.actor_id)
    const after = uniqueActors(others, [recipient])
    const { task, changed } = await setAssignees(ctx, current, before, after)
    const section = await findSection(ctx, task, task.section_id)
    return {
      ...moved,
      ...receiptOf(ctx, task, section, [...(moved?.changed ?? []), ...changed]),
      handed_to: asActor(recipient),
      comment_id,
      released: await releaseOwn(ctx, task),
    }
  },
})

/** The owner of the agent that calls, or the person or agent that `to` names on the board. */
async function findRecipient(ctx: Context, project: Project, to: string): Promise<ActorRow> {
  const { caller } = ctx
  const isOwner = caller.kind === 'agent' && to.trim().toLowerCase() === OWNER
  const name = isOwner ? String(caller.person_id) : to
  const recipient = resolveActor(ctx, await actorCandidates(ctx, project), name, 'to')
  if (recipient.actor_id === caller.actor_id)
    throw fault.invalid(
      'to',
      'out_of_range',
      'You cannot hand a task over to yourself',
      to,
      'To stop working on it, release it; to be assigned, use svc_tasks assign',
    )
  if (recipient.agent_id !== null) await checkMayHandOver(ctx, project, recipient.agent_id)
  return recipient
}
