import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject, type Project, ProjectId } from '../../../boards/projects/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { type DescriptionInput, prepareDescription } from '../../descriptions/model/index.ts'
import { createTask, draft } from '../../edits/model/index.ts'
import { fieldInputs, pickFields } from '../../fields/model/index.ts'
import { receiptOf, type TaskReceipt } from '../../records/model/index.ts'
import { faultInField } from '../model/references.ts'
import { AssigneeWords, resolveActors } from './assign.ts'
import { atomic, BulkResult, MAX_TASKS, resultOf } from './bulk.ts'

const { title, description, content_type, section_id, parent_task_id, due_date, labels } = draft

const NewTask = t.Object(
  {
    title,
    description,
    content_type,
    section_id,
    parent_task_id,
    parent: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: MAX_TASKS - 1,
        description: 'Index of an earlier task in this call, from 0, to be the parent',
      }),
    ),
    ...pickFields('create_many', fieldInputs),
    due_date,
    labels,
    assignees: t.Optional(AssigneeWords),
  },
  { additionalProperties: false },
)
type NewTask = Static<typeof NewTask>

export const createMany = operation({
  name: 'tasks.create_many',
  summary: 'Create up to 200 tasks on one board, by default all or none',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/tasks',
    mcp: 'svc_tasks.create_many',
    cli: {
      usage: 'tasks create-many <project_id>',
      example: `HOM --tasks '[{"title": "Buy paint"}, {"title": "Paint the fence", "parent": 0}]'`,
    },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    tasks: t.Array(NewTask, { minItems: 1, maxItems: MAX_TASKS }),
    atomic,
  }),
  output: t.Array(BulkResult, { description: 'In the order of the request' }),
  prepare: ({ tasks }, ask) =>
    Promise.all(tasks.map((task, at) => prepareDescription(ask, task, `tasks.${at}.description`))),
  async run({ project_id, tasks, atomic = true }, ctx, descriptions) {
    const project = await findProject(ctx, project_id)
    const results: BulkResult[] = []
    for (const [at, task] of tasks.entries()) {
      const createAt = () =>
        withTaskInField(at, async () => {
          const parent_task_id = parentOf(task, at, results)
          return create(ctx, project, { ...task, parent_task_id, text: descriptions[at] })
        })
      const attempt = () => ctx.attempt(async () => [], createAt)
      results.push(atomic ? await createAt() : await resultOf({ title: task.title }, attempt))
    }
    return results
  },
})

type TaskDraft = Omit<NewTask, 'parent' | 'parent_task_id'> & {
  parent_task_id: number | null
  text: DescriptionInput | undefined
}

async function create(ctx: Context, project: Project, draft: TaskDraft): Promise<TaskReceipt> {
  const { assignees = [], description: _, content_type: __, text, ...given } = draft
  const assigned = assignees.length ? await resolveActors(ctx, project, assignees) : []
  const assignee_ids = assigned.map(assigneeRef)
  const created = await createTask(ctx, project, { ...given, assignee_ids, described: text })
  const fields = Object.entries(draft).filter(
    ([name, value]) => !['text', 'parent'].includes(name) && value !== null,
  )
  return receiptOf(
    ctx,
    created.task,
    created.section,
    fields.map(([name]) => name),
  )
}

const assigneeRef = ({ kind, actor_id, agent_id }: ActorRow) =>
  kind === 'agent' ? agent_id! : actor_id

function parentOf(task: NewTask, at: number, created: readonly BulkResult[]): number | null {
  const { parent, parent_task_id = null } = task
  if (parent === undefined) return parent_task_id
  if (parent_task_id !== null)
    throw fault.invalid('parent', 'conflict', 'Send parent or parent_task_id, not both')
  const above = created[parent]
  if (above?.task_id !== undefined) return above.task_id
  if (above) throw fault.conflict('Its parent was refused', { field: 'parent', value: parent })
  throw fault.invalid(
    'parent',
    'out_of_range',
    `parent must be the index of an earlier task: ${at ? `0 to ${at - 1}` : 'the first task has none'}`,
    parent,
  )
}

/** Adds the index of the task to the field of a fault. */
async function withTaskInField<T>(at: number, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    const field = error instanceof Fault ? error.details.field : undefined
    throw faultInField(error, field ? `tasks.${at}.${field}` : `tasks.${at}`)
  }
}
