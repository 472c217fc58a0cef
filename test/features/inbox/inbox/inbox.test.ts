import { expect, test } from 'bun:test'
import { notifications } from '../../../../src/features/inbox/notifications/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const id = ({ caller }: Actor) => caller.actor_id

/** Creates the fixture tasks, and deletes the notifications of creating them. */
async function worldWithoutNotifications() {
  const w = await world()
  await waitForFollowers(w)
  await w.store.write((tx) => tx.delete(notifications))
  return w
}

/** Returns the notifications of an inbox, oldest first, one line each. */
async function readInbox(w: World, caller: Actor) {
  await waitForFollowers(w)
  const { items } = await caller['inbox.list']({ sort_order: 'asc', limit: 50 })
  return items.map(
    ({ kind, important, task, actor, snippet }) =>
      `${important ? '!' : ''}${kind} ${task!.ticket_number} by ${actor!.name}${snippet ? `: ${snippet}` : ''}`,
  )
}

const mention = (actor: Actor) => ({
  ...(actor.caller.agent_id ? { agent_id: actor.caller.agent_id } : { user_id: id(actor) }),
  display_name: actor.caller.name,
})

test('people and agents are notified when others assign or unassign them', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.copy
  await w.ada['tasks.assign']({ task_id, user_ids: [id(w.ben), id(w.ada)] })
  await w.cleo['tasks.assign']({ task_id, agent_id: w.bot.caller.agent_id! })
  await w.ada['tasks.assign']({ task_id, user_id: id(w.ben), intent: 'unassign' })
  await claimTask(w.bot, { task_id })
  await w.bot['tasks.assign']({ task_id, agent_id: 'self', intent: 'unassign' })
  expect(await readInbox(w, w.ben)).toEqual(['!assigned HP-2 by Ada', 'unassigned HP-2 by Ada'])
  // Nobody is notified of their own changes.
  expect(await readInbox(w, w.bot)).toEqual(['!assigned HP-2 by Cleo'])
  expect(await readInbox(w, w.ada)).toEqual([])
  expect(await readInbox(w, w.cleo)).toEqual([])
})

test('a notification has the task’s current title and section, the actor and a snippet', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.copy
  await w.bot['comments.add']({ task_id, text: '<p>Done &amp; dusted</p>' })
  await w.cleo['tasks.update']({ task_id, title: 'Copy', section_id: w.sections.Done })
  await waitForFollowers(w)
  const { items, page } = await w.ada['inbox.list']({})
  expect(page.total).toBe(1)
  expect(items).toEqual([
    {
      ...{ notification_id: items[0]!.notification_id!, kind: 'commented', important: false },
      ...{ folder: null, priority: 0 },
      task: {
        ...{ task_id, ticket_number: 'HP-2', title: 'Copy' },
        ...{ project_id: w.board.project_id, section: 'Done', done: true },
      },
      actor: { kind: 'agent', agent_id: w.bot.caller.agent_id!, name: 'Bot' },
      comment_id: items[0]!.comment_id!,
      snippet: 'Done & dusted',
      created_at: '2026-11-20T12:00:00.000Z',
      ...{ read_at: null, archived_at: null },
    },
  ])
})

test('a comment notifies the assignees, the creator and earlier commenters, each once', async () => {
  const w = await worldWithoutNotifications()
  // Ada created the logo task, and Cleo is assigned to it.
  const { task_id } = w.tasks.logo
  await w.ben['comments.add']({ task_id, text: 'First' })
  await w.cleo['comments.add']({ task_id, text: 'Second' })
  expect(await readInbox(w, w.ada)).toEqual([
    'commented HP-1 by Ben: First',
    'commented HP-1 by Cleo: Second',
  ])
  expect(await readInbox(w, w.cleo)).toEqual(['commented HP-1 by Ben: First'])
  expect(await readInbox(w, w.ben)).toEqual(['commented HP-1 by Cleo: Second'])
  expect(await readInbox(w, w.bot)).toEqual([])
})

test('somebody mentioned or replied to gets that notification and none for the comment', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.logo
  const { comment_id } = await w.ben['comments.add']({ task_id, text: 'Red?' })
  await w.cleo['comments.add']({
    ...{ task_id, text: '@Ada no', mentions: [mention(w.ada)], reply_to_comment_id: comment_id },
  })
  expect(await readInbox(w, w.ada)).toEqual([
    'commented HP-1 by Ben: Red?',
    '!mentioned HP-1 by Cleo: @Ada no',
  ])
  expect(await readInbox(w, w.ben)).toEqual(['!replied HP-1 by Cleo: @Ada no'])
})

test('editing a comment notifies newly mentioned people, and nobody a second time', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.logo
  const { comment_id } = await w.cleo['comments.add']({ task_id, text: 'Look' })
  const mentions = [mention(w.ben)]
  await w.cleo['comments.update']({ comment_id, text: '@Ben look', mentions })
  expect(await readInbox(w, w.ben)).toEqual(['!mentioned HP-1 by Cleo: @Ben look'])
  expect(await readInbox(w, w.ada)).toEqual(['commented HP-1 by Cleo: Look'])
})

test('an agent’s reply to a mention is an important notification for the actor who mentioned it', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.copy
  await w.ben['comments.add']({ task_id, text: '@Bot how?', mentions: [mention(w.bot)] })
  await waitForFollowers(w)
  const [notification] = (await w.bot['inbox.list']({ kind: 'mentioned' })).items
  const reply_to_invocation_id = notification!.notification_id!
  await w.bot['comments.add']({ task_id, text: 'Thus.', reply_to_invocation_id })
  expect(await readInbox(w, w.ben)).toEqual(['!replied HP-2 by Bot: Thus.'])
  expect(await readInbox(w, w.ada)).toEqual([
    'commented HP-2 by Ben: @Bot how?',
    'commented HP-2 by Bot: Thus.',
  ])
})

test('a reply_to_invocation_id that is unknown, of another agent or of another task is refused', async () => {
  const w = await worldWithoutNotifications()
  const { copy, logo } = w.tasks
  await w.ben['comments.add']({ task_id: copy.task_id, text: '@Bot', mentions: [mention(w.bot)] })
  await waitForFollowers(w)
  const [notification] = (await w.bot['inbox.list']({})).items
  const reply_to_invocation_id = notification!.notification_id!
  const other = await w.addAgent(w.team_id, w.cleo, 'Other')
  const invalidReplies: [Actor, number, number][] = [
    [w.bot, logo.task_id, reply_to_invocation_id],
    [other, copy.task_id, reply_to_invocation_id],
    [w.bot, copy.task_id, 999_999],
  ]
  const { seq } = (await w.changes()).at(-1)!
  for (const [actor, task_id, id] of invalidReplies) {
    const reply = { task_id, text: 'A', reply_to_invocation_id: id }
    expect(await faultOf(actor['comments.add'](reply))).toMatchObject({
      ...{ code: 'invalid', hint: expect.stringContaining('svc_inbox list') },
      details: { field: 'reply_to_invocation_id', code: 'not_found', value: id },
    })
  }
  expect(await w.changeTypes(seq)).toEqual([])
})

test('a reaction notifies the author, and removing it removes the unread notification', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.logo
  const { comment_id } = await w.ben['comments.add']({ task_id, text: 'Red' })
  await w.cleo['comments.react']({ comment_id, emoji: '👍' })
  await w.ada['comments.react']({ comment_id, emoji: '👍' })
  await w.ben['comments.react']({ comment_id, emoji: '👍' })
  expect(await readInbox(w, w.ben)).toEqual(['reacted HP-1 by Cleo: 👍', 'reacted HP-1 by Ada: 👍'])
  await w.ada['comments.unreact']({ comment_id, emoji: '👍' })
  expect(await readInbox(w, w.ben)).toEqual(['reacted HP-1 by Cleo: 👍'])
})

test('deleting a comment removes its notifications from every inbox', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.logo
  const { comment_id } = await w.ben['comments.add']({
    ...{ task_id, text: '@Cleo the secret', mentions: [mention(w.cleo)] },
  })
  expect(await readInbox(w, w.cleo)).toHaveLength(1)
  await w.ben['comments.delete']({ comment_id })
  expect(await readInbox(w, w.cleo)).toEqual([])
  expect(await readInbox(w, w.ada)).toEqual([])
})

test('a decision request notifies those asked, and its answer or cancellation notifies the asker', async () => {
  const w = await worldWithoutNotifications()
  const requestDecision = () =>
    w.bot['decision_requests.create']({
      ...{ task_id: w.tasks.logo.task_id, question: 'Ship it?', options: ['Yes', 'No'] },
    })
  const [one, two] = [await requestDecision(), await requestDecision()]
  const { decision_request_id } = one
  await waitForFollowers(w)
  expect(await w.cleo['inbox.summary']({})).toMatchObject({ unread: 2 })
  await w.cleo['decision_requests.answer']({ decision_request_id, selected_option: 'Yes' })
  await w.ada['decision_requests.cancel']({ decision_request_id: two.decision_request_id })
  expect(await readInbox(w, w.cleo)).toEqual([
    '!decision_requested HP-1 by Bot: Ship it?',
    '!decision_requested HP-1 by Bot: Ship it?',
  ])
  expect(await readInbox(w, w.bot)).toEqual([
    '!decision_answered HP-1 by Cleo: Yes: Ship it?',
    '!decision_answered HP-1 by Ada: Cancelled: Ship it?',
  ])
  const [item] = (await w.cleo['inbox.list']({ sort_order: 'asc' })).items
  // The request is answered, so its notification is marked as read.
  expect(item).toMatchObject({ decision_request_id, read_at: '2026-11-20T12:00:00.000Z' })
  expect(await w.cleo['inbox.summary']({})).toMatchObject({ unread: 0, total: 2 })
  expect(item).not.toHaveProperty('comment_id')
})

test('a mention in a description notifies the mentioned person', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.copy
  const mentions = [mention(w.ben)]
  await w.cleo['tasks.update']({ task_id, description: '<p>@Ben please</p>', mentions })
  expect(await readInbox(w, w.ben)).toEqual(['!mentioned HP-2 by Cleo: @Ben please'])
})

test('a removed member gets no new notifications of the team and no longer sees earlier ones', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.copy
  const { project_id } = w.board
  await w.ada['projects.invite_member']({ project_id, member_identifier: id(w.gus) })
  await w.ada['tasks.assign']({ task_id, user_id: id(w.gus) })
  expect(await readInbox(w, w.gus)).toEqual(['!assigned HP-2 by Ada'])
  const [notification] = (await w.gus['inbox.list']({})).items
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: id(w.gus) })
  await w.ada['comments.add']({ task_id, text: 'Between us' })
  const gus = await w.authenticateAs(id(w.gus))
  expect(await readInbox(w, gus)).toEqual([])
  expect(await gus['inbox.summary']({})).toMatchObject({ total: 0, inbox_zero: true })
  const notification_ids = [notification!.notification_id!]
  expect(await faultOf(gus['inbox.read']({ notification_ids }))).toMatchObject({
    code: 'not_found',
  })
  const rows = await w.store.read((tx) => tx.select().from(notifications))
  expect(rows.filter(({ snippet }) => snippet === 'Between us')).toEqual([])
})

test('a new notification is logged for its recipient only, without team or board', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.copy
  await w.ada['tasks.assign']({ task_id, user_id: id(w.ben) })
  await waitForFollowers(w)
  const created = (await w.changes()).filter(
    ({ type, task_id: changeTaskId }) => type === 'notification.created' && changeTaskId === null,
  )
  const [last] = created.slice(-1)
  expect(last).toMatchObject({ actor_id: id(w.ben), team_id: null, project_id: null })
  expect(last!.data).toMatchObject({ kind: 'assigned', task_id })
})

test('concurrent followers create each notification once', async () => {
  const w = await worldWithoutNotifications()
  const { task_id } = w.tasks.logo
  for (let i = 0; i < 30; i++) await w.ben['comments.add']({ task_id, text: `Comment ${i}` })
  await Promise.all([waitForFollowers(w), waitForFollowers(w), waitForFollowers(w)])
  expect((await readInbox(w, w.cleo)).length).toBe(30)
})
