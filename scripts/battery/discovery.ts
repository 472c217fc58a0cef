import type { Answer } from './agent.ts'
import { boardIdOf, columnOf, expectSame, type Task } from './task.ts'

const keys = (rows: Answer[]) => rows.map(({ ticket_number }) => ticket_number).sort()

/** Tasks that only read: boards, columns and tasks are found. */
export const discovery: Task[] = [
  {
    name: 'First contact: who am I, and where can I work',
    async run(scenario) {
      const agent = await scenario.addAgent('Scout')
      const { you, boards } = await agent.do('svc_user_context', 'hello')
      expectSame('the id of the agent', you.agent_id, agent.agent_id)
      expectSame('the id of its board', boards[0].project_id, scenario.project_id)
    },
  },
  {
    name: 'Find the column Review of a board, both by name',
    async run(scenario) {
      const agent = await scenario.addAgent('Scout')
      const { boards } = await agent.do('svc_user_context', 'hello')
      const { title } = await scenario.ada('GET', `/api/v1/projects/${scenario.project_id}`)
      const { project_id } = boards.find((one: Answer) => one.title === title)
      expectSame('the column', await columnOf(agent, project_id, 'Review'), scenario.columns.review)
    },
  },
  {
    name: 'Find a task by its text',
    async run(scenario) {
      const wanted = await scenario.task({
        title: 'Printer',
        description: 'The left margin is cut off on every second sheet.',
      })
      for (let at = 0; at < 12; at++) await scenario.task({ title: `Errand ${at}` })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = await agent.do('svc_search', 'tasks', { query: 'margin cut off', project_id })
      expectSame('the task', keys(found), [wanted])
    },
  },
  {
    name: 'List the open bugs of high priority',
    async run(scenario) {
      const bug = { title: 'Crash', labels: ['bug'], priority: 'High' }
      const wanted = await scenario.task(bug)
      await scenario.task({ ...bug, section_id: scenario.columns.done })
      await scenario.task({ ...bug, priority: 'Low' })
      await scenario.task({ ...bug, labels: ['ui'] })
      const agent = await scenario.addAgent('Scout')
      await boardIdOf(agent)
      const query = 'is:open label:bug priority:high'
      expectSame('the bugs', keys(await agent.do('svc_search', 'tasks', { query })), [wanted])
    },
  },
  {
    name: "List Ben's tasks",
    async run(scenario) {
      const ben = { assignee_ids: [scenario.people.ben.user_id] }
      const wanted = [await scenario.task({ title: 'One', ...ben })]
      wanted.push(await scenario.task({ title: 'Two', ...ben }))
      await scenario.task({ title: 'Three', assignee_ids: [scenario.people.ada.user_id] })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = await agent.do('svc_tasks', 'list', { project_id, assigned_to: 'Ben' })
      expectSame('the tasks of Ben', keys(found), wanted)
    },
  },
  {
    name: 'List overdue tasks',
    async run(scenario) {
      const wanted = await scenario.task({ title: 'Late', due_date: '2026-01-05' })
      const past = { due_date: '2026-01-05', section_id: scenario.columns.done }
      await scenario.task({ title: 'Done', ...past })
      await scenario.task({ title: 'Soon', due_date: '2099-01-05' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = await agent.do('svc_tasks', 'list', { project_id, query: 'is:overdue' })
      expectSame('the overdue task', keys(found), [wanted])
    },
  },
  {
    name: 'List blocked tasks and their blockers',
    async run(scenario) {
      const blocked = await scenario.task({ title: 'Paint' })
      const blocker = await scenario.task({ title: 'Sand' })
      const ends = { source_ticket_number: blocked, target_ticket_number: blocker }
      await scenario.ada('POST', '/api/v1/relations', { ...ends, relation_type: 'BlockedBy' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [found] = await agent.do('svc_tasks', 'list', { project_id, query: 'is:blocked' })
      const { ticket_number } = found
      const { blocked_by } = await agent.do('svc_tasks', 'context', {
        ...{ ticket_number, summary: true },
      })
      const keys = [ticket_number, blocked_by[0].ticket_number]
      expectSame('the task and its blocker', keys, [blocked, blocker])
    },
  },
  {
    name: 'Read all 120 tasks, page by page',
    async run(scenario) {
      for (let at = 0; at < 120; at++) await scenario.task({ title: `Errand ${at}` })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const found = new Set<string>()
      let cursor: string | undefined
      do {
        const input = { project_id, fields: ['ticket_number', 'title'], ...(cursor && { cursor }) }
        const { data, page } = await agent.callTool('svc_tasks', 'list', input, { limit: 50 })
        for (const { ticket_number } of data) found.add(ticket_number)
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      expectSame('the number of different tasks', found.size, 120)
    },
  },
]
