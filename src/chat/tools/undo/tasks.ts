import { type Fields, GONE, type Sight, type Step, unmade, type Was, type Ways } from './types.ts'

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

/** Which field of a record shows what a field of an update sets. */
const SHOWN: Record<string, string> = {
  ...{ title: 'title', description: 'description', content_type: 'content_type' },
  ...{ section_id: 'section_id', parent_task_id: 'parent_task_id', status: 'status' },
  ...{ priority: 'priority', estimate: 'estimate', recurrence: 'recurrence' },
  ...{ start_date: 'start_date', due_date: 'due_date', labels: 'labels' },
  ...{ add_labels: 'labels', remove_labels: 'labels', assignee_ids: 'assignees' },
}

const ADDRESS = ['task_id', 'ticket_number', 'unique_index', 'task_ids', 'ticket_numbers']
const ASIDE = [...ADDRESS, 'lease_id', 'if_version']

const set = (input: Fields) => Object.keys(input).filter((name) => !ASIDE.includes(name))

const get = (input: Fields): Fields => ({
  ...(input.task_ids ? { task_id: input.task_ids } : {}),
  ...(input.ticket_numbers ? { ticket_number: input.ticket_numbers } : {}),
  ...(input.task_id === undefined ? {} : { task_id: input.task_id }),
  ...(input.ticket_number === undefined ? {} : { ticket_number: input.ticket_number }),
})

/** Nothing where the input does more than set fields: files that come along, another board. */
function seesTasks(input: Fields): Sight | undefined {
  const names = set(input)
  if (names.some((name) => !SHOWN[name]) || input.unique_index !== undefined) return undefined
  // A column may hand a task to somebody, and what repeats goes on as another task once it is done.
  const moves = names.includes('section_id') || names.includes('status')
  const besides = moves ? ['assignees', 'recurrence'] : []
  const fields = [...new Set([...names.map((name) => SHOWN[name]!), ...besides])]
  return { op: 'tasks.get', input: get(input), fields }
}

const seesField = (field: string) => (input: Fields) => ({
  ...{ op: 'tasks.get', input: get(input), fields: [field] },
})

const list = (seen: unknown) => [seen].flat() as Task[]

function updated({ input, before, after, output }: Was): Step[] | undefined {
  const fields = seesTasks(input)!.fields
  const was = list(before)
  const steps = was.map((task, at) => restored(task, list(after)[at]!, fields))
  const more = ([output].flat() as Receipt[]).flatMap(({ task_id, next_occurrence }) =>
    next_occurrence ? [unlinked(task_id, next_occurrence), deleted(next_occurrence.task_id)] : [],
  )
  // A description that was empty cannot be emptied again.
  return steps.includes(undefined) ? undefined : [...more, ...(steps as Step[][]).flat()]
}

function restored(before: Task, after: Task, fields: readonly string[]): Step[] | undefined {
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
  return [{ op: 'tasks.update', input }, ...handedBack(before, after)]
}

const peopleIn = ({ assignees }: Task) => assignees.flatMap(({ user_id }) => user_id ?? [])
const agentsIn = ({ assignees }: Task) => assignees.flatMap(({ agent_id }) => agent_id ?? [])

/** A column may have handed it to an agent, whom a list of people leaves alone. */
const handedBack = (before: Task, after: Task): Step[] =>
  agentsIn(after)
    .filter((agent_id) => !agentsIn(before).includes(agent_id))
    .map((agent_id) => ({
      op: 'tasks.assign',
      input: { task_id: before.task_id, agent_id, intent: 'unassign' },
    }))

const deleted = (task_id: number): Step => ({
  op: 'tasks.update',
  input: { task_id, status: 'Deleted' },
})

const unlinked = (source_task_id: number, { task_id }: { task_id: number }): Step => ({
  op: 'relations.delete',
  input: { source_task_id, target_task_id: task_id },
})

/** Those who are new on each task, or gone from it, as words that mean nobody else. */
const differing = (op: string, from: 'before' | 'after', to: 'before' | 'after') => (was: Was) =>
  list(was[from]).flatMap((task, at): Step[] => {
    const kept = list(was[to])[at]!.assignees.map(wordFor)
    const assignees = task.assignees.map(wordFor).filter((word) => !kept.includes(word))
    if (!assignees.length) return []
    return [{ op, input: { ticket_numbers: [task.ticket_number], assignees } }]
  })

const wordFor = ({ user_id, agent_id }: Person) => agent_id ?? String(user_id)

const relabelled = (as: 'add_labels' | 'remove_labels') => ({
  back({ input, output }: Was): Step[] | undefined {
    const those = (output as Receipt[]).filter(({ changed }) => changed.includes('labels'))
    const task_ids = those.map(({ task_id }) => task_id)
    if (!task_ids.length) return undefined
    return [{ op: 'tasks.update_many', input: { task_ids, [as]: [input.label] } }]
  },
})

export const ofTasks: Ways = {
  'tasks.create': { back: ({ output }) => [deleted((output as Receipt).task_id)] },
  'tasks.create_many': {
    back: ({ output }) => {
      const task_ids = (output as Receipt[]).map(({ task_id }) => task_id)
      return [{ op: 'tasks.update_many', input: { task_ids, status: 'Deleted' } }]
    },
  },
  'tasks.update': { sees: seesTasks, back: updated },
  'tasks.update_many': { sees: seesTasks, back: updated },
  'tasks.add_label': relabelled('remove_labels'),
  'tasks.remove_label': relabelled('add_labels'),
  'tasks.assign_to': {
    sees: seesField('assignees'),
    back: differing('tasks.unassign', 'after', 'before'),
  },
  'tasks.unassign': {
    sees: seesField('assignees'),
    back: differing('tasks.assign_to', 'before', 'after'),
  },
  'tasks.move': 'A task that moved has another key and left labels behind; move it back instead',
  'tasks.snooze': {
    sees: seesField('snoozed_until'),
    back: ({ before }) => {
      const { task_id, snoozed_until } = before as Task
      return [{ op: 'tasks.snooze', input: { task_id, until: snoozed_until } }]
    },
  },
  'tasks.restore': {
    sees: seesField('description'),
    back: ({ before, after }) => restored(before as Task, after as Task, ['description']),
  },
  'tasks.next': {
    back: ({ output }) => {
      const lease_id = (output as { lease?: { lease_id?: string } }[])[0]?.lease?.lease_id
      return lease_id === undefined ? undefined : [{ op: 'leases.release', input: { lease_id } }]
    },
  },
  'leases.claim': unmade('leases.release', 'lease_id'),
  'leases.release': 'Somebody else may have claimed the task; claim it again',
  'custom_fields.set': {
    sees: seesField('custom_fields'),
    back({ before, after }) {
      const [was, is] = [before as Task, after as Task]
      const ids = [...was.custom_fields, ...is.custom_fields].map(({ field_id }) => field_id)
      const valueIn = (task: Task, id: string) =>
        task.custom_fields.find(({ field_id }) => field_id === id)?.value ?? null
      const field_id = ids.find((id) => valueIn(was, id) !== valueIn(is, id))
      if (field_id === undefined) return undefined
      const { task_id } = was
      return [
        { op: 'custom_fields.set', input: { task_id, field_id, value: valueIn(was, field_id) } },
      ]
    },
  },
  'relations.create': unmade(
    'relations.delete',
    'source_task_id',
    'target_task_id',
    'relation_type',
  ),
  'relations.delete': {
    back: ({ output }) => {
      const { source_task_id, target_task_id, removed } = output as Fields & { removed: string[] }
      return removed.map((relation_type) => ({
        op: 'relations.create',
        input: { source_task_id, target_task_id, relation_type },
      }))
    },
  },
  'templates.create': {
    back: ({ output }) => [
      { op: 'templates.delete', input: { templateId: (output as Fields).template_id } },
    ],
  },
  'templates.delete': GONE,
  'templates.apply': {
    async back({ output }, look) {
      const { task_id } = output as Receipt
      const { tree } = (await look({ op: 'tasks.tree', input: { task_id } })) as { tree: Node }
      const task_ids = within(tree)
      return [{ op: 'tasks.update_many', input: { task_ids, status: 'Deleted' } }]
    },
  },
}

interface Node {
  task_id: number
  children: Node[]
}

const within = ({ task_id, children }: Node): number[] => [task_id, ...children.flatMap(within)]
