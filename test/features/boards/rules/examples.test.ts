import { expect, test } from 'bun:test'
import { waitForFollowers } from '../../../support/followers.ts'
import { runRules } from '../../../support/rules.ts'
import { type World, world } from '../../../support/world.ts'

type Fields = Record<string, unknown>

interface Example {
  rule: string
  when(w: World): Fields
  conditions?(w: World): Fields[]
  match?: 'ANY'
  actions(w: World): Fields[]
  /** What somebody does. */
  act(w: World): Promise<unknown>
  /** The task to look at: “Write the copy”, unless the example says otherwise. */
  task?(w: World): { task_id: number }
  /** What is then true of the task. */
  expected: Fields
}

const update = (w: World, fields: Fields, task = w.tasks.copy) =>
  w.cleo['tasks.update']({ ...task, ...fields } as never)
const comment = (text: string) => [{ do: 'comment', text }]
const commented = (text: string) => ({ comments: [text] })
const urgent = [{ do: 'set_field', field: 'priority', value: 1 }]
const isUrgent = { priority: 1 }
const idOf = (w: World) => w.cleo.caller.actor_id
const PULL = 'https://github.com/acme/site/pull/7'
const decide = async (w: World, task = w.tasks.copy) => {
  const { decision_request_id } = await w.bot['decision_requests.create']({
    ...{ ...task, question: 'Red or blue?', options: ['Red', 'Blue'] },
    user_ids: [idOf(w)],
  } as never)
  await w.cleo['decision_requests.answer']({ decision_request_id, selected_option: 'Red' })
}
const run = async (w: World, state: 'done' | 'failed') => {
  const { run_id } = await w.bot['runs.create'](w.tasks.copy)
  await w.bot['runs.update']({ run_id, state, summary: 'Over' } as never)
}
const moveTo = (name: keyof World['sections']) => (w: World) =>
  update(w, { section_id: w.sections[name] })
const event = (name: string) => () => ({ event: name })
const withField = (field: string, op: string, value?: unknown) => () => [
  { field, op, ...(value !== undefined && { value }) },
]

const EXAMPLES: Example[] = [
  {
    rule: 'a new task gets the priority Urgent',
    when: event('task_created'),
    actions: () => urgent,
    act: (w) => w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'New' }),
    task: () => ({ task_id: 5 }),
    expected: isUrgent,
  },
  {
    rule: 'a task created in Review gets a comment',
    when: (w) => ({ event: 'task_created', section_id: w.sections.Review }),
    actions: () => comment('Please look'),
    act: (w) =>
      w.cleo['tasks.create']({
        ...{ project_id: w.board.project_id, title: 'New' },
        section_id: w.sections.Review,
      }),
    task: () => ({ task_id: 5 }),
    expected: commented('Please look'),
  },
  {
    rule: 'a task created elsewhere gets none',
    when: (w) => ({ event: 'task_created', section_id: w.sections.Review }),
    actions: () => comment('Please look'),
    act: (w) => w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'New' }),
    task: () => ({ task_id: 5 }),
    expected: { comments: [] },
  },
  {
    rule: 'a task that moves to Review is assigned',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    actions: (w) => [{ do: 'assign', who: idOf(w) }],
    act: moveTo('Review'),
    expected: { assignees: ['Cleo'] },
  },
  {
    rule: 'a task that moves to another column is not',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    actions: (w) => [{ do: 'assign', who: idOf(w) }],
    act: moveTo('Doing'),
    expected: { assignees: [] },
  },
  {
    rule: 'a person can be named in words',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    actions: () => [{ do: 'assign', who: 'Ben' }],
    act: moveTo('Review'),
    expected: { assignees: ['Ben'] },
  },
  {
    rule: 'an agent can be assigned',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Doing }),
    actions: () => [{ do: 'assign', who: 'Bot' }],
    act: moveTo('Doing'),
    expected: { assignees: ['Bot'] },
  },
  {
    rule: 'a task with a new label becomes Urgent',
    when: (w) => ({ event: 'task_labeled', label_id: w.labels.bug }),
    actions: () => urgent,
    act: (w) => update(w, { labels: ['bug'] }),
    expected: isUrgent,
  },
  {
    rule: 'a task with another label does not',
    when: (w) => ({ event: 'task_labeled', label_id: w.labels.bug }),
    actions: () => urgent,
    act: (w) => update(w, { labels: ['ui'] }),
    expected: { priority: 0 },
  },
  {
    rule: 'a task created with the label becomes Urgent, too',
    when: (w) => ({ event: 'task_labeled', label_id: w.labels.bug }),
    actions: () => urgent,
    act: (w) =>
      w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'New', labels: ['bug'] }),
    task: () => ({ task_id: 5 }),
    expected: isUrgent,
  },
  {
    rule: 'an assigned task moves to Doing',
    when: event('task_assigned'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Doing }],
    act: (w) => update(w, { assignee_ids: [idOf(w)] }),
    expected: { section: 'Doing' },
  },
  {
    rule: 'a task assigned to Ben moves, one of Cleo does not',
    when: () => ({ event: 'task_assigned', who: 'Ben' }),
    actions: (w) => [{ do: 'move', section_id: w.sections.Doing }],
    act: (w) => update(w, { assignee_ids: [idOf(w)] }),
    expected: { section: 'Next' },
  },
  {
    rule: 'a new priority is commented',
    when: () => ({ event: 'field_changed', field: 'priority' }),
    actions: () => comment('Now {{task.priority}}'),
    act: (w) => update(w, { priority: 'High' }),
    expected: commented('Now High'),
  },
  {
    rule: 'only the priority Urgent is commented',
    when: () => ({ event: 'field_changed', field: 'priority', value: 1 }),
    actions: () => comment('Hurry'),
    act: (w) => update(w, { priority: 'High' }),
    expected: { comments: [] },
  },
  {
    rule: 'a new title is commented with its key',
    when: () => ({ event: 'field_changed', field: 'title' }),
    actions: () => comment('{{task.key}} is {{task.title}} by {{actor.name}}'),
    act: (w) => update(w, { title: 'Write all of it' }),
    expected: commented('HP-2 is Write all of it by Cleo'),
  },
  {
    rule: 'a completed task loses its label',
    when: event('task_completed'),
    actions: (w) => [{ do: 'remove_label', label_id: w.labels.bug }],
    act: moveTo('Done').bind(undefined),
    expected: { labels: [] },
  },
  {
    rule: 'a reopened task is not completed',
    when: event('task_completed'),
    actions: () => comment('Done'),
    act: (w) => update(w, { section_id: w.sections.Next }, w.tasks.domain),
    task: (w) => w.tasks.domain,
    expected: { comments: [] },
  },
  {
    rule: 'a comment with a word adds a label, whatever its case',
    when: () => ({ event: 'comment_contains', text: 'broken' }),
    actions: (w) => [{ do: 'add_label', label_id: w.labels.bug }],
    act: (w) => w.cleo['comments.add']({ ...w.tasks.copy, text: 'It is BROKEN again' }),
    expected: { labels: ['bug'] },
  },
  {
    rule: 'a comment without the word does not',
    when: () => ({ event: 'comment_contains', text: 'broken' }),
    actions: (w) => [{ do: 'add_label', label_id: w.labels.bug }],
    act: (w) => w.cleo['comments.add']({ ...w.tasks.copy, text: 'Fine' }),
    expected: { labels: [] },
  },
  {
    rule: 'a comment is quoted',
    when: () => ({ event: 'comment_contains', text: 'broken' }),
    actions: () => [
      { do: 'create_task', title: 'Look into {{task.key}}', text: '{{comment.text}}' },
    ],
    act: (w) => w.cleo['comments.add']({ ...w.tasks.copy, text: 'It is broken' }),
    task: () => ({ task_id: 5 }),
    expected: { title: 'Look into HP-2' },
  },
  {
    rule: 'an opened pull request moves its task to Review',
    when: event('pull_request_opened'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Review }],
    act: (w) => w.cleo['pull_requests.create']({ ...w.tasks.copy, url: PULL }),
    expected: { section: 'Review' },
  },
  {
    rule: 'a merged pull request completes its task',
    when: event('pull_request_merged'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Done }],
    act: async (w) => {
      await w.cleo['pull_requests.create']({ ...w.tasks.copy, url: PULL })
      await w.cleo['pull_requests.create']({ ...w.tasks.copy, url: PULL, state: 'merged' })
    },
    expected: { section: 'Done' },
  },
  {
    rule: 'an open pull request is not merged',
    when: event('pull_request_merged'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Done }],
    act: (w) => w.cleo['pull_requests.create']({ ...w.tasks.copy, url: PULL }),
    expected: { section: 'Next' },
  },
  {
    rule: 'failed checks are commented',
    when: event('checks_failed'),
    actions: () => comment('Red'),
    act: (w) => w.cleo['pull_requests.create']({ ...w.tasks.copy, url: PULL, checks: 'failing' }),
    expected: commented('Red'),
  },
  {
    rule: 'an answered decision moves the task',
    when: event('decision_answered'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Doing }],
    act: (w) => decide(w),
    expected: { section: 'Doing' },
  },
  {
    rule: 'a finished run moves the task to Review',
    when: event('run_finished'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Review }],
    act: (w) => run(w, 'done'),
    expected: { section: 'Review' },
  },
  {
    rule: 'a failed run makes the task Urgent',
    when: event('run_failed'),
    actions: () => urgent,
    act: (w) => run(w, 'failed'),
    expected: isUrgent,
  },
  {
    rule: 'a finished run is no failed one',
    when: event('run_failed'),
    actions: () => urgent,
    act: (w) => run(w, 'done'),
    expected: { priority: 0 },
  },
  {
    rule: 'a condition that the task matches',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    conditions: withField('label', 'is', 'bug'),
    actions: () => comment('A bug'),
    act: (w) => update(w, { section_id: w.sections.Review }, w.tasks.link),
    task: (w) => w.tasks.link,
    expected: commented('A bug'),
  },
  {
    rule: 'a condition that the task does not match',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    conditions: withField('label', 'is', 'bug'),
    actions: () => comment('A bug'),
    act: moveTo('Review'),
    expected: { comments: [] },
  },
  {
    rule: 'one of two conditions is enough with ANY',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    conditions: () => [
      { field: 'priority', op: 'is', value: 'Urgent' },
      { field: 'label', op: 'is', value: 'ui' },
    ],
    match: 'ANY',
    actions: () => comment('Fits'),
    act: (w) => update(w, { section_id: w.sections.Review }, w.tasks.link),
    task: (w) => w.tasks.link,
    expected: commented('Fits'),
  },
  {
    rule: 'with ALL both are necessary',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    conditions: () => [
      { field: 'priority', op: 'is', value: 'Urgent' },
      { field: 'label', op: 'is', value: 'ui' },
    ],
    actions: () => comment('Fits'),
    act: (w) => update(w, { section_id: w.sections.Review }, w.tasks.link),
    task: (w) => w.tasks.link,
    expected: { comments: [] },
  },
  {
    rule: 'conditions are tested on the task as it is afterwards',
    when: () => ({ event: 'field_changed', field: 'priority' }),
    conditions: withField('priority', 'is', 'Urgent'),
    actions: (w) => [{ do: 'move', section_id: w.sections.Doing }],
    act: (w) => update(w, { priority: 'Urgent' }),
    expected: { section: 'Doing' },
  },
  {
    rule: 'a due date is three days from now',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Doing }),
    actions: () => [{ do: 'set_field', field: 'due_date', days: 3 }],
    act: moveTo('Doing'),
    expected: { due_date: '2026-11-23' },
  },
  {
    rule: 'a due date is cleared',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Next }),
    actions: () => [{ do: 'set_field', field: 'due_date', value: null }],
    act: (w) => update(w, { section_id: w.sections.Next }, w.tasks.logo),
    task: (w) => w.tasks.logo,
    expected: { due_date: null },
  },
  {
    rule: 'a size is set',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Doing }),
    actions: () => [{ do: 'set_field', field: 'estimate', value: 4 }],
    act: moveTo('Doing'),
    expected: { size: 'M' },
  },
  {
    rule: 'an assignee is removed',
    when: event('task_completed'),
    actions: () => [{ do: 'unassign', who: 'Cleo' }],
    act: (w) => update(w, { section_id: w.sections.Done }, w.tasks.logo),
    task: (w) => w.tasks.logo,
    expected: { assignees: [] },
  },
  {
    rule: 'a subtask is created',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    actions: () => [{ do: 'create_subtask', title: 'Review {{task.title}}', who: 'Ben' }],
    act: moveTo('Review'),
    task: () => ({ task_id: 5 }),
    expected: { title: 'Review Write the copy', assignees: ['Ben'], parent: 'HP-2' },
  },
  {
    rule: 'several actions take place in their order',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    actions: (w) => [
      ...comment('One'),
      { do: 'add_label', label_id: w.labels.ui },
      { do: 'assign', who: 'Ben' },
      ...comment('Two'),
    ],
    act: moveTo('Review'),
    expected: { comments: ['One', 'Two'], labels: ['ui'], assignees: ['Ben'] },
  },
  {
    rule: 'an agent is called by a comment',
    when: (w) => ({ event: 'task_moved', section_id: w.sections.Review }),
    actions: () => [{ do: 'call_agent', who: 'Bot', text: 'Please review {{task.key}}' }],
    act: moveTo('Review'),
    expected: { comments: ['@Bot Please review HP-2'] },
  },
  {
    rule: 'texts of people are quoted as they are',
    when: () => ({ event: 'field_changed', field: 'title' }),
    actions: () => comment('{{task.title}}'),
    act: (w) => update(w, { title: '{{task.key}} <b>bold</b>' }),
    expected: { comments: ['{{task.key}} <b>bold</b>'] },
  },
]

test('there are at least forty examples', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(40)
})

for (const example of EXAMPLES)
  test(example.rule, async () => {
    const w = await world()
    const rules = example.conditions?.(w)
    const groups = rules ? [{ rules, ...(example.match && { match: example.match }) }] : []
    await w.ada['rules.create']({
      ...{ project_id: w.board.project_id, when: example.when(w), conditions: { groups } },
      actions: example.actions(w),
    } as never)
    await example.act(w)
    await runRules(w)
    const { task_id } = example.task?.(w) ?? w.tasks.copy
    expect(await stateOf(w, task_id)).toMatchObject(example.expected)
  })

async function taskOf(w: World, task_id: number) {
  const task = await w.ada['tasks.get']({ task_id })
  if (Array.isArray(task)) throw new Error('One task was requested')
  return task
}

/** A task in the words of the examples. */
async function stateOf(w: World, task_id: number) {
  const task = await taskOf(w, task_id)
  const { items } = await w.ada['comments.list']({ task_id, format: 'markdown' })
  const parent = task.parent_task_id && (await taskOf(w, task.parent_task_id))
  return {
    ...task,
    parent: parent ? parent.ticket_number : null,
    labels: task.labels.map(({ name }) => name),
    assignees: task.assignees.map(({ name }) => name),
    section: Object.entries(w.sections).find(([, id]) => id === task.section_id)?.[0],
    comments: items.map(({ text }) =>
      String(text).replaceAll('\\', '').replaceAll('**', '').trim(),
    ),
  }
}

test('reminders start rules, and notify reaches the assignees of a task', async () => {
  const w = await world()
  await w.ada['rules.create']({
    ...{ project_id: w.board.project_id, when: { event: 'overdue' } },
    actions: [{ do: 'notify', who: 'assignees', text: '{{task.key}} is late' }],
  })
  const { reminderSweeps } = await import('../../../../src/features/inbox/reminders/model/index.ts')
  w.clock.advance(10 * 86_400_000)
  for (const sweep of reminderSweeps) {
    const found = await w.store.read((tx) => sweep.find(tx, w.clock.now, 10))
    await w.store.write((tx) => sweep.run(tx, w.clock.now, found.ids))
  }
  await runRules(w)
  await waitForFollowers(w)
  const { items } = await w.cleo['inbox.list']({})
  expect(items.map(({ snippet }) => snippet)).toContain('HP-1 is late')
})
