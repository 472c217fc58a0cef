import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../kernel/caller.ts'
import { Fault, fault } from '../../../kernel/fault.ts'
import { operation } from '../../../kernel/operation.ts'
import type { ActorRow } from '../../people/index.ts'
import { findProject, type Project } from '../../projects/index.ts'
import { createTask } from '../create.ts'
import { type Described, described } from '../description/descriptions.ts'
import { receiptOf } from '../records.ts'
import { draft, ProjectId, TaskReceipt } from '../schema.ts'
import { meantOn, Whom } from './assign.ts'
import { inField } from './named.ts'

const MOST = 20

const { title, description, content_type, section_id, parent_task_id } = draft
const { priority, estimate, start_date, due_date, labels } = draft

const NewTask = t.Object(
  {
    ...{ title, description, content_type, section_id, parent_task_id },
    parent: t.Optional(
      t.Integer({
        ...{ minimum: 0, maximum: MOST - 1 },
        description: 'Sub-task of an earlier one of these, counted from 0',
      }),
    ),
    ...{ priority, estimate, start_date, due_date, labels },
    assignees: t.Optional(Whom),
  },
  { additionalProperties: false },
)
type NewTask = Static<typeof NewTask>

export const createMany = operation({
  name: 'tasks.create_many',
  summary: 'Create up to 20 tasks on one board, all or none',
  needs: 'tasks:write',
  on: { chat: true },
  input: t.Object({
    project_id: ProjectId,
    tasks: t.Array(NewTask, { minItems: 1, maxItems: MOST }),
  }),
  output: t.Array(TaskReceipt, { description: 'In the order they were given' }),
  prepare: ({ tasks }, ask) =>
    Promise.all(tasks.map((task, at) => described(ask, task, `tasks.${at}.description`))),
  async run({ project_id, tasks }, ctx, texts) {
    const project = await findProject(ctx, project_id)
    const receipts: TaskReceipt[] = []
    for (const [at, task] of tasks.entries())
      receipts.push(
        await within(at, async () => {
          const parent_task_id = parentOf(task, at, receipts)
          return create(ctx, project, { ...task, parent_task_id, text: texts[at] })
        }),
      )
    return receipts
  },
})

type Wanted = Omit<NewTask, 'parent' | 'parent_task_id'> & {
  parent_task_id: number | null
  text: Described | undefined
}

async function create(ctx: Context, project: Project, wanted: Wanted): Promise<TaskReceipt> {
  const { assignees = [], description: _, content_type: __, text, ...given } = wanted
  const whom = assignees.length ? await meantOn(ctx, project, assignees) : []
  const assignee_ids = whom.map(nameOf)
  const made = await createTask(ctx, project, { ...given, assignee_ids, described: text })
  const fields = Object.entries(wanted).filter(
    ([name, value]) => !['text', 'parent'].includes(name) && value !== null,
  )
  return receiptOf(
    ctx,
    made.task,
    made.section,
    fields.map(([name]) => name),
  )
}

const nameOf = ({ kind, actor_id, agent_id }: ActorRow) => (kind === 'agent' ? agent_id! : actor_id)

function parentOf(task: NewTask, at: number, made: readonly TaskReceipt[]): number | null {
  const { parent, parent_task_id = null } = task
  if (parent === undefined) return parent_task_id
  if (parent_task_id !== null)
    throw fault.invalid('parent', 'conflict', 'Give parent or parent_task_id, one of the two')
  const above = made[parent]
  if (above) return above.task_id
  throw fault.invalid(
    'parent',
    'out_of_range',
    `parent must be the number of an earlier task: ${at ? `0 to ${at - 1}` : 'the first has none'}`,
    parent,
  )
}

/** A refusal says which of the tasks it is about. */
async function within<T>(at: number, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    const field = error instanceof Fault ? error.details.field : undefined
    throw inField(error, field ? `tasks.${at}.${field}` : `tasks.${at}`)
  }
}
