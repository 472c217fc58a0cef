import type { Answer } from './agent.ts'
import { boardIdOf, claim, claimNext, expectSame, type Task, waitFor } from './task.ts'

/** Tasks about what belongs to a task: pages, time, files, fields, views and reports. */
export const taskDetails: Task[] = [
  {
    name: 'Write a page, append to it, find it by its meaning',
    async run(scenario) {
      await scenario.task({ title: 'Garden' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [{ ticket_number }] = await agent.do('svc_tasks', 'list', { project_id })
      const content = '# Fence\n\nThe wood was treated with linseed oil in spring.\n'
      const { page_id } = await agent.do('svc_pages', 'create', {
        ...{ ticket_number, title: 'Fence log', content, content_type: 'markdown' },
      })
      const more = '\n## Autumn\n\nTwo boards are rotten and want replacing.\n'
      await agent.do('svc_pages', 'update', { page_id, content: more, mode: 'append' })
      const query = 'which planks have decayed and need to be replaced'
      const [best] = await waitFor(async () => {
        const found = await agent.callUncounted('svc_search', 'semantic', { query, project_id })
        return found[0]?.text.includes('rotten') ? found : undefined
      })
      const [found] = await agent.do('svc_search', 'semantic', { query, project_id }, { limit: 3 })
      expectSame('the passage', found.text, best.text)
      const page = await scenario.ada('GET', `/api/v1/pages/${page_id}`)
      expectSame(
        'the whole page',
        page.content.includes('linseed') && page.content.includes('rotten'),
        true,
      )
    },
  },
  {
    name: 'Run a timer while working, and log an hour for yesterday',
    async run(scenario) {
      const key = await scenario.task({ title: 'Sand the fence' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const task_identifier = await claimNext(agent, project_id)
      await agent.do('svc_time', 'start', { task_identifier })
      await agent.do('svc_time', 'stop', { task_identifier, note: 'First coat' })
      await agent.do('svc_time', 'log', { task_identifier, minutes: 60 })
      const report = await scenario.ada('GET', `/api/v1/time/report?task_identifier=${key}`)
      expectSame('the logged minutes', Math.floor(report.total_seconds / 60), 60)
    },
  },
  {
    name: 'Attach a file to a task',
    async run(scenario) {
      const key = await scenario.task({ title: 'Plan' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [{ ticket_number }] = await agent.do('svc_tasks', 'list', { project_id })
      const data = Buffer.from('board,length\noak,2 m\n').toString('base64')
      const files = [{ filename: 'wood.csv', content_type: 'text/csv', data }]
      await agent.do('svc_attachments', 'attach', { ticket_number, files })
      const [file] = await scenario.getTask(key, '/attachments')
      expectSame('the attachment', [file.filename, file.size], ['wood.csv', 21])
    },
  },
  {
    name: 'Fill in a custom field',
    async run(scenario) {
      const path = `/api/v1/projects/${scenario.project_id}/custom-fields`
      await scenario.ada('POST', path, { name: 'Coats', type: 'number' })
      const key = await scenario.task({ title: 'Paint' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const [field] = await agent.do('svc_custom_fields', 'list', { project_id })
      const value = { field_name: field.name, value: 2 }
      await agent.do('svc_custom_fields', 'set', { ticket_number, ...value })
      const { custom_fields } = await scenario.getTask(key)
      expectSame('the value of the field', custom_fields[0].value, 2)
    },
  },
  {
    name: 'Create a task that repeats, complete it, see the next one',
    async run(scenario) {
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const fields = { title: 'Clean the brushes', due_date: '2030-01-31', recurrence: 'Monthly' }
      const { ticket_number } = await agent.do('svc_tasks', 'create', { project_id, ...fields })
      await claim(agent, ticket_number)
      const { sections } = await agent.do('svc_projects', 'manifest', { project_id })
      const { section_id } = sections.find((one: Answer) => one.done)
      await agent.do('svc_tasks', 'update', { ticket_number, section_id })
      const query = { project_id, query: 'is:open brushes' }
      const [next] = await agent.do('svc_tasks', 'list', query)
      expectSame('the next due date', next.due_date, '2030-02-28')
      expectSame(
        'the column of the first task',
        (await scenario.getTask(ticket_number)).section,
        'Done',
      )
    },
  },
  {
    name: 'Start a task from a template',
    async run(scenario) {
      const template = await scenario.task({ title: 'Release', labels: ['docs'], priority: 'High' })
      const { task_id } = await scenario.getTask(template)
      await scenario.ada('POST', '/api/task-templates', { taskId: task_id, name: 'Release' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      await agent.do('svc_search', 'help', { query: 'task templates' }, { limit: 1 })
      const path = '/api/task-templates'
      const [{ template_id: templateId }] = await agent.rest(
        'GET',
        `${path}?projectId=${project_id}`,
      )
      const { ticket_number } = await agent.rest('POST', `${path}/apply`, { templateId })
      const { title, priority_name, labels } = await scenario.getTask(ticket_number)
      expectSame(
        'the fields of the template',
        [title, priority_name, labels[0].name],
        ['Release', 'High', 'docs'],
      )
      expectSame('the template itself was returned', ticket_number === template, false)
    },
  },
  {
    name: 'Snooze a task until a date',
    async run(scenario) {
      const key = await scenario.task({ title: 'Winter coat' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      await agent.do('svc_search', 'help', { query: 'snooze' }, { limit: 1 })
      await agent.rest('POST', `/api/v1/tasks/${ticket_number}/snooze`, { until: '2099-01-07' })
      expectSame(
        'the year until which it is snoozed',
        (await scenario.getTask(key)).snoozed_until.slice(0, 4),
        '2099',
      )
    },
  },
  {
    name: 'Save a view of urgent bugs and read it',
    async run(scenario) {
      const wanted = await scenario.task({ title: 'Crash', labels: ['bug'], priority: 'Urgent' })
      await scenario.task({ title: 'Typo', labels: ['docs'], priority: 'Urgent' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const rules = [
        { field: 'priority', op: 'is', value: 'Urgent' },
        { field: 'label', op: 'is', value: 'bug' },
      ]
      const { view_id } = await agent.do('svc_views', 'create', {
        ...{
          project_id,
          title: 'Urgent bugs',
          board_filters: { groups: [{ match: 'ALL', rules }] },
        },
      })
      const rows = await agent.do('svc_views', 'tasks', { view_id })
      expectSame(
        'the tasks of the view',
        rows.map((one: Answer) => one.ticket_number),
        [wanted],
      )
      const { title } = await scenario.ada('GET', `/api/v1/views/${view_id}`)
      expectSame('the title of the view', title, 'Urgent bugs')
    },
  },
  {
    name: 'Write a report of completed work',
    async run(scenario) {
      for (const title of ['Gate', 'Fence'])
        await scenario.task({ title, section_id: scenario.columns.done })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const done = await agent.do('svc_tasks', 'list', { project_id, query: 'is:done' })
      const items = done.map((one: Answer) => `<li>${one.ticket_number} ${one.title}</li>`)
      const body_html = `<h1>Done</h1><ul>${items.join('')}</ul>`
      const report = { project_id, title: 'This week', body_html }
      const { report_id } = await agent.do('svc_reports', 'create', report)
      const saved = await scenario.ada('GET', `/api/v1/reports/${report_id}`)
      expectSame(
        'the report contains both tasks',
        [/Gate/, /Fence/].every((one) => one.test(saved.body_html)),
        true,
      )
    },
  },
  {
    name: 'Set up a webhook and test it',
    async run(scenario) {
      const deliveries: string[] = []
      const receiver = Bun.serve({
        ...{ port: 0, hostname: '127.0.0.1' },
        async fetch(request) {
          deliveries.push(await request.text())
          return new Response(null, { status: 200 })
        },
      })
      try {
        const agent = await scenario.addAgent('Scout')
        const url = `http://127.0.0.1:${receiver.port}/hook`
        const self = { agent_id: 'self' }
        await agent.do('svc_webhooks', 'configure', { ...self, url, events: ['task.assigned'] })
        await agent.do('svc_webhooks', 'test', self)
        expectSame('the number of deliveries', deliveries.length, 1)
        const webhook = await scenario.ada('GET', `/api/v1/agents/${agent.agent_id}/webhook`)
        expectSame('the events of the webhook', webhook.events, ['task.assigned'])
      } finally {
        await receiver.stop(true)
      }
    },
  },
]
