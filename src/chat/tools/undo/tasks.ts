import { fieldsWith } from '../../../features/tasks/fields/model/index.ts'
import {
  type CallRecord,
  DELETED_FOR_GOOD,
  deletesCreated,
  type Fields,
  type ReadCall,
  type Step,
  type UndoRules,
} from './types.ts'

interface Person {
  kind: string
  user_id?: number
  agent_id?: string
}

interface Task extends Fields {
  task_id: number
  ticket_number: string
  description: string | null
  labels: { label_id: number }[]
  assignees: Person[]
  custom_fields: { field_id: string; value: unknown }[]
}

interface Receipt {
  task_id: number
  ticket_number: string
  changed: string[]
  next_occurrence?: { task_id: number }
}

/** The field of a task record that shows what a field of an update sets. */
const RECORD_FIELDS: Record<string, string> = {
  title: 'title',
  description: 'description',
  content_type: 'content_type',
  section_id: 'section_id',
  parent_task_id: 'parent_task_id',
  status: 'status',
  ...Object.fromEntries(fieldsWith('undo').map(({ name }) => [name, name])),
  due_date: 'due_date',
  assignee_ids: 'assignees',
  labels: 'labels',
  add_labels: 'labels',
  remove_labels: 'labels',
}

const ADDRESS = ['task_id', 'ticket_number', 'unique_index', 'task_ids', 'ticket_numbers']
const NOT_FIELDS = [...ADDRESS, 'lease_id', 'if_version']

const fieldsSet = (input: Fields) => Object.keys(input).filter((name) => !NOT_FIELDS.includes(name))

const addressOf = (input: Fields): Fields => ({
  ...(input.task_ids ? { task_id: input.task_ids } : {}),
  ...(input.ticket_numbers ? { ticket_number: input.ticket_numbers } : {}),
  ...(input.task_id === undefined ? {} : { task_id: input.task_id }),
  ...(input.ticket_number === undefined ? {} : { ticket_number: input.ticket_number }),
})

/**
 * Undefined if the input does more than set fields: adds files or moves the task to another board.
 */
function readTasks(input: Fields): ReadCall | undefined {
  const names = fieldsSet(input)
  if (names.some((name) => !RECORD_FIELDS[name]) || input.unique_index !== undefined)
    return undefined
  // A column may assign the task, and completing a repeating task creates the next occurrence.
  const moves = names.includes('section_id') || names.includes('status')
  const affected = moves ? ['assignees', 'recurrence'] : []
  const fields = [...new Set([...names.map((name) => RECORD_FIELDS[name]!), ...affected])]
  return { op: 'tasks.get', input: addressOf(input), fields }
}

const readField = (field: string) => (input: Fields) => ({
  op: 'tasks.get',
  input: addressOf(input),
  fields: [field],
})

const toTasks = (data: unknown) => [data].flat() as Task[]

function undoUpdate({ input, before, after, output }: CallRecord): Step[] | undefined {
  const fields = readTasks(input)!.fields
  const tasks = toTasks(before)
  const steps = tasks.map((task, index) => restoreSteps(task, toTasks(after)[index]!, fields))
  const occurrenceSteps = ([output].flat() as Receipt[]).flatMap(({ task_id, next_occurrence }) =>
    next_occurrence
      ? [unlinkStep(task_id, next_occurrence), deleteStep(next_occurrence.task_id)]
      : [],
  )
  // An empty description cannot be restored.
  return steps.includes(undefined) ? undefined : [...occurrenceSteps, ...(steps as Step[][]).flat()]
}

function restoreSteps(before: Task, after: Task, fields: readonly string[]): Step[] | undefined {
  const changed = fields.filter((name) => !Bun.deepEquals(before[name], after[name]))
  if (!changed.length) return []
  if (changed.includes('description') && before.description === null) return undefined
  const { task_id } = before
  const input: Fields = { task_id }
  for (const name of changed)
    if (name === 'labels') input.labels = before.labels.map(({ label_id }) => label_id)
    else if (name === 'assignees') input.assignee_ids = peopleIn(before)
    else input[name] = before[name]
  if (changed.includes('description')) input.content_type = before.content_type
  return [{ op: 'tasks.update', input }, ...unassignAgents(before, after)]
}

const peopleIn = ({ assignees }: Task) => assignees.flatMap(({ user_id }) => user_id ?? [])
const agentsIn = ({ assignees }: Task) => assignees.flatMap(({ agent_id }) => agent_id ?? [])

/** A column may have assigned an agent, which `assignee_ids` does not change. */
const unassignAgents = (before: Task, after: Task): Step[] =>
  agentsIn(after)
    .filter((agent_id) => !agentsIn(before).includes(agent_id))
    .map((agent_id) => ({
      op: 'tasks.assign',
      input: { task_id: before.task_id, agent_id, intent: 'unassign' },
    }))

const deleteStep = (task_id: number): Step => ({
  op: 'tasks.update',
  input: { task_id, status: 'Deleted' },
})

const unlinkStep = (source_task_id: number, { task_id }: { task_id: number }): Step => ({
  op: 'relations.delete',
  input: { source_task_id, target_task_id: task_id },
})

/** Assigns or unassigns, by id, those who differ between before and after. */
const changesAssignees =
  (op: string, from: 'before' | 'after', to: 'before' | 'after') => (call: CallRecord) =>
    toTasks(call[from]).flatMap((task, index): Step[] => {
      const others = toTasks(call[to])[index]!.assignees.map(assigneeRef)
      const assignees = task.assignees
        .map(assigneeRef)
        .filter((reference) => !others.includes(reference))
      if (!assignees.length) return []
      return [{ op, input: { ticket_numbers: [task.ticket_number], assignees } }]
    })

const assigneeRef = ({ user_id, agent_id }: Person) => agent_id ?? String(user_id)

const changesLabel = (field: 'add_labels' | 'remove_labels') => ({
  undo({ input, output }: CallRecord): Step[] | undefined {
    const changedTasks = (output as Receipt[]).filter(({ changed }) => changed.includes('labels'))
    const task_ids = changedTasks.map(({ task_id }) => task_id)
    if (!task_ids.length) return undefined
    return [{ op: 'tasks.update_many', input: { task_ids, [field]: [input.label] } }]
  },
})

export const taskRules: UndoRules = {
  'tasks.create': { undo: ({ output }) => [deleteStep((output as Receipt).task_id)] },
  'tasks.create_many': {
    undo: ({ output }) => {
      const task_ids = (output as Receipt[]).map(({ task_id }) => task_id)
      return [{ op: 'tasks.update_many', input: { task_ids, status: 'Deleted' } }]
    },
  },
  'tasks.update': { reads: readTasks, undo: undoUpdate },
  'tasks.update_many': { reads: readTasks, undo: undoUpdate },
  'tasks.add_label': changesLabel('remove_labels'),
  'tasks.remove_label': changesLabel('add_labels'),
  'tasks.assign_to': {
    reads: readField('assignees'),
    undo: changesAssignees('tasks.unassign', 'after', 'before'),
  },
  'tasks.unassign': {
    reads: readField('assignees'),
    undo: changesAssignees('tasks.assign_to', 'before', 'after'),
  },
  'tasks.hand_over': 'Others have been notified; assign the task again instead',
  'tasks.move': 'A moved task has a new key and has lost labels; move it back instead',
  'tasks.snooze': {
    reads: readField('snoozed_until'),
    undo: ({ before }) => {
      const { task_id, snoozed_until } = before as Task
      return [{ op: 'tasks.snooze', input: { task_id, until: snoozed_until } }]
    },
  },
  'tasks.restore': {
    reads: readField('description'),
    undo: ({ before, after }) => restoreSteps(before as Task, after as Task, ['description']),
  },
  'tasks.next': {
    undo: ({ output }) => {
      const lease_id = (output as { lease?: { lease_id?: string } }[])[0]?.lease?.lease_id
      return lease_id === undefined ? undefined : [{ op: 'leases.release', input: { lease_id } }]
    },
  },
  'leases.claim': deletesCreated('leases.release', 'lease_id'),
  'leases.release': 'Somebody else may have claimed the task; claim it again',
  'custom_fields.set': {
    reads: readField('custom_fields'),
    undo({ before, after }) {
      const [old, current] = [before as Task, after as Task]
      const ids = [...old.custom_fields, ...current.custom_fields].map(({ field_id }) => field_id)
      const valueIn = (task: Task, id: string) =>
        task.custom_fields.find(({ field_id }) => field_id === id)?.value ?? null
      const field_id = ids.find((id) => valueIn(old, id) !== valueIn(current, id))
      if (field_id === undefined) return undefined
      const { task_id } = old
      return [
        { op: 'custom_fields.set', input: { task_id, field_id, value: valueIn(old, field_id) } },
      ]
    },
  },
  'relations.create': deletesCreated(
    'relations.delete',
    'source_task_id',
    'target_task_id',
    'relation_type',
  ),
  'relations.delete': {
    undo: ({ output }) => {
      const { source_task_id, target_task_id, removed } = output as Fields & { removed: string[] }
      return removed.map((relation_type) => ({
        op: 'relations.create',
        input: { source_task_id, target_task_id, relation_type },
      }))
    },
  },
  'templates.create': {
    undo: ({ output }) => [
      { op: 'templates.delete', input: { templateId: (output as Fields).template_id } },
    ],
  },
  'templates.delete': DELETED_FOR_GOOD,
  'templates.apply': {
    async undo({ output }, look) {
      const { task_id } = output as Receipt
      const { tree } = (await look({ op: 'tasks.tree', input: { task_id } })) as { tree: Node }
      const task_ids = idsIn(tree)
      return [{ op: 'tasks.update_many', input: { task_ids, status: 'Deleted' } }]
    },
  },
}

interface Node {
  task_id: number
  children: Node[]
}

const idsIn = ({ task_id, children }: Node): number[] => [task_id, ...children.flatMap(idsIn)]
