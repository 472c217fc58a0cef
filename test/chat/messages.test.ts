import { describe, expect, test } from 'bun:test'
import { world } from '../support/world.ts'
import { chatClient, chatWorld, parseResponse } from './chat-client.ts'

describe('the answer to a message', () => {
  for (const provider of ['openai', 'anthropic'] as const)
    test(`is streamed with its tool calls, and stored (${provider})`, async () => {
      const { cleo, board, service, say, tasks } = await chatWorld(provider)
      service.play([
        {
          text: 'Let me see.',
          calls: [{ tool: 'tasks_get', input: { ticket_number: tasks.logo.ticket_number } }],
        },
        { text: 'It is about a logo.' },
      ])
      const response = await say(cleo, 'What is HP-1 about?', { project_id: board.project_id })
      expect(response).toMatchObject({
        status: 200,
        text: 'Let me see.It is about a logo.',
        calls: [{ tool: 'tasks_get', state: 'done', writes: false, can_undo: false }],
        done: { reason: 'said', usage: { tokens_in: expect.any(Number) } },
      })
      expect(response.events[0]).toEqual({
        ...{ type: 'thread', thread_id: response.thread_id },
        ...{ title: 'What is HP-1 about?', asked: 1, number: 2 },
      })
      expect(service.requests[1]!.toolResults.join()).toContain('Draw the logo')
      const thread = await cleo['chat.thread']({ thread_id: response.thread_id })
      expect(thread).toMatchObject({
        ...{ state: 'idle', project: { key: 'HP' }, task: null, allow_writes: false },
        messages: [
          { number: 1, role: 'person', author: { name: 'Cleo' }, state: 'done' },
          {
            ...{ number: 2, role: 'assistant', author: null, state: 'done', trouble: null },
            parts: [
              { type: 'text', text: 'Let me see.' },
              { type: 'call', tool: 'tasks_get', title: expect.any(String) },
              { type: 'text', text: 'It is about a logo.' },
            ],
          },
        ],
      })
    })

  test('continues the thread, and the model gets the earlier messages', async () => {
    const { cleo, service, say } = await chatWorld()
    service.play([{ text: 'Good morning, Cleo.' }])
    const { thread_id } = await say(cleo, 'My colour is green')
    service.play([{ text: 'Green.' }])
    const response = await say(cleo, 'Which is my colour?', { thread_id })
    expect(response.events[0]).toMatchObject({ thread_id, asked: 3, number: 4 })
    const requestBody = JSON.stringify(service.requests[0]!.body)
    expect(requestBody).toContain('My colour is green')
    expect(requestBody).toContain('Good morning, Cleo.')
  })

  test('shows a refused call as failed, and the model gets the refusal as fenced data', async () => {
    const { cleo, service, say } = await chatWorld()
    service.play([
      { calls: [{ tool: 'tasks_get', input: { ticket_number: 'NO-1' } }] },
      { text: 'There is no NO-1.' },
    ])
    const response = await say(cleo, 'Look at NO-1')
    expect(response.calls[0]).toMatchObject({
      state: 'failed',
      trouble: { error: 'Not found', message: expect.stringContaining('NO-1') },
    })
    expect(service.requests[1]!.toolResults[0]).toMatch(/^<data source="refusal">/)
    expect(response.done).toMatchObject({ reason: 'said' })
  })

  test('stops after 16 calls of a model that repeats itself, and is stored with the reason', async () => {
    const { cleo, service, say } = await chatWorld()
    service.play(() => ({ calls: [{ tool: 'tasks_list', input: {} }] }))
    const response = await say(cleo, 'Look')
    expect(response.done).toMatchObject({ reason: 'steps', trouble: { hint: expect.any(String) } })
    expect(response.calls).toHaveLength(16)
    const { messages, state } = await cleo['chat.thread']({ thread_id: response.thread_id })
    expect(state).toBe('idle')
    expect(messages[1]).toMatchObject({ state: 'done', trouble: response.done!.trouble })
  })

  test('fails with the reason when the model rejects its key, and can be retried', async () => {
    const { cleo, service, say, retry } = await chatWorld()
    service.play([{ status: 401, message: 'Bad key' }])
    const response = await say(cleo, 'Hello')
    expect(response.done).toMatchObject({ reason: 'failed', trouble: { error: 'Key refused' } })
    const { messages } = await cleo['chat.thread']({ thread_id: response.thread_id })
    expect(messages[1]).toMatchObject({ state: 'failed', trouble: { error: 'Key refused' } })
    service.play([{ text: 'Hello Cleo' }])
    expect(await retry(cleo, response.thread_id)).toMatchObject({ text: 'Hello Cleo' })
  })

  test('is the same for requests with the same Idempotency-Key, and the model is called once', async () => {
    const { cleo, service, request } = await chatWorld()
    service.play([{ text: 'Once upon a time', chunkDelayMs: 30 }])
    const sendMessage = () =>
      request(cleo, 'POST', '/api/chat', { message: 'Tell' }, { 'idempotency-key': 'tale' })
    const [first, second] = await Promise.all([sendMessage(), sendMessage()])
    const third = await sendMessage()
    for (const response of [first, second, third])
      expect(response).toMatchObject({
        ...{ text: 'Once upon a time', thread_id: first!.thread_id },
        done: { reason: 'said' },
      })
    expect(service.requests).toHaveLength(1)
  })

  test('has the same events when a message to an agent is repeated with its Idempotency-Key', async () => {
    const w = await chatWorld()
    const body = { message: '@Bot hello', project_id: w.board.project_id }
    const sendMessage = () =>
      w.request(w.cleo, 'POST', '/api/chat', body, { 'idempotency-key': 'hello' })
    const [first, again] = [await sendMessage(), await sendMessage()]
    expect(first.done).toMatchObject({ reason: 'said' })
    expect(again.events).toEqual(first.events)
  })

  test('is refused to a person who has five in progress, until one of them ends', async () => {
    const w = await chatWorld()
    w.service.play(() => ({ text: 'Slowly', startDelayMs: 400 }))
    const sendMessage = () => w.send(w.cleo, 'POST', '/api/chat', { message: 'Go' })
    const slow = await Promise.all(Array.from({ length: 5 }, sendMessage))
    const sixth = await parseResponse(await sendMessage())
    expect(sixth).toMatchObject({
      status: 409,
      refusal: { hint: expect.stringContaining('/stop') },
    })
    expect((await w.cleo['chat.threads']({})).items).toHaveLength(5)
    expect((await w.say(w.ada, 'Go')).text).toBe('Slowly')
    await Promise.all(slow.map((response) => response.text()))
    expect((await w.say(w.cleo, 'Go')).text).toBe('Slowly')
  })

  test('is refused for a busy thread, invalid input, a missing credential and an agent', async () => {
    const { cleo, bot, service, send, say, request } = await chatWorld()
    service.play([{ text: 'Slowly', startDelayMs: 300 }])
    const slow = await send(cleo, 'POST', '/api/chat', { message: 'One' })
    const { items } = await cleo['chat.threads']({})
    const { thread_id } = items[0]!
    expect(await say(cleo, 'Two', { thread_id })).toMatchObject({
      status: 409,
      refusal: { error: 'Conflict', hint: expect.stringContaining('/stop') },
    })
    await slow.text()
    expect((await say(cleo, '')).refusal).toMatchObject({ error: 'Validation error' })
    expect((await say(cleo, 'x'.repeat(20_001))).status).toBe(400)
    expect((await say(cleo, 'x', { thread_id: 999 })).status).toBe(404)
    expect((await say(cleo, 'x', { thread: 1 })).refusal!.details!.code).toBe('unknown_field')
    expect((await request(undefined, 'POST', '/api/chat', { message: 'x' })).status).toBe(401)
    expect(await say(bot, 'Hello')).toMatchObject({
      status: 403,
      refusal: { hint: expect.stringContaining('/messages') },
    })
    expect(service.requests).toHaveLength(1)
  })

  test('stays with the task of its thread, and a message that names another task is refused', async () => {
    const { cleo, board, tasks, service, say } = await chatWorld()
    service.play([{ text: 'Yes' }, { text: 'Yes' }])
    const { thread_id } = await say(cleo, 'About this', { task: 'HP-2' })
    expect(await cleo['chat.thread']({ thread_id })).toMatchObject({
      ...{ project: { project_id: board.project_id } },
      task: { ticket_number: 'HP-2' },
    })
    const other = await say(cleo, 'And that?', { thread_id, task: tasks.logo.task_id })
    expect(other).toMatchObject({ status: 400, refusal: { details: { field: 'task' } } })
    expect(await say(cleo, 'More', { thread_id, project_id: board.project_id })).toMatchObject({
      done: { reason: 'said' },
    })
    const { items } = await cleo['chat.threads']({ task: 'HP-2' })
    expect(items.map((one) => one.thread_id)).toEqual([thread_id])
    expect((await cleo['chat.threads']({ task: 'HP-1' })).items).toEqual([])
  })
})

describe('the model setting', () => {
  test('if missing, makes messages fail with 503 and a hint, and threads can still be listed', async () => {
    const w = await world()
    const { say, request } = chatClient(w)
    expect(await say(w.cleo, 'Hello')).toMatchObject({
      status: 503,
      refusal: { error: 'No model', hint: expect.stringContaining('CORK_AI_BASE_URL') },
    })
    expect((await w.http(w.cleo, 'GET', '/api/chat')).body.data).toEqual({
      ...{ configured: false, provider: null, model: null },
      hint: expect.stringContaining('CORK_AI_MODEL'),
    })
    expect(await w.cleo['chat.threads']({})).toMatchObject({ items: [] })
    expect((await request(w.cleo, 'POST', '/api/chat/threads/1/retry')).status).toBe(404)
  })

  test('if present, is shown in the status without the key', async () => {
    const w = await chatWorld()
    const { text, body } = await w.http(w.cleo, 'GET', '/api/chat')
    expect(body.data).toEqual({ configured: true, provider: 'openai', model: 'scripted' })
    expect(text).not.toContain('hint')
  })
})

test('revoking a credential during an answer fails the answer and its calls', async () => {
  const { cleo, service, say, http } = await chatWorld()
  const key = await http(cleo, 'POST', '/api/v1/api-keys', { name: 'chat' })
  const { api_key_id, key: secret } = key.body.data
  service.play(async (_, at) => {
    if (!at) await http(cleo, 'DELETE', `/api/v1/api-keys/${api_key_id}`)
    return { calls: [{ tool: 'tasks_list', input: {} }] }
  })
  const response = await say({ secret }, 'Look')
  expect(response.done).toMatchObject({
    reason: 'failed',
    trouble: { error: 'Authentication failed' },
  })
  expect(response.calls.every(({ state }) => state !== 'done')).toBeTrue()
})
