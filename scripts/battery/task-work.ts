import type { Answer } from './agent.ts'
import {
  boardIdOf,
  claim,
  claimNext,
  columnOf,
  expectSame,
  startedSession,
  type Task,
} from './task.ts'

const sectionOf = (answer: Answer) => answer.section

/** Tasks in which one agent claims tasks and works on them. */
export const taskWork: Task[] = [
  {
    name: 'Take the next free task, comment, complete it; the board is known',
    budget: { calls: 3, tokens: 1500 },
    async run(scenario) {
      const urgent = await scenario.task({ title: 'Mend the gate', priority: 'Urgent' })
      await scenario.task({ title: 'Paint the fence' })
      const agent = await scenario.addAgent('Scout')
      const { project_id, done } = await startedSession(agent)
      const ticket_number = await claimNext(agent, project_id)
      const text = 'The hinge was bent; it is **straight** again.'
      await agent.do('svc_comments', 'add', { ticket_number, text, content_type: 'markdown' })
      await agent.do('svc_tasks', 'update', { ticket_number, section_id: done })
      expectSame('the column of the urgent task', sectionOf(await scenario.getTask(urgent)), 'Done')
      const comments = await scenario.getTask(urgent, '/comments')
      expectSame('the author of the comment', comments[0].author.name, agent.title)
      expectSame('the lease', (await scenario.getTask(urgent, '/lease')).lease, null)
    },
  },
  {
    name: 'Read the playbook, then take a task through every column',
    async run(scenario) {
      const rules = { working_rules: 'Never skip Review', definition_of_done: ['Reviewed'] }
      await scenario.ada('PUT', `/api/v1/projects/${scenario.project_id}/playbook`, rules)
      const key = await scenario.task({
        title: 'Mend the gate',
        description: 'The **hinge** is bent',
      })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const { board } = await agent.do('svc_tasks', 'context', { ticket_number })
      expectSame('the working rules', board.playbook.working_rules, rules.working_rules)
      const { sections } = await agent.do('svc_projects', 'manifest', { project_id })
      for (const { section_id } of sections.slice(1))
        await agent.do('svc_tasks', 'update', { ticket_number, section_id })
      expectSame('the column', sectionOf(await scenario.getTask(key)), 'Done')
      const activity = JSON.stringify(
        await scenario.getTask(key, '/comments?include_activity=true'),
      )
      for (const column of ['Doing', 'Review', 'Done'])
        expectSame(`the activity names ${column}`, activity.includes(`to ${column}`), true)
    },
  },
  {
    name: 'Claim a task by its key and release it',
    async run(scenario) {
      const key = await scenario.task({ title: 'Mend the gate' })
      const agent = await scenario.addAgent('Scout')
      await claim(agent, key)
      const update = { ticket_number: key, estimate: 3 }
      await agent.do('svc_tasks', 'update', update)
      await agent.do('svc_tasks', 'release', { ticket_number: key })
      expectSame('the estimate', (await scenario.getTask(key)).estimate, 3)
      expectSame('the lease', (await scenario.getTask(key, '/lease')).lease, null)
    },
  },
  {
    name: 'Break a task into three subtasks and complete the first',
    async run(scenario) {
      const key = await scenario.task({ title: 'Paint the fence' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const parent = await agent.do('svc_tasks', 'get', { ticket_number }, DETAILED)
      const created: string[] = []
      for (const title of ['Sand', 'Prime', 'Paint']) {
        const fields = { project_id, title, parent_task_id: parent.task_id }
        created.push((await agent.do('svc_tasks', 'create', fields)).ticket_number)
      }
      const section_id = await columnOf(agent, project_id, 'Done')
      await claim(agent, created[0]!)
      await agent.do('svc_tasks', 'update', { ticket_number: created[0], section_id })
      const { subtasks } = await scenario.getTask(key, '/context')
      const columns = subtasks.map((one: Answer) => [one.title, one.section])
      expectSame('the columns of the subtasks', columns.sort(), [
        ...[
          ['Paint', 'To do'],
          ['Prime', 'To do'],
          ['Sand', 'Done'],
        ],
      ])
    },
  },
  {
    name: 'Split a task into two, one blocked by the other, and close it',
    async run(scenario) {
      const key = await scenario.task({ title: 'Gate and fence' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const create = async (title: string): Promise<string> =>
        (await agent.do('svc_tasks', 'create', { project_id, title })).ticket_number
      const [gate, fence] = [await create('Gate'), await create('Fence')]
      await claim(agent, fence)
      const ends = { source_ticket_number: fence, target_ticket_number: gate }
      await agent.do('svc_tasks', 'link', { ...ends, relation_type: 'BlockedBy' })
      const text = `Split into ${gate} and ${fence}`
      await agent.do('svc_comments', 'add', { ticket_number, text })
      const section_id = await columnOf(agent, project_id, 'Done')
      await agent.do('svc_tasks', 'update', { ticket_number, section_id })
      expectSame('the column of the old task', sectionOf(await scenario.getTask(key)), 'Done')
      const { blocked_by } = await scenario.getTask(fence, '/context')
      expectSame('the blockers', [blocked_by.length, blocked_by[0].ticket_number], [1, gate])
    },
  },
  {
    name: 'Close a duplicate, with a relation and a comment',
    async run(scenario) {
      const original = await scenario.task({ title: 'Gate squeaks in the morning' })
      const duplicate = await scenario.task({ title: 'The gate squeaks' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      await claim(agent, duplicate)
      const found = await agent.do('svc_search', 'tasks', { query: 'gate squeaks', project_id })
      const { ticket_number: older } = found.find((one: Answer) => one.ticket_number !== duplicate)
      const ends = { source_ticket_number: duplicate, target_ticket_number: older }
      await agent.do('svc_tasks', 'link', { ...ends, relation_type: 'RelatedTo' })
      const text = `The same as ${older}`
      await agent.do('svc_comments', 'add', { ticket_number: duplicate, text })
      const section_id = await columnOf(agent, project_id, 'Done')
      await agent.do('svc_tasks', 'update', { ticket_number: duplicate, section_id })
      const { task, related } = await scenario.getTask(duplicate, '/context')
      expectSame('the column', task.section, 'Done')
      expectSame('the related task', related[0].ticket_number, original)
    },
  },
  {
    name: 'Triage ten new tasks: set priority, label and size',
    async run(scenario) {
      for (let at = 0; at < 10; at++)
        await scenario.task({ title: at % 2 ? 'Crash' : 'Ugly button' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      for (;;) {
        // Such a short lease expires without being released.
        const [next] = await agent.do('svc_tasks', 'next', { project_id, claim: true, ttl: 60_000 })
        if (!next) break
        const { ticket_number, title } = next
        const triage =
          title === 'Crash'
            ? { priority: 'High', labels: ['bug'], estimate: 4 }
            : { priority: 'Low', labels: ['ui'], estimate: 2 }
        await agent.do('svc_tasks', 'update', { ticket_number, ...triage })
      }
      const tasks = await scenario.ada('GET', `/api/v1/tasks?project_id=${scenario.project_id}`)
      const triaged = tasks.map((one: Answer) => [
        one.title,
        one.priority_name,
        one.labels[0].name,
        one.size,
      ])
      const wanted = (title: string, ...more: string[]) => Array(5).fill([title, ...more])
      expectSame('all ten tasks', triaged.sort(), [
        ...wanted('Crash', 'High', 'bug', 'M'),
        ...wanted('Ugly button', 'Low', 'ui', 'XS'),
      ])
    },
  },
]

const DETAILED = { response_format: 'detailed' } as const
