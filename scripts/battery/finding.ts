import type { Answer } from './agent.ts'
import { boardIdOf, columnOf, expectSame, type Task } from './task.ts'

const keys = (rows: Answer[]) => rows.map(({ ticket_number }) => ticket_number).sort()

/** What is found before anything is done. */
export const finding: Task[] = [
  {
    name: 'First contact: who am I, and where can I work',
    async play(scene) {
      const agent = await scene.addAgent('Scout')
      const { you, boards } = await agent.do('svc_user_context', 'hello')
      expectSame('it knows itself', you.agent_id, agent.agent_id)
      expectSame('and its board', boards[0].project_id, scene.project_id)
    },
  },
  {
    name: 'Find the column Review of a board, both by name',
    async play(scene) {
      const agent = await scene.addAgent('Scout')
      const { boards } = await agent.do('svc_user_context', 'hello')
      const { title } = await scene.ada('GET', `/api/v1/projects/${scene.project_id}`)
      const { project_id } = boards.find((one: Answer) => one.title === title)
      expectSame('the column', await columnOf(agent, project_id, 'Review'), scene.columns.review)
    },
  },
  {
    name: 'Find a task by its text',
    async play(scene) {
      const wanted = await scene.task({
        title: 'Printer',
        description: 'The left margin is cut off on every second sheet.',
      })
      for (let at = 0; at < 12; at++) await scene.task({ title: `Errand ${at}` })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = await agent.do('svc_search', 'tasks', { query: 'margin cut off', project_id })
      expectSame('the task', keys(found), [wanted])
    },
  },
  {
    name: 'List the open bugs of high priority',
    async play(scene) {
      const bug = { title: 'Crash', labels: ['bug'], priority: 'High' }
      const wanted = await scene.task(bug)
      await scene.task({ ...bug, section_id: scene.columns.done })
      await scene.task({ ...bug, priority: 'Low' })
      await scene.task({ ...bug, labels: ['ui'] })
      const agent = await scene.addAgent('Scout')
      await boardIdOf(agent)
      const query = 'is:open label:bug priority:high'
      expectSame('the bugs', keys(await agent.do('svc_search', 'tasks', { query })), [wanted])
    },
  },
  {
    name: "List Ben's tasks",
    async play(scene) {
      const ben = { assignee_ids: [scene.people.ben.user_id] }
      const wanted = [await scene.task({ title: 'One', ...ben })]
      wanted.push(await scene.task({ title: 'Two', ...ben }))
      await scene.task({ title: 'Three', assignee_ids: [scene.people.ada.user_id] })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = await agent.do('svc_tasks', 'list', { project_id, assigned_to: 'Ben' })
      expectSame('his tasks', keys(found), wanted)
    },
  },
  {
    name: 'List overdue tasks',
    async play(scene) {
      const wanted = await scene.task({ title: 'Late', due_date: '2026-01-05' })
      const past = { due_date: '2026-01-05', section_id: scene.columns.done }
      await scene.task({ title: 'Done', ...past })
      await scene.task({ title: 'Soon', due_date: '2099-01-05' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = await agent.do('svc_tasks', 'list', { project_id, query: 'is:overdue' })
      expectSame('the late one', keys(found), [wanted])
    },
  },
  {
    name: 'List blocked tasks and their blockers',
    async play(scene) {
      const waits = await scene.task({ title: 'Paint' })
      const first = await scene.task({ title: 'Sand' })
      const ends = { source_ticket_number: waits, target_ticket_number: first }
      await scene.ada('POST', '/api/v1/relations', { ...ends, relation_type: 'BlockedBy' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [found] = await agent.do('svc_tasks', 'list', { project_id, query: 'is:blocked' })
      const { ticket_number } = found
      const { blocked_by } = await agent.do('svc_tasks', 'context', {
        ...{ ticket_number, summary: true },
      })
      expectSame('what waits, and for what', [ticket_number, ...blocked_by], [waits, first])
    },
  },
  {
    name: 'Read all 120 tasks, page by page',
    async play(scene) {
      for (let at = 0; at < 120; at++) await scene.task({ title: `Errand ${at}` })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = new Set<string>()
      let cursor: string | undefined
      do {
        const input = { project_id, fields: ['ticket_number', 'title'], ...(cursor && { cursor }) }
        const { data, page } = await agent.whole('svc_tasks', 'list', input, { limit: 50 })
        for (const { ticket_number } of data) found.add(ticket_number)
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      expectSame('each of them once', found.size, 120)
    },
  },
]
