import type { Answer } from './agent.ts'
import { expectSame, type Task } from './task.ts'

const names = (rows: Answer[]) => rows.map(({ name }) => name)

/**
 * Jobs as models do them that have only the list of tools and the instructions: they guess names,
 * spellings and types instead of looking up ids.
 */
export const guesses: Task[] = [
  {
    name: 'Guess: create a task in a column by name, with words for priority and size',
    async run({ addAgent, project_id, getTask }) {
      const agent = await addAgent('Scout')
      const { ticket_number } = await agent.do('svc_tasks', 'create', {
        ...{ project_id, title: 'Mend the gate', section: 'Doing', priority: 'high', size: 'M' },
        labels: 'bug',
      })
      const task = await getTask(ticket_number)
      expectSame('the task', [task.section, task.priority_name, task.size], ['Doing', 'High', 'M'])
      expectSame('the labels', names(task.labels), ['bug'])
    },
  },
  {
    name: 'Guess: take a task by a key in a sentence, and move it by the name of the column',
    async run({ addAgent, task, getTask }) {
      const key = await task({ title: 'Mend the gate' })
      const agent = await addAgent('Scout')
      await agent.do('svc_tasks', 'claim', { ticket_number: `#${key.toLowerCase()}` })
      await agent.do('svc_tasks', 'update', { task_id: key, section_id: 'Review' })
      await agent.do('svc_tasks', 'release', { ticket_number: key.replace('-', ' ') })
      expectSame('the column', (await getTask(key)).section, 'Review')
      expectSame('the lease', (await getTask(key, '/lease')).lease, null)
    },
  },
  {
    name: 'Guess: link two tasks with blocked_by',
    async run({ addAgent, task, getTask }) {
      const [paint, sand] = [await task({ title: 'Paint' }), await task({ title: 'Sand' })]
      const agent = await addAgent('Scout')
      await agent.do('svc_tasks', 'claim', { ticket_number: paint })
      await agent.do('svc_tasks', 'link', {
        source_ticket_number: paint,
        ...{ target_ticket_number: sand, relation_type: 'blocked_by' },
      })
      const { blocked_by } = await getTask(paint, '/context')
      expectSame('the blocker', blocked_by[0].ticket_number, sand)
    },
  },
  {
    name: 'Guess: a weekly task, with the input as JSON text',
    async run({ addAgent, project_id, getTask }) {
      const agent = await addAgent('Scout')
      const input = { project_id, title: 'Water', recurrence: 'weekly', due_date: '2030-01-07' }
      const created = await agent.do('svc_tasks', 'create', JSON.stringify(input))
      expectSame('the repeat', (await getTask(created.ticket_number)).recurrence, 'Weekly')
    },
  },
  {
    name: 'Guess: assign Ben by name, with the note of the reason',
    async run({ addAgent, task, getTask }) {
      const key = await task({ title: 'Call the shop' })
      const agent = await addAgent('Scout')
      await agent.do('svc_tasks', 'claim', { ticket_number: key })
      await agent.do('svc_tasks', 'assign', { ticket_number: key, user_ids: 'Ben' })
      await agent.do('svc_comments', 'add', { task_id: key, comment: 'He knows them' })
      expectSame('the assignees', names((await getTask(key)).assignees), ['Ben'])
    },
  },
  {
    name: 'Guess: hand a task over to my owner',
    async run({ addAgent, task, getTask }) {
      const key = await task({ title: 'Order paint' })
      const agent = await addAgent('Scout')
      await agent.do('svc_tasks', 'claim', { ticket_number: key })
      const note = 'Ordered; please pay the invoice'
      await agent.do('svc_tasks', 'hand_over', { ticket_number: key, to: 'Owner', note })
      expectSame('the assignees', names((await getTask(key)).assignees), ['Ada'])
    },
  },
  {
    name: 'Guess: the board by its name, and its open bugs',
    async run({ addAgent, task }) {
      const key = await task({ title: 'Crash', labels: ['bug'], priority: 'High' })
      const agent = await addAgent('Scout')
      const { boards } = await agent.do('svc_user_context', 'hello')
      const found = await agent.do('svc_tasks', 'list', {
        ...{ project_id: boards[0].title, labels: 'bug', priority: 'high' },
      })
      expectSame('the bug', found[0].ticket_number, key)
    },
  },
  {
    name: 'Guess: three tasks in one call, one below another',
    async run({ addAgent, project_id, getTask }) {
      const agent = await addAgent('Scout')
      const tasks = [
        { title: 'Fence', priority: 'high' },
        { title: 'Sand', parent: '0' },
        { title: 'Paint', parent: 0, labels: 'ui' },
      ]
      const created = await agent.do('svc_tasks', 'create_many', { project_id, tasks })
      const { subtasks } = await getTask(created[0].ticket_number, '/context')
      expectSame(
        'the subtasks',
        subtasks.map(({ title }: Answer) => title),
        ['Sand', 'Paint'],
      )
    },
  },
  {
    name: 'Guess: change several tasks at once',
    async run({ addAgent, task, getTask }) {
      const keys = [await task({ title: 'One' }), await task({ title: 'Two' })]
      const agent = await addAgent('Scout')
      for (const ticket_number of keys) await agent.do('svc_tasks', 'claim', { ticket_number })
      const change = { priority: 'low', add_labels: 'docs' }
      await agent.do('svc_tasks', 'update_many', { ticket_numbers: keys.join(), ...change })
      for (const key of keys) expectSame('the priority', (await getTask(key)).priority_name, 'Low')
    },
  },
  {
    name: 'Guess: what to do next, in the columns for review',
    async run({ addAgent, task, columns, project_id }) {
      const key = await task({ title: 'Check it', section_id: columns.review })
      const agent = await addAgent('Scout')
      const found = await agent.do('svc_tasks', 'next', { project_id, role: 'Verify' })
      expectSame('the task', found[0].ticket_number, key)
    },
  },
  {
    name: 'Guess: start on a task from its short context',
    async run({ addAgent, task }) {
      const key = await task({ title: 'Paint', description: 'Use **green**, RAL 6005.' })
      const agent = await addAgent('Scout')
      const context = await agent.do('svc_tasks', 'context', {
        ticket_number: key,
        summary: 'true',
      })
      expectSame('the description', context.description, 'Use green, RAL 6005.')
    },
  },
  {
    name: 'Guess: a page with its text beside the action',
    async run({ addAgent, task, getTask }) {
      const key = await task({ title: 'Paint' })
      const agent = await addAgent('Scout')
      await agent.do('svc_pages', 'create', {
        ticket_number: key,
        title: 'Colours',
        text: '# Green',
      })
      const [page] = await getTask(key, '/pages')
      expectSame('the page', page.title, 'Colours')
    },
  },
  {
    name: 'Guess: ask a person to decide, with their name',
    async run({ addAgent, task }) {
      const key = await task({ title: 'Paint' })
      const agent = await addAgent('Scout')
      const { decision_request_id } = await agent.do('svc_decision_requests', 'create', {
        ...{ ticket_number: key, question: 'Blue or green?', options: ['Blue', 'Green'] },
        user_ids: ['Ada'],
      })
      const request = await agent.do('svc_decision_requests', 'get', {
        decision_request_id: String(decision_request_id),
      })
      expectSame('its state', request.status, 'pending')
    },
  },
  {
    name: 'Guess: attach a text file and read it again',
    async run({ addAgent, task }) {
      const key = await task({ title: 'Paint' })
      const agent = await addAgent('Scout')
      const file = { filename: 'ral.txt', content_type: 'text/plain', text: 'RAL 6005' }
      const { attachments } = await agent.do('svc_attachments', 'attach', {
        ...{ ticket_number: key, files: file },
      })
      const { attachment_id } = attachments[0]
      const found = await agent.do('svc_attachments', 'get', { attachment_id })
      expectSame('the file', found.filename, 'ral.txt')
    },
  },
  {
    name: 'Guess: the work of the last week in one call',
    async run({ addAgent, task, columns }) {
      const key = await task({ title: 'Sand', section_id: columns.done })
      await task({ title: 'Paint' })
      const agent = await addAgent('Scout')
      const found = await agent.do('svc_search', 'tasks', { query: 'completed:<7d' })
      expectSame(
        'the tasks',
        found.map(({ ticket_number }: Answer) => ticket_number),
        [key],
      )
    },
  },
]
