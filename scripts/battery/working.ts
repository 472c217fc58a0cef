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

/** Claim, work, write, let go. */
export const working: Task[] = [
  {
    name: 'Take the next free task, comment, complete it; the board is known',
    budget: { calls: 3, tokens: 1500 },
    async play(scene) {
      const urgent = await scene.task({ title: 'Mend the gate', priority: 'Urgent' })
      await scene.task({ title: 'Paint the fence' })
      const agent = await scene.addAgent('Scout')
      const { project_id, done } = await startedSession(agent)
      const ticket_number = await claimNext(agent, project_id)
      const text = 'The hinge was bent; it is **straight** again.'
      await agent.do('svc_comments', 'add', { ticket_number, text, content_type: 'markdown' })
      await agent.do('svc_tasks', 'update', { ticket_number, section_id: done })
      expectSame('the urgent one is done', sectionOf(await scene.getTask(urgent)), 'Done')
      const comments = await scene.getTask(urgent, '/comments')
      expectSame('and says why', comments[0].author.name, agent.title)
      expectSame('nobody holds it', (await scene.getTask(urgent, '/lease')).lease, null)
    },
  },
  {
    name: 'Read the playbook, then take a task through every column',
    async play(scene) {
      const rules = { working_rules: 'Never skip Review', definition_of_done: ['Reviewed'] }
      await scene.ada('PUT', `/api/v1/projects/${scene.project_id}/playbook`, rules)
      const key = await scene.task({ title: 'Mend the gate', description: 'The **hinge** is bent' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const { board } = await agent.do('svc_tasks', 'context', { ticket_number })
      expectSame('it read the rule', board.playbook.working_rules, rules.working_rules)
      const { sections } = await agent.do('svc_projects', 'manifest', { project_id })
      for (const { section_id } of sections.slice(1))
        await agent.do('svc_tasks', 'update', { ticket_number, section_id })
      expectSame('it is done', sectionOf(await scene.getTask(key)), 'Done')
      const { items = [] } = { items: await scene.getTask(key, '/comments?include_activity=true') }
      const ways = JSON.stringify(items)
      for (const column of ['Doing', 'Review', 'Done'])
        expectSame(`it was in ${column}`, ways.includes(`to ${column}`), true)
    },
  },
  {
    name: 'Claim a task by its key and release it',
    async play(scene) {
      const key = await scene.task({ title: 'Mend the gate' })
      const agent = await scene.addAgent('Scout')
      const { lease_id } = await claim(agent, key)
      const begin = { ticket_number: key, estimate: 3 }
      await agent.do('svc_tasks', 'update', begin)
      await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id })
      expectSame('its size is kept', (await scene.getTask(key)).estimate, 3)
      expectSame('nobody holds it', (await scene.getTask(key, '/lease')).lease, null)
    },
  },
  {
    name: 'Break a task into three subtasks and complete the first',
    async play(scene) {
      const key = await scene.task({ title: 'Paint the fence' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const parent = await agent.do('svc_tasks', 'get', { ticket_number }, DETAILED)
      const made: string[] = []
      for (const title of ['Sand', 'Prime', 'Paint']) {
        const fields = { project_id, title, parent_task_id: parent.task_id }
        made.push((await agent.do('svc_tasks', 'create', fields)).ticket_number)
      }
      const section_id = await columnOf(agent, project_id, 'Done')
      await claim(agent, made[0]!)
      await agent.do('svc_tasks', 'update', { ticket_number: made[0], section_id })
      const { subtasks } = await scene.getTask(key, '/context')
      const seen = subtasks.map((one: Answer) => [one.title, one.section])
      expectSame('the sub-tasks', seen.sort(), [
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
    async play(scene) {
      const key = await scene.task({ title: 'Gate and fence' })
      const agent = await scene.addAgent('Scout')
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
      expectSame('the old one is done', sectionOf(await scene.getTask(key)), 'Done')
      const { blocked_by } = await scene.getTask(fence, '/context')
      expectSame('one waits', [blocked_by.length, blocked_by[0].ticket_number], [1, gate])
    },
  },
  {
    name: 'Close a duplicate, with a relation and a comment',
    async play(scene) {
      const first = await scene.task({ title: 'Gate squeaks in the morning' })
      const again = await scene.task({ title: 'The gate squeaks' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      await claim(agent, again)
      const found = await agent.do('svc_search', 'tasks', { query: 'gate squeaks', project_id })
      const { ticket_number: older } = found.find((one: Answer) => one.ticket_number !== again)
      const ends = { source_ticket_number: again, target_ticket_number: older }
      await agent.do('svc_tasks', 'link', { ...ends, relation_type: 'RelatedTo' })
      const text = `The same as ${older}`
      await agent.do('svc_comments', 'add', { ticket_number: again, text })
      const section_id = await columnOf(agent, project_id, 'Done')
      await agent.do('svc_tasks', 'update', { ticket_number: again, section_id })
      const { task, related } = await scene.getTask(again, '/context')
      expectSame('closed', task.section, 'Done')
      expectSame('and related', related[0].ticket_number, first)
    },
  },
  {
    name: 'Triage ten new tasks: set priority, label and size',
    async play(scene) {
      for (let at = 0; at < 10; at++) await scene.task({ title: at % 2 ? 'Crash' : 'Ugly button' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      for (;;) {
        // So short a lease need not be given back.
        const [next] = await agent.do('svc_tasks', 'next', { project_id, claim: true, ttl: 60_000 })
        if (!next) break
        const { ticket_number, title } = next
        const found =
          title === 'Crash'
            ? { priority: 'High', labels: ['bug'], estimate: 4 }
            : { priority: 'Low', labels: ['ui'], estimate: 2 }
        await agent.do('svc_tasks', 'update', { ticket_number, ...found })
      }
      const tasks = await scene.ada('GET', `/api/v1/tasks?project_id=${scene.project_id}`)
      const told = tasks.map((one: Answer) => [
        one.title,
        one.priority_name,
        one.labels[0].name,
        one.size,
      ])
      const wanted = (title: string, ...more: string[]) => Array(5).fill([title, ...more])
      expectSame('all ten', told.sort(), [
        ...wanted('Crash', 'High', 'bug', 'M'),
        ...wanted('Ugly button', 'Low', 'ui', 'XS'),
      ])
    },
  },
]

const DETAILED = { response_format: 'detailed' } as const
