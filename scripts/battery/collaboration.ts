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

/** Tasks in which agents and people work together. */
export const collaboration: Task[] = [
  {
    name: 'Hand a task over to Ben, with a reason',
    async run(scenario) {
      const key = await scenario.task({ title: 'Call the shop' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const note = 'They only talk to people'
      await agent.do('svc_tasks', 'hand_over', { ticket_number, to: 'Ben', note })
      const { assignees } = await scenario.getTask(key)
      expectSame(
        'the assignees',
        assignees.map((one: Answer) => one.name),
        ['Ben'],
      )
      const [comment] = await scenario.getTask(key, '/comments')
      expectSame('the comment', comment.text, note)
      expectSame('the lease', (await scenario.getTask(key, '/lease')).lease, null)
    },
  },
  {
    name: 'Hand a task over to another agent; it claims the task',
    async run(scenario) {
      const key = await scenario.task({ title: 'Translate the labels' })
      const rover = await scenario.addAgent('Rover')
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      const note = 'This wants your Greek'
      await agent.do('svc_tasks', 'hand_over', { ticket_number, to: rover.title, note })
      const taken = await claimNext(rover, await boardIdOf(rover))
      expectSame('the task of the other agent', taken, key)
      const { lease } = await scenario.getTask(key, '/lease')
      expectSame('the holder of the lease', lease.holder.name, rover.title)
    },
  },
  {
    name: 'Escalate to a person when stuck',
    async run(scenario) {
      const key = await scenario.task({ title: 'Order green paint' })
      const agent = await scenario.addAgent('Scout')
      const project_id = await boardIdOf(agent)
      const ticket_number = await claimNext(agent, project_id)
      await agent.do('svc_search', 'help', { query: 'escalation' }, { limit: 1 })
      const reason = 'The shop is closed until Monday'
      await agent.rest('POST', `/api/v1/tasks/${ticket_number}/escalations`, { reason })
      const [open] = await scenario.getTask(key, '/escalations')
      expectSame('the reason', open.reason, reason)
      const notification = await waitFor(async () => {
        const notifications = await scenario.ada('GET', '/api/v1/notifications?kind=escalated')
        return notifications.find((one: Answer) => one.task.ticket_number === key)
      })
      expectSame('the kind of the notification', notification.kind, 'escalated')
    },
  },
  {
    name: 'Request a decision and continue once it is answered',
    async run(scenario) {
      const key = await scenario.task({ title: 'Paint the fence' })
      const agent = await scenario.addAgent('Scout')
      const { project_id, done } = await startedSession(agent)
      const ticket_number = await claimNext(agent, project_id)
      const question = { question: 'Blue or green?', options: ['Blue', 'Green'] }
      const { decision_request_id } = await agent.do('svc_decision_requests', 'create', {
        ...{ ticket_number, ...question, user_ids: [scenario.people.ada.user_id] },
      })
      const path = `/api/v1/decision-requests/${decision_request_id}/answer`
      await scenario.ada('POST', path, { selected_option: 'Green' })
      const answer = await agent.do('svc_decision_requests', 'get', { decision_request_id })
      const text = `Painted it ${answer.selected_option}`
      await agent.do('svc_comments', 'add', { ticket_number, text })
      await agent.do('svc_tasks', 'update', { ticket_number, section_id: done })
      const [comment] = await scenario.getTask(key, '/comments')
      expectSame('the comment names the decision', comment.text.includes('Painted it Green'), true)
      expectSame('the column', (await scenario.getTask(key)).section, 'Done')
    },
  },
  {
    name: 'Process the inbox: answer a question, mark it read',
    async run(scenario) {
      const key = await scenario.task({ title: 'Paint the fence' })
      const agent = await scenario.addAgent('Scout')
      const mentions = [{ agent_id: agent.agent_id, display_name: agent.title }]
      const text = `@${agent.title} which green?`
      await scenario.ada('POST', `/api/v1/tasks/${key}/comments`, { text, mentions })
      const unread = async () => (await agent.callUncounted('svc_inbox', 'summary')).unread
      await waitFor(async () => (await unread()) || undefined)
      const [notification] = await agent.do('svc_inbox', 'list', { unread: true })
      const { task, notification_id, comment_id } = notification
      const { ticket_number } = task
      await agent.do('svc_comments', 'add', {
        ...{ ticket_number, text: 'RAL 6005', reply_to_comment_id: comment_id },
      })
      await agent.do('svc_inbox', 'read', { notification_ids: [notification_id] })
      expectSame('the number of unread notifications', await unread(), 0)
      const comments = await scenario.getTask(key, '/comments')
      expectSame(
        'a comment contains the answer',
        comments.some((one: Answer) => one.text.includes('6005')),
        true,
      )
    },
  },
  {
    name: 'Two agents request the next task at once: each gets a different one',
    async run(scenario) {
      await scenario.task({ title: 'One' })
      await scenario.task({ title: 'Two' })
      const agents = [await scenario.addAgent('Scout'), await scenario.addAgent('Rover')]
      const boards = await Promise.all(agents.map(boardIdOf))
      const keys = await Promise.all(agents.map((agent, at) => claimNext(agent, boards[at]!)))
      expectSame('the number of different tasks', new Set(keys).size, 2)
      for (const [at, key] of keys.entries()) {
        const { lease } = await scenario.getTask(key, '/lease')
        expectSame('the holder of the lease', lease.holder.name, agents[at]!.title)
      }
    },
  },
  {
    name: 'Two agents want one task: the second takes another',
    async run(scenario) {
      const wanted = await scenario.task({ title: 'One' })
      const other = await scenario.task({ title: 'Two' })
      const [first, late] = [await scenario.addAgent('Scout'), await scenario.addAgent('Rover')]
      await claim(first, wanted)
      const project_id = await boardIdOf(late)
      const section_id = await columnOf(late, project_id, 'Doing')
      const refusal = await late.callRefused('svc_tasks', 'update', {
        ...{ ticket_number: wanted, section_id },
      })
      expectSame('the error names the holder', refusal.message.includes(first.title), true)
      const ticket_number = await claimNext(late, project_id)
      await late.do('svc_tasks', 'update', { ticket_number, section_id })
      expectSame(
        'the other task and its column',
        [ticket_number, (await scenario.getTask(other)).section],
        [other, 'Doing'],
      )
      expectSame('the column of the first task', (await scenario.getTask(wanted)).section, 'To do')
    },
  },
]
