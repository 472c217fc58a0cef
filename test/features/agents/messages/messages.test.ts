import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messagePlaces, messages } from '../../../../src/features/agents/messages/model/index.ts'
import { projectMembers } from '../../../../src/features/boards/projects/model/index.ts'
import { members } from '../../../../src/features/identity/teams/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const OWN = '/api/v1/agents/self/messages'

/** Creates a world and acknowledges all messages of its agent. */
async function worldWithoutMessages(options?: Parameters<typeof world>[0]) {
  const w = await world(options)
  await acknowledgeAll(w.bot)
  return w
}

/** Reads all messages of an agent, acknowledges them and returns them. */
async function acknowledgeAll(agent: Actor) {
  const all = await readAll(agent)
  if (all.length) await agent['messages.ack']({ ids: all.map(({ id }) => id) })
  return all
}

async function readAll(agent: Actor, limit = 50) {
  const all = []
  let cursor: string | null = null
  do {
    const cursorInput = cursor === null ? {} : { cursor }
    const { items, page } = await agent['messages.list']({ limit, ...cursorInput })
    all.push(...items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return all
}

const readTypes = async (agent: Actor): Promise<string[]> =>
  (await readAll(agent)).map(({ type }) => type)

const rowsOf = ({ store }: World, { caller }: Actor) =>
  store.read((tx) =>
    tx.select().from(messages).where(eq(messages.actor_id, caller.actor_id)).orderBy(messages.seq),
  )

test('a message has type, board, actor and data, and stays the same until acknowledged', async () => {
  const { ada, bot, board, sections } = await worldWithoutMessages()
  const { project_id } = board
  const task = await ada['tasks.create']({
    ...{ project_id, title: 'Paint it', section_id: sections.Next },
  })
  const first = await bot['messages.list']({})
  expect(first.items).toEqual([
    {
      id: expect.stringMatching(/^msg_\d+_\d+_[a-z\d]+$/),
      type: 'task.created',
      created_at: '2026-11-20T12:00:00.000Z',
      project_id,
      actor: { kind: 'person', user_id: ada.caller.actor_id, name: 'Ada' },
      data: {
        ...{ task_id: task.task_id, ticket_number: task.ticket_number, title: 'Paint it' },
        section_id: sections.Next,
      },
    },
  ])
  expect(first.page).toMatchObject({ total: 1, has_more: false, next_cursor: null })
  expect(await bot['messages.list']({})).toEqual(first)
  const { id } = first.items[0]!
  expect(await bot['messages.ack']({ ids: [id] })).toEqual({ acknowledged: 1, unknown: [] })
  expect((await bot['messages.list']({})).items).toEqual([])
})

test('task and comment events go to agents that see the board, others to the agent concerned', async () => {
  const w = await worldWithoutMessages()
  const { ada, cleo, bot, board, tasks } = w
  const other = await w.addAgent(w.team_id, cleo, 'Other')
  await acknowledgeAll(other)
  const agent_id = bot.caller.agent_id!
  await ada['tasks.update']({ ...tasks.copy, title: 'Write the text' })
  await cleo['tasks.assign']({ ...tasks.copy, agent_id })
  const { comment_id } = await bot['comments.add']({ ...tasks.copy, text: 'Begun' })
  await ada['comments.react']({ comment_id, emoji: '👍' })
  const mentions = [{ agent_id, display_name: 'Bot' }]
  await ada['comments.add']({ ...tasks.copy, text: '@Bot <b>well</b> done', mentions })
  await cleo['tasks.assign']({ ...tasks.copy, agent_id, intent: 'unassign' })
  await ada['tasks.create']({ project_id: board.project_id, title: 'Next' })
  expect(await readTypes(bot)).toEqual([
    ...['task.updated', 'task.assigned', 'comment.reaction', 'comment.created', 'comment.mention'],
    ...['task.unassigned', 'task.created'],
  ])
  expect(await readTypes(other)).toEqual([
    ...['task.updated', 'comment.created', 'comment.created', 'task.created'],
  ])
  const [updated, assigned, reaction, comment, mention] = await readAll(bot)
  const task = { ...tasks.copy, title: 'Write the text' }
  expect(updated!.data).toEqual({
    ...{ ...task, changed: ['title'] },
    ...{ before: { title: 'Write the copy' }, after: { title: 'Write the text' } },
  })
  expect(assigned!.data).toEqual({ ...task, assignee: { kind: 'agent', agent_id, name: 'Bot' } })
  expect(reaction!.data).toEqual({ ...task, comment_id, emoji: '👍', added: true })
  expect(comment!.data).toMatchObject({ ...task, text: '@Bot well done' })
  expect(mention!.data).toMatchObject({ text: '@Bot well done', mentioned: { agent_id } })
})

test('an agent receives no messages of its own changes', async () => {
  const { bot, cleo, board, tasks } = await worldWithoutMessages()
  await bot['tasks.create']({ project_id: board.project_id, title: 'My own' })
  const { comment_id } = await bot['comments.add']({ ...tasks.copy, text: 'Mine' })
  await bot['comments.react']({ comment_id, emoji: '👍' })
  expect(await readTypes(bot)).toEqual([])
  await cleo['tasks.create']({ project_id: board.project_id, title: 'Of its owner' })
  expect(await readTypes(bot)).toEqual(['task.created'])
})

test('an agent receives messages of a board only while it can see the board', async () => {
  const w = await worldWithoutMessages()
  const { ada, cleo, bot, otto, team_id, board } = w
  const sections = [{ title: 'To do' }]
  const hidden = await ada['projects.create']({
    team_id,
    title: 'Hidden',
    sections,
    access: 'invited',
  })
  const secret = { project_id: hidden.project_id, title: 'Secret' }
  await ada['tasks.create'](secret)
  const foreignBoard = await otto['projects.create']({
    team_id: w.otherTeamId,
    title: 'Away',
    sections,
  })
  await otto['tasks.create']({ project_id: foreignBoard.project_id, title: 'Far' })
  expect(await readTypes(bot)).toEqual([])
  const place = { team_id, project_id: hidden.project_id, actor_id: cleo.caller.actor_id }
  await w.store.write((tx) => tx.insert(projectMembers).values({ ...place, added_at: w.clock.now }))
  const signedInBot = await w.authenticateAs(bot.caller.actor_id, 'agent')
  expect(await readTypes(signedInBot)).toEqual(['task.created'])
  await ada['tasks.create']({ project_id: board.project_id, title: 'Open' })
  // The message has a row by now, and must still be hidden once the agent loses the board.
  const [, open] = await readAll(signedInBot)
  await signedInBot['messages.ack']({ ids: [open!.id] })
  expect(await rowsOf(w, bot)).toHaveLength(1)
  await w.store.write((tx) =>
    tx.delete(projectMembers).where(eq(projectMembers.project_id, hidden.project_id)),
  )
  expect(await readTypes(signedInBot)).toEqual([])
})

test('an agent of a guest receives messages only of boards that the guest was added to', async () => {
  const w = await world()
  const { ada, gus, team_id, board } = w
  const scout = await w.addAgent(team_id, gus, 'Scout')
  await acknowledgeAll(scout)
  const task = { project_id: board.project_id, title: 'Seen' }
  await ada['tasks.create'](task)
  expect(await readTypes(scout)).toEqual([])
  const place = { team_id, project_id: board.project_id, actor_id: gus.caller.actor_id }
  await w.store.write((tx) => tx.insert(projectMembers).values({ ...place, added_at: w.clock.now }))
  expect(await readTypes(scout)).toEqual(['task.created'])
})

test('an archived board still sends messages, and a deleted task keeps its title in its message', async () => {
  const { ada, bot, board, tasks } = await worldWithoutMessages()
  await ada['projects.archive']({ project_id: board.project_id, status: 'Archive' })
  await ada['tasks.update']({ ...tasks.copy, status: 'Deleted' })
  const [message, ...rest] = await readAll(bot)
  expect(rest).toEqual([])
  expect(message!.data).toMatchObject({ title: 'Write the copy', after: { status: 'Deleted' } })
})

test('an agent that polls for the first time receives all messages since its creation', async () => {
  const { ada, cleo, board, team_id, authenticateAs, store } = await world()
  const { project_id } = board
  await ada['tasks.create']({ project_id, title: 'Before' })
  const newAgent = await cleo['agents.create']({ team_id, name: 'Late' })
  await ada['tasks.create']({ project_id, title: 'After' })
  const rows = await store.read((tx) => tx.select().from(messagePlaces))
  expect(rows).toEqual([])
  const { agents } = await import('../../../../src/features/agents/agents/model/index.ts')
  const [agent] = await store.read((tx) =>
    tx.select().from(agents).where(eq(agents.agent_id, newAgent.agent_id)),
  )
  const newToken = await authenticateAs(agent!.actor_id, 'agent')
  expect((await readAll(newToken)).map(({ data }) => data.title)).toEqual(['After'])
})

test('a page continues where the previous one ended, whatever is acknowledged in between', async () => {
  const w = await worldWithoutMessages()
  const { ada, bot, board } = w
  for (let n = 1; n <= 7; n++)
    await ada['tasks.create']({ project_id: board.project_id, title: `T${n}` })
  const titles = (items: { data: Record<string, unknown> }[]) => items.map(({ data }) => data.title)
  const one = await bot['messages.list']({ limit: 3 })
  expect(titles(one.items)).toEqual(['T1', 'T2', 'T3'])
  expect(one.page).toMatchObject({ total: null, total_at_least: 3, has_more: true, offset: 0 })
  await bot['messages.ack']({ ids: [one.items[1]!.id] })
  const two = await bot['messages.list']({ limit: 3, cursor: one.page.next_cursor! })
  expect(titles(two.items)).toEqual(['T4', 'T5', 'T6'])
  await bot['messages.ack']({ ids: [two.items[2]!.id] })
  const three = await bot['messages.list']({ limit: 3, cursor: two.page.next_cursor! })
  expect(titles(three.items)).toEqual(['T7'])
  expect(three.page).toMatchObject({ total: 7, has_more: false, next_cursor: null, offset: 6 })
  expect(titles(await readAll(bot, 2))).toEqual(['T1', 'T3', 'T4', 'T5', 'T7'])
  // Only messages that were passed without being acknowledged have a row.
  expect(await rowsOf(w, bot)).toHaveLength(4)
  await acknowledgeAll(bot)
  expect(await rowsOf(w, bot)).toEqual([])
})

test('acknowledging returns the unknown ids, and repeating it gives the same result', async () => {
  const w = await worldWithoutMessages()
  const { ada, bot, cleo, board, team_id } = w
  const other = await w.addAgent(team_id, cleo, 'Other')
  await acknowledgeAll(other)
  await ada['tasks.create']({ project_id: board.project_id, title: 'One' })
  const [ownMessage] = await readAll(bot)
  const [otherMessage] = await readAll(other)
  const foreignId = otherMessage!.id.replace(/^msg_\d+/, `msg_${bot.caller.actor_id}`)
  expect(foreignId).toBe(ownMessage!.id)
  const forgedId = ownMessage!.id.replace(/_[^_]+$/, '_zzz')
  const input = { ids: [ownMessage!.id, otherMessage!.id, forgedId, 'msg_1', ownMessage!.id] }
  const unknown = [otherMessage!.id, forgedId, 'msg_1']
  for (let times = 0; times < 2; times++)
    expect(await bot['messages.ack'](input)).toEqual({ acknowledged: 1, unknown })
  expect(await readAll(other)).toHaveLength(1)
  expect((await faultOf(bot['messages.ack']({ ids: [] }))).code).toBe('invalid')
})

test('people are refused with a hint to the inbox, and a foreign or forged cursor is refused', async () => {
  const w = await worldWithoutMessages()
  const { ada, bot, cleo, http, team_id, board } = w
  const person = await http(ada, 'GET', OWN)
  expect(person.status).toBe(403)
  expect(person.body.hint).toContain('/api/v1/notifications')
  expect((await http(ada, 'POST', `${OWN}/ack`, { ids: ['msg_1'] })).status).toBe(403)
  expect((await http(undefined, 'GET', OWN)).status).toBe(401)
  const other = await w.addAgent(team_id, cleo, 'Other')
  await acknowledgeAll(other)
  for (let n = 0; n < 2; n++)
    await ada['tasks.create']({ project_id: board.project_id, title: 'Two' })
  const { page } = await other['messages.list']({ limit: 1 })
  expect((await faultOf(bot['messages.list']({ cursor: page.next_cursor! }))).code).toBe('invalid')
  const forged = Buffer.from(JSON.stringify(['x', 'y', 0, 0])).toString('base64url')
  expect((await faultOf(bot['messages.list']({ cursor: forged }))).code).toBe('invalid')
  const tooLarge = await http(bot, 'GET', `${OWN}?limit=51`)
  expect(tooLarge.body.warnings).toMatchObject([{ field: 'limit', code: 'out_of_range' }])
  expect(tooLarge.body.page.limit).toBe(50)
  expect((await http(bot, 'GET', `${OWN}?wait=31`)).status).toBe(400)
})

test('tasks:read allows polling but no ack, and an agent without scope or owner is refused', async () => {
  const w = await worldWithoutMessages()
  const { ada, bot, cleo, board, http } = w
  const reader = await w.addAgent(w.team_id, cleo, 'Reader', ['tasks:read'])
  await acknowledgeAll(reader)
  await ada['tasks.create']({ project_id: board.project_id, title: 'One' })
  const [message] = await readAll(reader)
  const response = await http(reader, 'POST', `${OWN}/ack`, { ids: [message!.id] })
  expect(response.status).toBe(403)
  expect(await readAll(reader)).toHaveLength(1)
  const unscoped = await w.addAgent(w.team_id, cleo, 'Blind', ['profile:read'])
  expect((await http(unscoped, 'GET', OWN)).status).toBe(403)
  await w.store.write((tx) => tx.delete(members).where(eq(members.actor_id, cleo.caller.actor_id)))
  expect((await http(bot, 'GET', OWN)).status).toBe(401)
})
