import { describe, expect, test } from 'bun:test'
import { faultOf } from '../support/faults.ts'
import { chatWorld } from './chat-client.ts'

type ChatWorld = Awaited<ReturnType<typeof chatWorld>>

const answerCreating = (w: ChatWorld, ...titles: string[]) => ({
  calls: titles.map((title) => ({
    tool: 'tasks_create_many',
    input: { project_id: w.board.project_id, tasks: [{ title }] },
  })),
})
const listTitles = async ({ cleo, board }: ChatWorld) =>
  (await cleo['tasks.list']({ project_id: board.project_id })).items.map(({ title }) => title)
const boardInput = ({ board }: ChatWorld) => ({ project_id: board.project_id })

describe('a call that writes', () => {
  test('waits for approval, then runs on behalf of the person, and the answer continues', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'Done.' }])
    const firstResponse = await w.say(w.cleo, 'Make a task', boardInput(w))
    expect(firstResponse.done).toMatchObject({ reason: 'waiting' })
    expect(firstResponse.calls).toMatchObject([{ state: 'waiting', writes: true, destroys: false }])
    expect(await listTitles(w)).not.toContain('Paint')
    expect(await w.cleo['chat.thread']({ thread_id: firstResponse.thread_id })).toMatchObject({
      state: 'waiting',
      messages: [{}, { state: 'waiting' }],
    })
    const response = await w.confirm(
      w.cleo,
      firstResponse.thread_id,
      firstResponse.calls[0]!.call_id,
    )
    expect(response).toMatchObject({
      ...{ text: 'Done.', calls: [{ state: 'done', can_undo: true }] },
      done: { reason: 'said' },
    })
    expect(await listTitles(w)).toContain('Paint')
    expect(w.service.requests[1]!.toolResults[0]).toContain('Paint')
    const [change] = (await w.changes()).filter(({ type }) => type === 'task.created').slice(-1)
    expect(change).toMatchObject({ actor_id: w.cleo.caller.actor_id })
  })

  test('does not run when it is declined, and the model gets that as its result', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'As you like.' }])
    const firstResponse = await w.say(w.cleo, 'Make a task', boardInput(w))
    const response = await w.confirm(
      w.cleo,
      firstResponse.thread_id,
      firstResponse.calls[0]!.call_id,
      false,
    )
    expect(response).toMatchObject({ text: 'As you like.', calls: [{ state: 'declined' }] })
    expect(w.service.requests[1]!.toolResults[0]).toContain('declined this')
    expect(await listTitles(w)).not.toContain('Paint')
  })

  test('waits beside others, and the answer continues once all are approved or declined', async () => {
    const w = await chatWorld()
    const [first] = answerCreating(w, 'First').calls
    const [second] = answerCreating(w, 'Second').calls
    const listCall = { tool: 'tasks_list', input: boardInput(w) }
    w.service.play([{ calls: [first!, listCall, second!] }, { text: 'Both settled.' }])
    const firstResponse = await w.say(w.cleo, 'Make two', boardInput(w))
    expect(firstResponse.calls.map(({ state }) => state)).toEqual(['waiting', 'done', 'waiting'])
    const one = await w.confirm(w.cleo, firstResponse.thread_id, firstResponse.calls[2]!.call_id)
    expect(one).toMatchObject({ text: '', done: { reason: 'waiting' } })
    expect(w.service.requests).toHaveLength(1)
    const two = await w.confirm(
      w.cleo,
      firstResponse.thread_id,
      firstResponse.calls[0]!.call_id,
      false,
    )
    expect(two).toMatchObject({ text: 'Both settled.', done: { reason: 'said' } })
    expect(w.service.requests[1]!.toolResults).toEqual([
      expect.stringContaining('declined this'),
      expect.stringContaining('Draw the logo'),
      expect.stringContaining('Second'),
    ])
    expect(await listTitles(w)).toContain('Second')
    expect(await listTitles(w)).not.toContain('First')
  })

  test('runs at once in a thread that allows writes, until that is revoked', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'Done.' }])
    const first = await w.say(w.cleo, 'Make it', { ...boardInput(w), allow_writes: true })
    expect(first).toMatchObject({ calls: [{ state: 'done' }], done: { reason: 'said' } })
    const { thread_id } = first
    await w.cleo['chat.update']({ thread_id, allow_writes: false })
    w.service.play([answerCreating(w, 'Varnish')])
    const firstResponse = await w.say(w.cleo, 'And that', { thread_id })
    expect(firstResponse.calls).toMatchObject([{ state: 'waiting' }])
    w.service.play([answerCreating(w, 'Polish'), { text: 'All done.' }])
    const response = await w.confirm(w.cleo, thread_id, firstResponse.calls[0]!.call_id, true, {
      allow_writes: true,
    })
    expect(response).toMatchObject({ text: 'All done.', done: { reason: 'said' } })
    expect(await listTitles(w)).toEqual(expect.arrayContaining(['Paint', 'Varnish', 'Polish']))
  })

  test('waits for approval if it destroys, even where writes are allowed', async () => {
    const w = await chatWorld()
    w.service.play([
      { calls: [{ tool: 'more_tools', input: { group: 'boards' } }] },
      { calls: [{ tool: 'projects_archive', input: boardInput(w) }] },
      { text: 'It is gone.' },
    ])
    const firstResponse = await w.say(w.ada, 'Archive it', { ...boardInput(w), allow_writes: true })
    expect(firstResponse.calls).toMatchObject([
      { tool: 'more_tools', state: 'done' },
      { tool: 'projects_archive', state: 'waiting', destroys: true },
    ])
    expect((await w.ada['projects.list']({})).items).toHaveLength(1)
    await w.confirm(w.ada, firstResponse.thread_id, firstResponse.calls[1]!.call_id)
    expect((await w.ada['projects.list']({})).items).toHaveLength(0)
  })

  test('with invalid input is refused without asking for approval', async () => {
    const w = await chatWorld()
    w.service.play([
      { calls: [{ tool: 'tasks_create_many', input: { project_id: 'HP' } }] },
      { text: 'I gave it wrongly.' },
    ])
    const response = await w.say(w.cleo, 'Make it', boardInput(w))
    expect(response).toMatchObject({
      calls: [{ state: 'failed', trouble: { error: 'Validation error' } }],
      done: { reason: 'said' },
    })
  })

  test('runs with the rights that the person has at the time of approval', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'You may not.' }])
    const firstResponse = await w.say(w.cleo, 'Make it', boardInput(w))
    const user_id = w.cleo.caller.actor_id
    await w.ada['teams.set_role']({ team_id: w.team_id, user_id, role: 'guest' })
    const response = await w.confirm(
      w.cleo,
      firstResponse.thread_id,
      firstResponse.calls[0]!.call_id,
    )
    expect(response).toMatchObject({ calls: [{ state: 'failed' }], text: 'You may not.' })
    w.clock.advance(1)
    expect((await w.ada['tasks.list']({ project_id: w.board.project_id })).items).toHaveLength(4)
  })
})

test('a read-only key cannot call an agent in a thread', async () => {
  const w = await chatWorld()
  const reader = await w.authenticateAs(w.cleo.caller.actor_id, 'key', [
    'tasks:read',
    'projects:read',
  ])
  const response = await w.say(reader, `@${w.bot.caller.name} do it`, boardInput(w))
  expect(response.status).toBe(403)
  expect(await w.changeTypes()).not.toContain('chat.message')
  expect((await w.say(w.cleo, `@${w.bot.caller.name} do it`, boardInput(w))).status).toBe(200)
  expect(await w.changeTypes()).toContain('chat.message')
})

test('a read-only key cannot start a chat, change a thread or approve a call', async () => {
  const w = await chatWorld()
  w.service.play([answerCreating(w, 'Paint')])
  const reader = await w.authenticateAs(w.cleo.caller.actor_id, 'key', [
    'tasks:read',
    'projects:read',
  ])
  const allowed = { allow_writes: true }
  expect((await w.say(reader, 'Hello', boardInput(w))).status).toBe(403)
  const firstResponse = await w.say(w.cleo, 'Make it', boardInput(w))
  const { thread_id } = firstResponse
  expect(await faultOf(reader['chat.update']({ thread_id, ...allowed }))).toMatchObject({
    code: 'forbidden',
    message: 'This credential lacks the scope tasks:write',
  })
  expect(firstResponse.calls).toMatchObject([{ state: 'waiting' }])
  const { call_id } = firstResponse.calls[0]!
  expect((await w.confirm(reader, thread_id, call_id, true, allowed)).status).toBe(403)
  expect((await w.confirm(reader, thread_id, call_id)).status).toBe(403)
  expect(await listTitles(w)).not.toContain('Paint')
  expect(await w.cleo['chat.thread']({ thread_id })).toMatchObject({ allow_writes: false })
})

describe('an approval', () => {
  test('is accepted once, from the owner of the thread, and only for a waiting call', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'Done.' }])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', boardInput(w))
    const { call_id } = calls[0]!
    expect((await w.confirm(w.ada, thread_id, call_id)).status).toBe(404)
    expect((await w.confirm(w.cleo, thread_id, 'another')).status).toBe(404)
    const [one, two] = await Promise.all([
      w.confirm(w.cleo, thread_id, call_id),
      w.confirm(w.cleo, thread_id, call_id),
    ])
    expect([one!.status, two!.status].sort()).toEqual([200, 409])
    expect(await w.confirm(w.cleo, thread_id, call_id)).toMatchObject({
      status: 409,
      refusal: { message: 'This call is not waiting for approval: it is already done' },
    })
    expect((await listTitles(w)).filter((title) => title === 'Paint')).toHaveLength(1)
  })

  test('is refused after the next message, and the model learns that the call did not run', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint')])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', boardInput(w))
    w.service.play([{ text: 'Then not.' }])
    await w.say(w.cleo, 'Or rather not', { thread_id })
    expect(await w.confirm(w.cleo, thread_id, calls[0]!.call_id)).toMatchObject({
      status: 409,
      refusal: { message: expect.stringContaining('went on without it') },
    })
    expect(JSON.stringify(w.service.requests[0]!.body)).toContain('continued without approving')
    expect(await listTitles(w)).not.toContain('Paint')
  })
})
