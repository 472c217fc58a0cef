import {
  type ActionName,
  CUSTOM_FIELD,
  fillPlaceholders,
  type Placeholder,
} from '../../../../kernel/board-rules.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import type { BoardNames } from './names.ts'
import type { Action } from './schema.ts'

/** A call of an operation. */
export interface Call {
  op: string
  input: Record<string, unknown>
}

export interface ActionContext {
  task: Pick<Task, 'task_id' | 'ticket_number' | 'project_id'>
  names: BoardNames
  placeholders: Readonly<Record<Placeholder, string>>
  /** The day that is so many days from now, where the creator of the rule lives. */
  dayIn(days: number): string
  rule_id: string
}

type Planner = (action: Action, context: ActionContext) => Call

const update = ({ task }: ActionContext, changes: object): Call => ({
  op: 'tasks.update',
  input: { task_id: task.task_id, ...changes },
})
const onTask = ({ task }: ActionContext) => ({ ticket_numbers: [task.ticket_number] })
const textOf = ({ text }: Action, { placeholders }: ActionContext) =>
  text === undefined ? undefined : fillPlaceholders(text, placeholders)
const withoutUndefined = (input: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

const newTask = (action: Action, context: ActionContext, more: object): Call => ({
  op: 'tasks.create',
  input: withoutUndefined({
    project_id: context.task.project_id,
    title: fillPlaceholders(action.title!, context.placeholders).slice(0, 500).trim(),
    description: textOf(action, context),
    content_type: action.text === undefined ? undefined : 'markdown',
    assignee_ids: action.who === undefined ? undefined : [action.who],
    ...more,
  }),
})

const comment = (context: ActionContext, text: string, mentions?: object[]): Call => ({
  op: 'comments.add',
  input: withoutUndefined({
    task_id: context.task.task_id,
    text,
    content_type: 'markdown',
    mentions,
  }),
})

/** Which call carries out each action of the vocabulary. */
const PLANNERS: Readonly<Record<ActionName, Planner>> = {
  set_field(action, context) {
    const { field = '', days } = action
    const value = days === undefined ? action.value : context.dayIn(days)
    if (!field.startsWith(CUSTOM_FIELD)) return update(context, { [field]: value })
    const field_id = field.slice(CUSTOM_FIELD.length)
    const { task_id } = context.task
    return { op: 'custom_fields.set', input: { task_id, field_id, value } }
  },
  move: ({ section_id }, context) => update(context, { section_id }),
  assign: ({ who }, context) => ({
    op: 'tasks.assign_to',
    input: { ...onTask(context), assignees: [String(who)] },
  }),
  unassign: ({ who }, context) => ({
    op: 'tasks.unassign',
    input: { ...onTask(context), assignees: [String(who)] },
  }),
  add_label: ({ label_id }, context) => ({
    op: 'tasks.add_label',
    input: { ...onTask(context), label: label_id },
  }),
  remove_label: ({ label_id }, context) => ({
    op: 'tasks.remove_label',
    input: { ...onTask(context), label: label_id },
  }),
  comment: (action, context) => comment(context, textOf(action, context)!),
  create_task: (action, context) => newTask(action, context, { section_id: action.section_id }),
  create_subtask: (action, context) =>
    newTask(action, context, { parent_task_id: context.task.task_id }),
  call_agent(action, context) {
    const agent_id = String(action.who)
    const name = context.names.actors.get(agent_id)?.name ?? 'agent'
    const text = `@${name} ${textOf(action, context)}`
    return comment(context, text, [{ agent_id, display_name: name }])
  },
  notify: (action, context) => ({
    op: 'rules.notify',
    input: {
      task_id: context.task.task_id,
      who: action.who!,
      text: textOf(action, context)!,
      rule_id: context.rule_id,
    },
  }),
  send_webhook: ({ webhook_id }, context) => ({
    op: 'rules.send',
    input: { task_id: context.task.task_id, webhook_id: webhook_id!, rule_id: context.rule_id },
  }),
}

export const callFor = (action: Action, context: ActionContext): Call =>
  PLANNERS[action.do](action, context)
