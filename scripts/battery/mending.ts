import { boardIdOf, claim, columnOf, expectSame, type Task } from './task.ts'

/** What goes wrong, and is put right with nothing but what the refusal says. */
export const mending: Task[] = [
  {
    name: 'Lose a lease: claim again, and read the task before continuing',
    async play(scene) {
      const key = await scene.task({ title: 'Mend the gate' })
      const agent = await scene.addAgent('Scout')
      const { lease_id } = await claim(agent, key)
      const before = { ticket_number: key, lease_id }
      await agent.do('svc_tasks', 'update', { ...before, estimate: 3 })
      // Somebody puts it aside, which ends the lease.
      const done = { section_id: scene.columns.done }
      await scene.ada('PATCH', `/api/v1/tasks/${key}`, done)
      await scene.ada('PATCH', `/api/v1/tasks/${key}`, { section_id: scene.columns.todo })
      const refusal = await agent.refused('svc_tasks', 'update', { ...before, estimate: 4 })
      expectSame('it is told which', refusal.error, 'AgentMutationLeaseMissingError')
      const { lease_id: anew } = await claim(agent, key)
      const { estimate } = await agent.do('svc_tasks', 'get', { ticket_number: key }, DETAILED)
      await agent.do('svc_tasks', 'update', {
        ...{ ticket_number: key, lease_id: anew, estimate: estimate + 1 },
      })
      expectSame('its size', (await scene.getTask(key)).estimate, 4)
    },
  },
  {
    name: 'Recover from a wrong key and a wrong field, then report it',
    async play(scene) {
      const key = await scene.task({ title: 'Mend the gate' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const wrong = `${key.split('-')[0]}-99`
      const lost = await agent.refused('svc_tasks', 'get', { ticket_number: wrong })
      expectSame('it is told where to look', lost.hint.includes('svc_tasks list'), true)
      const [found] = await agent.do('svc_tasks', 'list', { project_id, query: 'gate' })
      const { ticket_number } = found
      await claim(agent, ticket_number)
      const fields = { ticket_number, prioritty: 'High' }
      const refusal = await agent.refused('svc_tasks', 'update', fields)
      const meant = /mean (\w+)\?/.exec(refusal.hint)![1]!
      await agent.do('svc_tasks', 'update', { ticket_number, [meant]: 'High' })
      const { reported } = await agent.do('svc_feedback', 'report', {
        ...{ tool: 'svc_tasks', status: 400, errorCode: refusal.details.code },
      })
      expectSame(
        'mended and told',
        [(await scene.getTask(key)).priority_name, reported],
        ['High', true],
      )
    },
  },
  {
    name: 'Resolve a page conflict: read, merge, send again',
    async play(scene) {
      const key = await scene.task({ title: 'Garden' })
      const made = { title: 'Log', content: 'One.\n', content_type: 'markdown' }
      const { page_id } = await scene.ada('POST', `/api/v1/tasks/${key}/pages`, made)
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [{ ticket_number }] = await agent.do('svc_tasks', 'list', { project_id })
      const [page] = await agent.do('svc_pages', 'list', { ticket_number })
      const { content, version } = await agent.do('svc_pages', 'get', { page_id: page.page_id })
      await scene.ada('PATCH', `/api/v1/pages/${page_id}`, { content: 'One.\n\nTwo, by Ada.\n' })
      const mine = { page_id, content: `${content}\nThree.\n`, if_version: version }
      const refusal = await agent.refused('svc_pages', 'update', mine)
      expectSame('it is told of it', refusal.details.code, 'conflict')
      const now = await agent.do('svc_pages', 'get', { page_id })
      await agent.do('svc_pages', 'update', {
        ...{ page_id, content: `${now.content}\nThree.\n`, if_version: now.version },
      })
      const kept = await scene.ada('GET', `/api/v1/pages/${page_id}`)
      expectSame('nothing is lost', kept.content.match(/\w+[.,]/g), [
        'One.',
        'Two,',
        'Ada.',
        'Three.',
      ])
      expectSame(
        'the board is as it was',
        await columnOf(agent, project_id, 'To do'),
        scene.columns.todo,
      )
    },
  },
]

const DETAILED = { response_format: 'detailed' } as const
