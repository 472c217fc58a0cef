import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf, requestedFields } from '../../../../kernel/list.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { findProject, ProjectId } from '../../../boards/projects/model/index.ts'
import { findSection, SectionId } from '../../../boards/sections/model/index.ts'
import { UserId } from '../../../identity/people/model/index.ts'
import {
  taskFilters as filters,
  filtersManyTasks,
  pageOfTasks,
  selectTasks,
  taskSort as sort,
  TASK_SORTS,
} from '../../../search/filters/model/index.ts'
import { similarCandidates, similarTasksOf } from '../../../search/search/model/index.ts'
import { AsFormat, convertTexts } from '../../descriptions/model/index.ts'
import {
  assign as assignTask,
  createTask,
  draft,
  MAX_TASKS,
  revision,
  updateTask,
} from '../../edits/model/index.ts'
import {
  receiptOf,
  similarTasks,
  TaskReceipt,
  TaskRecord,
  TaskRow,
  taskRows,
  toTaskRecord,
} from '../../records/model/index.ts'
import { locateTask, type Task, taskIdOf } from '../model/address.ts'
import { type Address, address, TaskId, TicketNumber } from '../model/schema.ts'
import { attachToTask, prepareInput } from './files.ts'

export const list = operation({
  name: 'tasks.list',
  summary: 'Tasks you can see, filtered and sorted',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'label', 'project'],
  on: {
    rest: 'GET /api/v1/tasks',
    mcp: 'svc_tasks.list',
    cli: { usage: 'tasks list', example: '--project HOM --assigned-to me --sort dueDate' },
    chat: true,
  },
  heavy: (input, reader) => filtersManyTasks(reader, input),
  input: listInput({ ...filters, sort }, TASK_SORTS),
  output: listOf(TaskRow),
  async run(input, ctx) {
    const withText = requestedFields(input, TaskRow)?.includes('description')
    const chosen = await selectTasks(ctx, input)
    const { ids, page } = await pageOfTasks(ctx, input, chosen)
    return { items: await taskRows(ctx, ids, { withText }), page }
  },
})

const severalTasks = { minItems: 1, maxItems: MAX_TASKS }

export const get = operation({
  name: 'tasks.get',
  summary: 'A task with its description, or several in the requested order',
  needs: 'tasks:read',
  dependsOn: [
    'section',
    'label',
    'custom_field',
    'project',
    'profile',
    'agent',
    { about: 'task' },
    { about: 'subtasks' },
  ],
  on: {
    rest: 'GET /api/v1/tasks/:task',
    mcp: 'svc_tasks.get',
    cli: { usage: 'tasks get <task>', example: 'HOM-1' },
    chat: true,
  },
  input: t.Object({
    ...address,
    task_id: t.Optional(t.Union([TaskId, t.Array(TaskId, severalTasks)])),
    ticket_number: t.Optional(t.Union([TicketNumber, t.Array(TicketNumber, severalTasks)])),
    format: AsFormat,
  }),
  output: t.Union([TaskRecord, t.Array(TaskRecord)]),
  async run({ format, ...addresses }, ctx) {
    const { task_id, ticket_number, ...rest } = addresses
    if (!Array.isArray(task_id) && !Array.isArray(ticket_number)) {
      const { task } = await locateTask(ctx, { ...rest, task_id, ticket_number })
      return convertTexts(ctx, [await toTaskRecord(ctx, task)], format)[0]!
    }
    const found: TaskRecord[] = []
    for (const address of splitAddresses(addresses))
      found.push(await toTaskRecord(ctx, (await locateTask(ctx, address)).task))
    return convertTexts(ctx, found, format)
  },
})

type TaskAddresses = Omit<Address, 'task_id' | 'ticket_number'> & {
  task_id?: number | number[]
  ticket_number?: string | string[]
}

function splitAddresses({ task_id, ticket_number, ...rest }: TaskAddresses): Address[] {
  if (task_id !== undefined && ticket_number !== undefined)
    throw fault.invalid(
      'ticket_number',
      'conflict',
      'Send several tasks either as task_id or as ticket_number, not both',
    )
  return [
    ...[task_id ?? []].flat().map((id) => ({ ...rest, task_id: id })),
    ...[ticket_number ?? []].flat().map((key) => ({ ...rest, ticket_number: key })),
  ]
}

export const create = operation({
  name: 'tasks.create',
  summary: 'Create a task on a board',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/tasks',
    mcp: 'svc_tasks.create',
    cli: {
      usage: 'tasks create <project_id> <title>',
      example: "HOM 'Paint the fence' --section Next --priority High --due-date 2026-12-01",
    },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, ...draft }),
  output: t.Object(
    { ...TaskReceipt.properties, similar: similarTasks },
    { columns: [...TaskReceipt.columns, 'similar'] },
  ),
  async prepare(input, ask) {
    const prepared = await prepareInput(input, ask)
    return { ...prepared, candidates: await similarCandidates(ask, { ...input, ...prepared }) }
  },
  async run({ project_id, attachments: _, ...fields }, ctx, { described, received, candidates }) {
    const project = await findProject(ctx, project_id)
    const { task, section } = await createTask(ctx, project, { ...fields, described })
    const receipt = receiptOf(ctx, task, section, Object.keys(fields))
    const similar = await similarTasksOf(ctx, task, candidates)
    return { ...(await attachToTask(ctx, task, receipt, received)), similar }
  },
})

export const update = operation({
  name: 'tasks.update',
  summary: 'Change fields of a task; section_id moves it to another column',
  needs: 'tasks:write',
  destroys: ({ status }) => status === 'Deleted',
  on: {
    rest: 'PATCH /api/v1/tasks/:task',
    mcp: 'svc_tasks.update',
    cli: { usage: 'tasks update <task>', example: 'HOM-1 --section Doing --labels bug,ui' },
    chat: true,
  },
  input: t.Object({
    ...address,
    ...revision,
    project_id: t.Optional({
      ...ProjectId,
      description: 'Moves the task to that board; with unique_index: its current board',
    }),
    ...leaseInput,
  }),
  output: TaskReceipt,
  guard: { by: 'lease', tasks: (input, ctx) => taskIdOf(addressOf(input), ctx) },
  prepare: prepareInput,
  async run({ attachments: _, ...input }, ctx, { described, received }) {
    const { task_id: _1, ticket_number: _2, unique_index, project_id, ...rest } = input
    const isAddress = unique_index !== undefined
    const update = { ...rest, described }
    const located = await locateTask(ctx, addressOf(input))
    const receipt = await updateTask(ctx, located, isAddress ? update : { ...update, project_id })
    return attachToTask(ctx, located.task, receipt, received)
  },
})

/**
 * In an update, `project_id` addresses the task only beside `unique_index`. Alone, it is the target
 * board.
 */
const addressOf = ({ task_id, ticket_number, unique_index, project_id }: Address): Address => ({
  task_id,
  ticket_number,
  unique_index,
  project_id: unique_index === undefined ? undefined : project_id,
})

export const move = operation({
  name: 'tasks.move',
  summary: 'Move a task and its subtasks to another board; they get new keys',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/tasks/:task/move',
    mcp: 'svc_tasks.move',
    cli: {
      usage: 'tasks move <task> <target_project_id>',
      example: 'HOM-1 HOM --target-section Next',
    },
    chat: true,
  },
  input: t.Object({
    ...address,
    target_project_id: ProjectId,
    target_section_id: t.Optional(SectionId),
    ...leaseInput,
  }),
  output: TaskReceipt,
  guard: { by: 'lease', tasks: taskIdOf },
  async run({ target_project_id, target_section_id, ...address }, ctx) {
    const located = await locateTask(ctx, address)
    const target = await findProject(ctx, target_project_id, 'target_project_id')
    if (target_section_id !== undefined)
      await findSection(ctx, target, target_section_id, 'target_section_id')
    const { project_id } = target
    return updateTask(ctx, located, { project_id, section_id: target_section_id })
  },
})

export const assign = operation({
  name: 'tasks.assign',
  summary: 'Assign a task to people or agents, or unassign them',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/tasks/:task/assign',
    mcp: 'svc_tasks.assign',
    cli: { usage: 'tasks assign <task>', example: 'HOM-1 --user Cleo' },
  },
  input: t.Object({
    ...address,
    user_id: t.Optional(UserId),
    user_ids: t.Optional(t.Array(UserId, { minItems: 1, maxItems: 100 })),
    agent_id: t.Optional(
      t.String({ minLength: 1, maxLength: 50, description: 'Agent UUID; its owner only' }),
    ),
    assign_self: t.Optional(t.Boolean({ description: 'Agent token only' })),
    intent: t.Optional(t.Union([t.Literal('assign'), t.Literal('unassign')])),
    ...leaseInput,
  }),
  output: TaskReceipt,
  guard: { by: 'lease', tasks: taskIdOf },
  async run({ task_id, ticket_number, unique_index, project_id, ...assignment }, ctx) {
    const address = { task_id, ticket_number, unique_index, project_id }
    const { task, changed } = await assignTask(ctx, await locateTask(ctx, address), assignment)
    return receipt(ctx, task, changed)
  },
})

const receipt = async (ctx: Context, task: Task, changed: string[]) =>
  receiptOf(ctx, task, await findSection(ctx, task, task.section_id), changed)
