import type { Answer } from './agent.ts'
import {
  boardIdOf,
  claim,
  claimNext,
  columnOf,
  expectSame,
  startedSession,
  type Task,
  waitFor,
} from './task.ts'

/** Work that goes from one to another. */
export const together: Task[] = [
  {
    name: 'Reassign a task to Ben, with a reason',
    async play(scene) {
      const key = await scene.task({ title: 'Call the shop' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [next] = await agent.do('svc_tasks', 'next', { project_id, claim: true })
      const { ticket_number, lease } = next
      const members = await agent.do('svc_projects', 'members', { project_id })
      const { user_id } = members.find((one: Answer) => one.name === 'Ben')
      await agent.do('svc_tasks', 'assign', { ticket_number, user_id })
      const text = 'They only talk to people'
      await agent.do('svc_comments', 'add', { ticket_number, text })
      await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id: lease.lease_id })
      const { assignees } = await scene.getTask(key)
      expectSame(
        'it is his',
        assignees.map((one: Answer) => one.name),
        ['Ben'],
      )
      expectSame('nobody holds it', (await scene.getTask(key, '/lease')).lease, null)
    },
  },
  {
    name: 'Hand a task to another agent with a mention; it claims the task',
    async play(scene) {
      const key = await scene.task({ title: 'Translate the labels' })
      const rover = await scene.addAgent('Rover')
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const [next] = await agent.do('svc_tasks', 'next', { project_id, claim: true })
      const { ticket_number, lease } = next
      const members = await agent.do('svc_projects', 'members', { project_id, kind: 'agent' })
      const { agent_id, name } = members.find((one: Answer) => one.name === rover.title)
      await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id: lease.lease_id })
      const mentions = [{ agent_id, display_name: name }]
      const text = `@${name} this wants your Greek`
      await agent.do('svc_comments', 'add', { ticket_number, text, mentions })
      await waitFor(async () => (await rover.peek('svc_inbox', 'summary')).unread || undefined)
      const [news] = await rover.do('svc_inbox', 'list', { unread: true })
      await claim(rover, news.task.ticket_number)
      await rover.do('svc_inbox', 'read', { notification_ids: [news.notification_id] })
      const { lease: now } = await scene.getTask(key, '/lease')
      expectSame('Rover holds it', now.holder.name, rover.title)
    },
  },
  {
    name: 'Escalate to a person when stuck',
    async play(scene) {
      const key = await scene.task({ title: 'Order green paint' })
      const agent = await scene.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      await agent.do('svc_search', 'help', { query: 'escalation' }, { limit: 1 })
      const reason = 'The shop is closed until Monday'
      await agent.rest('POST', `/api/v1/tasks/${ticket_number}/escalations`, { reason })
      const [open] = await scene.getTask(key, '/escalations')
      expectSame('it stands there', open.reason, reason)
      const told = await waitFor(async () => {
        const news = await scene.ada('GET', '/api/v1/notifications?kind=escalated')
        return news.find((one: Answer) => one.task.ticket_number === key)
      })
      expectSame('its owner was told', told.kind, 'escalated')
    },
  },
  {
    name: 'Request a decision and continue once it is answered',
    async play(scene) {
      const key = await scene.task({ title: 'Paint the fence' })
      const agent = await scene.addAgent('Scout')
      const { project_id, done } = await startedSession(agent)
      const ticket_number = await claimNext(agent, project_id)
      const question = { question: 'Blue or green?', options: ['Blue', 'Green'] }
      const { decision_request_id } = await agent.do('svc_decision_requests', 'create', {
        ...{ ticket_number, ...question, user_ids: [scene.people.ada.user_id] },
      })
      const path = `/api/v1/decision-requests/${decision_request_id}/answer`
      await scene.ada('POST', path, { selected_option: 'Green' })
      const answer = await agent.do('svc_decision_requests', 'get', { decision_request_id })
      const text = `Painted it ${answer.selected_option}`
      await agent.do('svc_comments', 'add', { ticket_number, text })
      await agent.do('svc_tasks', 'update', { ticket_number, section_id: done })
      const [comment] = await scene.getTask(key, '/comments')
      expectSame('as decided', comment.text.includes('Painted it Green'), true)
      expectSame('and done', (await scene.getTask(key)).section, 'Done')
    },
  },
  {
    name: 'Process the inbox: answer a question, mark it read',
    async play(scene) {
      const key = await scene.task({ title: 'Paint the fence' })
      const agent = await scene.addAgent('Scout')
      const mentions = [{ agent_id: agent.agent_id, display_name: agent.title }]
      const text = `@${agent.title} which green?`
      await scene.ada('POST', `/api/v1/tasks/${key}/comments`, { text, mentions })
      const unread = async () => (await agent.peek('svc_inbox', 'summary')).unread
      await waitFor(async () => (await unread()) || undefined)
      const [news] = await agent.do('svc_inbox', 'list', { unread: true })
      const { task, notification_id, comment_id } = news
      const { ticket_number } = task
      await agent.do('svc_comments', 'add', {
        ...{ ticket_number, text: 'RAL 6005', reply_to_comment_id: comment_id },
      })
      await agent.do('svc_inbox', 'read', { notification_ids: [notification_id] })
      expectSame('nothing is unread', await unread(), 0)
      const comments = await scene.getTask(key, '/comments')
      expectSame(
        'it answered',
        comments.some((one: Answer) => one.text.includes('6005')),
        true,
      )
    },
  },
  {
    name: 'Two agents request the next task at once: each gets a different one',
    async play(scene) {
      await scene.task({ title: 'One' })
      await scene.task({ title: 'Two' })
      const pair = [await scene.addAgent('Scout'), await scene.addAgent('Rover')]
      const boards = await Promise.all(pair.map(boardIdOf))
      const got = await Promise.all(pair.map((agent, at) => claimNext(agent, boards[at]!)))
      expectSame('two tasks', new Set(got).size, 2)
      for (const [at, key] of got.entries()) {
        const { lease } = await scene.getTask(key, '/lease')
        expectSame('its own', lease.holder.name, pair[at]!.title)
      }
    },
  },
  {
    name: 'Two agents want one task: the second takes another',
    async play(scene) {
      const wanted = await scene.task({ title: 'One' })
      const other = await scene.task({ title: 'Two' })
      const [first, late] = [await scene.addAgent('Scout'), await scene.addAgent('Rover')]
      await claim(first, wanted)
      const project_id = await boardIdOf(late)
      const section_id = await columnOf(late, project_id, 'Doing')
      const refusal = await late.refused('svc_tasks', 'update', {
        ...{ ticket_number: wanted, section_id },
      })
      expectSame('it is told that somebody holds it', refusal.message.includes(first.title), true)
      const ticket_number = await claimNext(late, project_id)
      await late.do('svc_tasks', 'update', { ticket_number, section_id })
      expectSame(
        'the other one',
        [ticket_number, (await scene.getTask(other)).section],
        [other, 'Doing'],
      )
      expectSame('the first is as it was', (await scene.getTask(wanted)).section, 'To do')
    },
  },
]
