import { boardIdOf, claim, columnOf, expectSame, type Task } from './task.ts'

/** Tasks in which a call is refused, and the error message says how to continue. */
export const recovery: Task[] = [
  {
    name: 'Lose a lease: claim again, and read the task before continuing',
    async run(scenario) {
      const key = await scenario.task({ title: 'Mend the gate' })
      const agent = await scenario.addAgent('Scout')
      const { lease_id } = await claim(agent, key)
      const before = { ticket_number: key, lease_id }
      await agent.do('svc_tasks', 'update', { ...before, estimate: 3 })
      // Completing the task ends the lease.
      const done = { section_id: scenario.columns.done }
      await scenario.ada('PATCH', `/api/v1/tasks/${key}`, done)
      await scenario.ada('PATCH', `/api/v1/tasks/${key}`, { section_id: scenario.columns.todo })
      const refusal = await agent.callRefused('svc_tasks', 'update', { ...before, estimate: 4 })
      expectSame('the error code', refusal.error, 'AgentMutationLeaseMissingError')
      const { lease_id: newLeaseId } = await claim(agent, key)
      const { estimate } = await agent.do('svc_tasks', 'get', { ticket_number: key }, DETAILED)
      await agent.do('svc_tasks', 'update', {
        ...{ ticket_number: key, lease_id: newLeaseId, estimate: estimate + 1 },
      })
      expectSame('the estimate', (await scenario.getTask(key)).estimate, 4)
    },
  },
  {
    name: 'Recover from a wrong key and a wrong field, then report it',
    async run(scenario) {
      const key = await scenario.task({ title: 'Mend the gate' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const wrong = `${key.split('-')[0]}-99`
      const notFound = await agent.callRefused('svc_tasks', 'get', { ticket_number: wrong })
      expectSame(
        'the hint names the tool that lists tasks',
        notFound.hint.includes('svc_tasks list'),
        true,
      )
      const [found] = await agent.do('svc_tasks', 'list', { project_id, query: 'gate' })
      const { ticket_number } = found
      await claim(agent, ticket_number)
      const fields = { ticket_number, prioritty: 'High' }
      const refusal = await agent.callRefused('svc_tasks', 'update', fields)
      const suggested = /mean (\w+)\?/.exec(refusal.hint)![1]!
      await agent.do('svc_tasks', 'update', { ticket_number, [suggested]: 'High' })
      const { reported } = await agent.do('svc_feedback', 'report', {
        ...{ tool: 'svc_tasks', status: 400, errorCode: refusal.details.code },
      })
      expectSame(
        'the priority and the report',
        [(await scenario.getTask(key)).priority_name, reported],
        ['High', true],
      )
    },
  },
  {
    name: 'Resolve a page conflict: read, merge, send again',
    async run(scenario) {
      const key = await scenario.task({ title: 'Garden' })
      const input = { title: 'Log', content: 'One.\n', content_type: 'markdown' }
      const { page_id } = await scenario.ada('POST', `/api/v1/tasks/${key}/pages`, input)
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [{ ticket_number }] = await agent.do('svc_tasks', 'list', { project_id })
      const [page] = await agent.do('svc_pages', 'list', { ticket_number })
      const { content, version } = await agent.do('svc_pages', 'get', { page_id: page.page_id })
      await scenario.ada('PATCH', `/api/v1/pages/${page_id}`, { content: 'One.\n\nTwo, by Ada.\n' })
      const update = { page_id, content: `${content}\nThree.\n`, if_version: version }
      const refusal = await agent.callRefused('svc_pages', 'update', update)
      expectSame('the error code', refusal.details.code, 'conflict')
      const current = await agent.do('svc_pages', 'get', { page_id })
      await agent.do('svc_pages', 'update', {
        ...{ page_id, content: `${current.content}\nThree.\n`, if_version: current.version },
      })
      const merged = await scenario.ada('GET', `/api/v1/pages/${page_id}`)
      expectSame('the words of the page', merged.content.match(/\w+[.,]/g), [
        'One.',
        'Two,',
        'Ada.',
        'Three.',
      ])
      expectSame(
        'the first column of the board',
        await columnOf(agent, project_id, 'To do'),
        scenario.columns.todo,
      )
    },
  },
]

const DETAILED = { response_format: 'detailed' } as const
