import type { Answer } from './agent.ts'
import { boardIdOf, claim, claimNext, expectSame, type Task, waitFor } from './task.ts'

/** What stands around a task. */
export const around: Task[] = [
  {
    name: 'Write a page, append to it, find it by its meaning',
    async play(scene) {
      await scene.task({ title: 'Garden' })
      const agent = await scene.addAgent('Scout')
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
        const found = await agent.peek('svc_search', 'semantic', { query, project_id })
        return found[0]?.text.includes('rotten') ? found : undefined
      })
      const [found] = await agent.do('svc_search', 'semantic', { query, project_id }, { limit: 3 })
      expectSame('the passage', found.text, best.text)
      const page = await scene.ada('GET', `/api/v1/pages/${page_id}`)
      expectSame(
        'the whole page',
        page.content.includes('linseed') && page.content.includes('rotten'),
        true,
      )
    },
  },
  {
    name: 'Run a timer while working, and log an hour for yesterday',
    async play(scene) {
      const key = await scene.task({ title: 'Sand the fence' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const task_identifier = await claimNext(agent, project_id)
      await agent.do('svc_time', 'start', { task_identifier })
      await agent.do('svc_time', 'stop', { task_identifier, note: 'First coat' })
      await agent.do('svc_time', 'log', { task_identifier, minutes: 60 })
      const report = await scene.ada('GET', `/api/v1/time/report?task_identifier=${key}`)
      expectSame('an hour, and no timer', Math.floor(report.total_seconds / 60), 60)
    },
  },
  {
    name: 'Attach a file to a task',
    async play(scene) {
      const key = await scene.task({ title: 'Plan' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [{ ticket_number }] = await agent.do('svc_tasks', 'list', { project_id })
      const data = Buffer.from('board,length\noak,2 m\n').toString('base64')
      const files = [{ filename: 'wood.csv', content_type: 'text/csv', data }]
      await agent.do('svc_attachments', 'attach', { ticket_number, files })
      const [file] = await scene.getTask(key, '/attachments')
      expectSame('it is there', [file.filename, file.size], ['wood.csv', 21])
    },
  },
  {
    name: 'Fill in a custom field',
    async play(scene) {
      const path = `/api/v1/projects/${scene.project_id}/custom-fields`
      await scene.ada('POST', path, { name: 'Coats', type: 'number' })
      const key = await scene.task({ title: 'Paint' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const [field] = await agent.do('svc_custom_fields', 'list', { project_id })
      const value = { field_name: field.name, value: 2 }
      await agent.do('svc_custom_fields', 'set', { ticket_number, ...value })
      const { custom_fields } = await scene.getTask(key)
      expectSame('two coats', custom_fields[0].value, 2)
    },
  },
  {
    name: 'Create a task that repeats, complete it, see the next one',
    async play(scene) {
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const fields = { title: 'Clean the brushes', due_date: '2030-01-31', recurrence: 'Monthly' }
      const { ticket_number } = await agent.do('svc_tasks', 'create', { project_id, ...fields })
      await claim(agent, ticket_number)
      const { sections } = await agent.do('svc_projects', 'manifest', { project_id })
      const { section_id } = sections.find((one: Answer) => one.done)
      await agent.do('svc_tasks', 'update', { ticket_number, section_id })
      const query = { project_id, query: 'is:open brushes' }
      const [next] = await agent.do('svc_tasks', 'list', query)
      expectSame('a month later', next.due_date, '2030-02-28')
      expectSame('the first is done', (await scene.getTask(ticket_number)).section, 'Done')
    },
  },
  {
    name: 'Start a task from a template',
    async play(scene) {
      const model = await scene.task({ title: 'Release', labels: ['docs'], priority: 'High' })
      const { task_id } = await scene.getTask(model)
      await scene.ada('POST', '/api/task-templates', { taskId: task_id, name: 'Release' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      await agent.do('svc_search', 'help', { query: 'task templates' }, { limit: 1 })
      const path = '/api/task-templates'
      const [{ template_id: templateId }] = await agent.rest(
        'GET',
        `${path}?projectId=${project_id}`,
      )
      const { ticket_number } = await agent.rest('POST', `${path}/apply`, { templateId })
      const { title, priority_name, labels } = await scene.getTask(ticket_number)
      expectSame(
        'as the template',
        [title, priority_name, labels[0].name],
        ['Release', 'High', 'docs'],
      )
      expectSame('a new one', ticket_number === model, false)
    },
  },
  {
    name: 'Snooze a task until a date',
    async play(scene) {
      const key = await scene.task({ title: 'Winter coat' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      await agent.do('svc_search', 'help', { query: 'snooze' }, { limit: 1 })
      await agent.rest('POST', `/api/v1/tasks/${ticket_number}/snooze`, { until: '2099-01-07' })
      expectSame('it sleeps', (await scene.getTask(key)).snoozed_until.slice(0, 4), '2099')
    },
  },
  {
    name: 'Save a view of urgent bugs and read it',
    async play(scene) {
      const wanted = await scene.task({ title: 'Crash', labels: ['bug'], priority: 'Urgent' })
      await scene.task({ title: 'Typo', labels: ['docs'], priority: 'Urgent' })
      const agent = await scene.addAgent('Scout')
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
        'what it shows',
        rows.map((one: Answer) => one.ticket_number),
        [wanted],
      )
      const { title } = await scene.ada('GET', `/api/v1/views/${view_id}`)
      expectSame('its name', title, 'Urgent bugs')
    },
  },
  {
    name: 'Write a report of completed work',
    async play(scene) {
      for (const title of ['Gate', 'Fence'])
        await scene.task({ title, section_id: scene.columns.done })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const done = await agent.do('svc_tasks', 'list', { project_id, query: 'is:done' })
      const items = done.map((one: Answer) => `<li>${one.ticket_number} ${one.title}</li>`)
      const body_html = `<h1>Done</h1><ul>${items.join('')}</ul>`
      const report = { project_id, title: 'This week', body_html }
      const { report_id } = await agent.do('svc_reports', 'create', report)
      const kept = await scene.ada('GET', `/api/v1/reports/${report_id}`)
      expectSame(
        'both are in it',
        [/Gate/, /Fence/].every((one) => one.test(kept.body_html)),
        true,
      )
    },
  },
  {
    name: 'Set up a webhook and test it',
    async play(scene) {
      const letters: string[] = []
      const box = Bun.serve({
        ...{ port: 0, hostname: '127.0.0.1' },
        async fetch(request) {
          letters.push(await request.text())
          return new Response(null, { status: 200 })
        },
      })
      try {
        const agent = await scene.addAgent('Scout')
        const url = `http://127.0.0.1:${box.port}/hook`
        const self = { agent_id: 'self' }
        await agent.do('svc_webhooks', 'configure', { ...self, url, events: ['task.assigned'] })
        await agent.do('svc_webhooks', 'test', self)
        expectSame('it came', letters.length, 1)
        const webhook = await scene.ada('GET', `/api/v1/agents/${agent.agent_id}/webhook`)
        expectSame('for assignments', webhook.events, ['task.assigned'])
      } finally {
        await box.stop(true)
      }
    },
  },
]
