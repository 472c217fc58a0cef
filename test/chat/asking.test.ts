import { describe, expect, test } from 'bun:test'
import { refused } from '../refused.ts'
import { talking } from './talking.ts'

type Talk = Awaited<ReturnType<typeof talking>>

const created = (w: Talk, ...titles: string[]) => ({
  calls: titles.map((title) => ({
    tool: 'tasks_create_many',
    input: { project_id: w.board.project_id, tasks: [{ title }] },
  })),
})
const titles = async ({ cleo, board }: Talk) =>
  (await cleo['tasks.list']({ project_id: board.project_id })).items.map(({ title }) => title)
const about = ({ board }: Talk) => ({ project_id: board.project_id })

describe('a call that writes', () => {
  test('waits for approval, then runs on behalf of the person, and the answer continues', async () => {
    const w = await talking()
    w.service.play([created(w, 'Paint'), { text: 'Done.' }])
    const asked = await w.say(w.cleo, 'Make a task', about(w))
    expect(asked.done).toMatchObject({ reason: 'waiting' })
    expect(asked.calls).toMatchObject([{ state: 'waiting', writes: true, destroys: false }])
    expect(await titles(w)).not.toContain('Paint')
    expect(await w.cleo['chat.thread']({ thread_id: asked.thread_id })).toMatchObject({
      state: 'waiting',
      messages: [{}, { state: 'waiting' }],
    })
    const heard = await w.confirm(w.cleo, asked.thread_id, asked.calls[0]!.call_id)
    expect(heard).toMatchObject({
      ...{ text: 'Done.', calls: [{ state: 'done', can_undo: true }] },
      done: { reason: 'said' },
    })
    expect(await titles(w)).toContain('Paint')
    expect(w.service.asked[1]!.told[0]).toContain('Paint')
    const [change] = (await w.changes()).filter(({ type }) => type === 'task.created').slice(-1)
    expect(change).toMatchObject({ actor_id: w.cleo.caller.actor_id })
  })

  test('does not run when it is declined, and the model gets that as its result', async () => {
    const w = await talking()
    w.service.play([created(w, 'Paint'), { text: 'As you like.' }])
    const asked = await w.say(w.cleo, 'Make a task', about(w))
    const heard = await w.confirm(w.cleo, asked.thread_id, asked.calls[0]!.call_id, false)
    expect(heard).toMatchObject({ text: 'As you like.', calls: [{ state: 'declined' }] })
    expect(w.service.asked[1]!.told[0]).toContain('declined this')
    expect(await titles(w)).not.toContain('Paint')
  })

  test('waits beside others, and the answer continues once all are approved or declined', async () => {
    const w = await talking()
    const [first] = created(w, 'First').calls
    const [second] = created(w, 'Second').calls
    const look = { tool: 'tasks_list', input: about(w) }
    w.service.play([{ calls: [first!, look, second!] }, { text: 'Both settled.' }])
    const asked = await w.say(w.cleo, 'Make two', about(w))
    expect(asked.calls.map(({ state }) => state)).toEqual(['waiting', 'done', 'waiting'])
    const one = await w.confirm(w.cleo, asked.thread_id, asked.calls[2]!.call_id)
    expect(one).toMatchObject({ text: '', done: { reason: 'waiting' } })
    expect(w.service.asked).toHaveLength(1)
    const two = await w.confirm(w.cleo, asked.thread_id, asked.calls[0]!.call_id, false)
    expect(two).toMatchObject({ text: 'Both settled.', done: { reason: 'said' } })
    expect(w.service.asked[1]!.told).toEqual([
      expect.stringContaining('declined this'),
      expect.stringContaining('Draw the logo'),
      expect.stringContaining('Second'),
    ])
    expect(await titles(w)).toContain('Second')
    expect(await titles(w)).not.toContain('First')
  })

  test('runs at once in a thread that allows writes, until that is revoked', async () => {
    const w = await talking()
    w.service.play([created(w, 'Paint'), { text: 'Done.' }])
    const first = await w.say(w.cleo, 'Make it', { ...about(w), allow_writes: true })
    expect(first).toMatchObject({ calls: [{ state: 'done' }], done: { reason: 'said' } })
    const { thread_id } = first
    await w.cleo['chat.update']({ thread_id, allow_writes: false })
    w.service.play([created(w, 'Varnish')])
    const asked = await w.say(w.cleo, 'And that', { thread_id })
    expect(asked.calls).toMatchObject([{ state: 'waiting' }])
    w.service.play([created(w, 'Polish'), { text: 'All done.' }])
    const heard = await w.confirm(w.cleo, thread_id, asked.calls[0]!.call_id, true, {
      allow_writes: true,
    })
    expect(heard).toMatchObject({ text: 'All done.', done: { reason: 'said' } })
    expect(await titles(w)).toEqual(expect.arrayContaining(['Paint', 'Varnish', 'Polish']))
  })

  test('waits for approval if it destroys, even where writes are allowed', async () => {
    const w = await talking()
    w.service.play([
      { calls: [{ tool: 'more_tools', input: { group: 'boards' } }] },
      { calls: [{ tool: 'projects_archive', input: about(w) }] },
      { text: 'It is gone.' },
    ])
    const asked = await w.say(w.ada, 'Archive it', { ...about(w), allow_writes: true })
    expect(asked.calls).toMatchObject([
      { tool: 'more_tools', state: 'done' },
      { tool: 'projects_archive', state: 'waiting', destroys: true },
    ])
    expect((await w.ada['projects.list']({})).items).toHaveLength(1)
    await w.confirm(w.ada, asked.thread_id, asked.calls[1]!.call_id)
    expect((await w.ada['projects.list']({})).items).toHaveLength(0)
  })

  test('with invalid input is refused without asking for approval', async () => {
    const w = await talking()
    w.service.play([
      { calls: [{ tool: 'tasks_create_many', input: { project_id: 'HP' } }] },
      { text: 'I gave it wrongly.' },
    ])
    const heard = await w.say(w.cleo, 'Make it', about(w))
    expect(heard).toMatchObject({
      calls: [{ state: 'failed', trouble: { error: 'Validation error' } }],
      done: { reason: 'said' },
    })
  })

  test('runs with the rights that the person has at the time of approval', async () => {
    const w = await talking()
    w.service.play([created(w, 'Paint'), { text: 'You may not.' }])
    const asked = await w.say(w.cleo, 'Make it', about(w))
    const user_id = w.cleo.caller.actor_id
    await w.ada['teams.set_role']({ team_id: w.team_id, user_id, role: 'guest' })
    const heard = await w.confirm(w.cleo, asked.thread_id, asked.calls[0]!.call_id)
    expect(heard).toMatchObject({ calls: [{ state: 'failed' }], text: 'You may not.' })
    w.clock.pass(1)
    expect((await w.ada['tasks.list']({ project_id: w.board.project_id })).items).toHaveLength(4)
  })
})

test('a read-only key cannot call an agent in a thread', async () => {
  const w = await talking()
  const reader = await w.as(w.cleo.caller.actor_id, 'key', ['tasks:read', 'projects:read'])
  const heard = await w.say(reader, `@${w.bot.caller.name} do it`, about(w))
  expect(heard.status).toBe(403)
  expect(await w.emitted()).not.toContain('chat.message')
  expect((await w.say(w.cleo, `@${w.bot.caller.name} do it`, about(w))).status).toBe(200)
  expect(await w.emitted()).toContain('chat.message')
})

test('a read-only key cannot start a chat, change a thread or approve a call', async () => {
  const w = await talking()
  w.service.play([created(w, 'Paint')])
  const reader = await w.as(w.cleo.caller.actor_id, 'key', ['tasks:read', 'projects:read'])
  const allowed = { allow_writes: true }
  expect((await w.say(reader, 'Hello', about(w))).status).toBe(403)
  const asked = await w.say(w.cleo, 'Make it', about(w))
  const { thread_id } = asked
  expect(await refused(reader['chat.update']({ thread_id, ...allowed }))).toMatchObject({
    code: 'forbidden',
    message: 'This credential lacks the scope tasks:write',
  })
  expect(asked.calls).toMatchObject([{ state: 'waiting' }])
  const { call_id } = asked.calls[0]!
  expect((await w.confirm(reader, thread_id, call_id, true, allowed)).status).toBe(403)
  expect((await w.confirm(reader, thread_id, call_id)).status).toBe(403)
  expect(await titles(w)).not.toContain('Paint')
  expect(await w.cleo['chat.thread']({ thread_id })).toMatchObject({ allow_writes: false })
})

describe('an approval', () => {
  test('is accepted once, from the owner of the thread, and only for a waiting call', async () => {
    const w = await talking()
    w.service.play([created(w, 'Paint'), { text: 'Done.' }])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', about(w))
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
    expect((await titles(w)).filter((title) => title === 'Paint')).toHaveLength(1)
  })

  test('is refused after the next message, and the model learns that the call did not run', async () => {
    const w = await talking()
    w.service.play([created(w, 'Paint')])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', about(w))
    w.service.play([{ text: 'Then not.' }])
    await w.say(w.cleo, 'Or rather not', { thread_id })
    expect(await w.confirm(w.cleo, thread_id, calls[0]!.call_id)).toMatchObject({
      status: 409,
      refusal: { message: expect.stringContaining('went on without it') },
    })
    expect(JSON.stringify(w.service.asked[0]!.body)).toContain('continued without approving')
    expect(await titles(w)).not.toContain('Paint')
  })
})
