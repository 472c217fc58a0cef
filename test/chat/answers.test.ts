import { describe, expect, test } from 'bun:test'
import { undoCall } from '../../src/chat/undo.ts'
import type { Call } from '../../src/features/conversation/chat/model/index.ts'
import {
  readBrief,
  say,
  type ThreadBrief,
} from '../../src/features/conversation/chat/operations/index.ts'
import { streamOf } from '../../src/surfaces/chat/stream.ts'
import { faultOf } from '../support/faults.ts'
import { waitUntil } from '../support/wait.ts'
import { chatWorld, parseEvents, parseResponse } from './chat-client.ts'

type ChatWorld = Awaited<ReturnType<typeof chatWorld>>
const boardInput = ({ board }: ChatWorld) => ({ project_id: board.project_id })
const answerCreating = (w: ChatWorld, title: string) => ({
  calls: [{ tool: 'tasks_create_many', input: { ...boardInput(w), tasks: [{ title }] } }],
})
const countTasks = async (w: ChatWorld, title: string) =>
  (await w.cleo['tasks.list']({ ...boardInput(w), query: title })).items.length

describe('an answer that is stopped', () => {
  test('ends early, keeps its text and cancels the request to the model', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'A very long story that goes on '.repeat(100), chunkDelayMs: 100 }])
    const stream = await w.send(w.cleo, 'POST', '/api/chat', { message: 'Tell me' })
    const textSoFar = async () => {
      const { messages } = await w.cleo['chat.thread']({ thread_id: 1 })
      return (messages[1]?.parts[0] as { text?: string } | undefined)?.text
    }
    await waitUntil(async () => Boolean(await textSoFar().catch(() => undefined)))
    const { body } = await w.http(w.cleo, 'POST', '/api/chat/threads/1/stop')
    expect(body.data).toEqual({ thread_id: 1, stopped: true })
    const response = await parseResponse(stream)
    expect(response.done).toMatchObject({ reason: 'stopped' })
    await waitUntil(() => w.service.droppedAnswers.count > 0)
    const { messages, state } = await w.cleo['chat.thread']({ thread_id: 1 })
    expect(state).toBe('idle')
    expect(messages[1]).toMatchObject({
      ...{ state: 'stopped', trouble: null },
      parts: [{ text: response.text }],
    })
    expect(response.text.length).toBeGreaterThan(0)
    expect(await w.cleo['chat.stop']({ thread_id: 1 })).toMatchObject({ stopped: false })
  })

  test('declines its waiting calls', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint')])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', boardInput(w))
    await w.cleo['chat.stop']({ thread_id })
    expect((await w.confirm(w.cleo, thread_id, calls[0]!.call_id)).status).toBe(409)
    expect(await w.cleo['chat.thread']({ thread_id })).toMatchObject({
      ...{ state: 'idle' },
      messages: [{}, { state: 'stopped', parts: [{ state: 'declined' }] }],
    })
  })

  test('because its thread is deleted ends, and the thread is not found', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'A very long story that goes on and on', chunkDelayMs: 50 }])
    const stream = await w.send(w.cleo, 'POST', '/api/chat', { message: 'Tell me' })
    await Bun.sleep(100)
    await w.cleo['chat.delete']({ thread_id: 1 })
    expect((await parseResponse(stream)).done).toMatchObject({ reason: 'stopped' })
    expect((await w.http(w.cleo, 'GET', '/api/chat/threads/1')).status).toBe(404)
  })
})

describe('an answer without a listener', () => {
  test('continues, and its owner can stream it from the beginning, or read it once it is done', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'One two three four five six', chunkDelayMs: 60 }])
    const abandonedResponse = await w.send(w.cleo, 'POST', '/api/chat', { message: 'Count' })
    await abandonedResponse.body!.cancel()
    const resumedResponse = await w.request(w.cleo, 'GET', '/api/chat/threads/1/stream')
    expect(resumedResponse).toMatchObject({
      text: 'One two three four five six',
      done: { reason: 'said' },
    })
    const lateResponse = await w.request(w.cleo, 'GET', '/api/chat/threads/1/stream')
    expect(lateResponse.events).toEqual([
      { type: 'done', reason: 'said', usage: { tokens_in: 0, tokens_out: 0 } },
    ])
    expect((await w.request(w.ada, 'GET', '/api/chat/threads/1/stream')).status).toBe(404)
  })

  test('is stored while it grows', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'One two three four five six', chunkDelayMs: 250 }])
    const stream = await w.send(w.cleo, 'POST', '/api/chat', { message: 'Count' })
    await Bun.sleep(1300)
    const { messages, state } = await w.cleo['chat.thread']({ thread_id: 1 })
    expect(state).toBe('answering')
    expect(messages[1]!.parts[0]).toMatchObject({ text: expect.stringMatching(/^One/) })
    await w.cleo['chat.stop']({ thread_id: 1 })
    await stream.text()
  })
})

describe('an answer interrupted by its server', () => {
  test('counts as failed 11 seconds after the server dies, and can then be retried', async () => {
    const w = await chatWorld()
    await w.dispatch(w.cleo.caller, say, { message: 'Hello' })
    const runningThread = await w.cleo['chat.thread']({ thread_id: 1 })
    expect(runningThread.state).toBe('answering')
    expect((await w.retry(w.cleo, 1)).status).toBe(409)
    w.clock.advance(11_000)
    const failedThread = await w.cleo['chat.thread']({ thread_id: 1 })
    expect(failedThread).toMatchObject({
      state: 'idle',
      messages: [{}, { state: 'failed', trouble: { error: 'Interrupted' } }],
    })
    w.service.play([{ text: 'Hello again' }])
    expect(await w.retry(w.cleo, 1)).toMatchObject({ text: 'Hello again' })
    const retriedThread = await w.cleo['chat.thread']({ thread_id: 1 })
    expect(retriedThread.messages).toMatchObject([{ number: 1 }, { number: 3, state: 'done' }])
  })

  test('is stored as failed when the server shuts down', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'A very long story that goes on and on', chunkDelayMs: 50 }])
    const stream = await w.send(w.cleo, 'POST', '/api/chat', { message: 'Tell me' })
    await Bun.sleep(120)
    await w.chatService.close()
    expect((await parseResponse(stream)).done).toMatchObject({
      ...{ reason: 'failed', trouble: { error: 'Interrupted' } },
    })
    expect(await w.cleo['chat.thread']({ thread_id: 1 })).toMatchObject({
      state: 'idle',
      messages: [{}, { state: 'failed', trouble: { error: 'Interrupted' } }],
    })
  })
})

describe('a retried answer', () => {
  test('replaces the previous one, which the model does not get', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'Blue' }])
    const { thread_id } = await w.say(w.cleo, 'Colour?')
    w.service.play([{ text: 'Green' }])
    expect((await w.retry(w.cleo, thread_id)).events[0]).toMatchObject({ asked: null, number: 3 })
    const { messages } = await w.cleo['chat.thread']({ thread_id })
    expect(messages.map(({ parts }) => parts)).toMatchObject([
      [{ text: 'Colour?' }],
      [{ text: 'Green' }],
    ])
    expect(JSON.stringify(w.service.requests[0]!.body)).not.toContain('Blue')
  })

  test('keeps the calls of the previous one, and the model gets them, so none runs twice', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'Made HP-5.' }])
    const { thread_id } = await w.say(w.cleo, 'Make it', { ...boardInput(w), allow_writes: true })
    w.service.play([{ text: 'It is made already.' }])
    await w.retry(w.cleo, thread_id)
    expect(w.service.requests[0]!.toolResults[0]).toContain('Paint')
    const { messages } = await w.cleo['chat.thread']({ thread_id })
    expect(messages).toMatchObject([
      { role: 'person' },
      { number: 2, parts: [{ type: 'call', state: 'done' }] },
      { number: 3, parts: [{ text: 'It is made already.' }] },
    ])
    expect(messages[1]!.parts).toHaveLength(1)
    expect(await countTasks(w, 'Paint')).toBe(1)
  })

  test('is refused with 409 if the last message is not an answer of the model', async () => {
    const w = await chatWorld()
    w.service.play([{ text: 'Yes' }])
    const { thread_id } = await w.say(w.cleo, 'Hello')
    await w.cleo['chat.reply']({ thread_id, text: 'A note' })
    expect((await w.retry(w.cleo, thread_id)).status).toBe(409)
  })
})

describe('undoing a call', () => {
  test('works once, even with concurrent requests, and the model learns of it', async () => {
    const w = await chatWorld()
    w.service.play([answerCreating(w, 'Paint'), { text: 'Made.' }])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', {
      ...boardInput(w),
      allow_writes: true,
    })
    const tool_call_id = calls[0]!.call_id
    const undo = () =>
      w.http(w.cleo, 'POST', `/api/chat/threads/${thread_id}/undo`, { tool_call_id })
    const responses = await Promise.all([undo(), undo()])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const success = responses.find(({ status }) => status === 200)!
    expect(success.body.data.call).toMatchObject({ state: 'undone', can_undo: false })
    expect(success.text).not.toContain('"undo"')
    expect(await countTasks(w, 'Paint')).toBe(0)
    expect((await undo()).body.message).toBe('This was already undone')
    w.service.play([{ text: 'Yes.' }])
    await w.say(w.cleo, 'Is it gone?', { thread_id })
    expect(JSON.stringify(w.service.requests[0]!.body)).toContain('Undone by the person')
  })

  test('conflicts with an answer in progress, and works after its end', async () => {
    const w = await chatWorld()
    w.service.play([
      answerCreating(w, 'Paint'),
      { text: 'Made.' },
      { text: 'Slowly', startDelayMs: 300 },
    ])
    const { thread_id, calls } = await w.say(w.cleo, 'Make it', {
      ...boardInput(w),
      allow_writes: true,
    })
    const { call_id } = calls[0]!
    const threadBrief = (await w.dispatch(w.cleo.caller, readBrief, { thread_id }))
      .data as ThreadBrief
    const slowStream = await w.send(w.cleo, 'POST', '/api/chat', { message: 'More', thread_id })
    const conflictFault = await faultOf(undoCall(w, w.cleo.caller, threadBrief, call_id))
    expect(conflictFault).toMatchObject({
      code: 'conflict',
      message: 'An answer is in progress in this thread',
    })
    expect(await countTasks(w, 'Paint')).toBe(1)
    await slowStream.text()
    expect(await undoCall(w, w.cleo.caller, threadBrief, call_id)).toBeTrue()
    expect(await countTasks(w, 'Paint')).toBe(0)
  })

  test('is refused with the reason for a read, a waiting call and an unknown call', async () => {
    const w = await chatWorld()
    w.service.play([
      {
        calls: [{ tool: 'tasks_list', input: boardInput(w) }, answerCreating(w, 'Paint').calls[0]!],
      },
    ])
    const { thread_id, calls } = await w.say(w.cleo, 'Look and make', boardInput(w))
    const undo = (call: { call_id: string }) =>
      w.http(w.cleo, 'POST', `/api/chat/threads/${thread_id}/undo`, { tool_call_id: call.call_id })
    expect((await undo(calls[0]!)).body.message).toContain('only read data')
    expect((await undo(calls[1]!)).body.message).toContain('it is waiting')
    expect((await undo({ call_id: 'none' })).status).toBe(404)
  })
})

test('the stream of an answer is not cached, and has the same call and token usage as stored', async () => {
  const w = await chatWorld()
  w.service.play([{ text: 'Look: ', calls: [{ tool: 'tasks_list', input: {} }] }, { text: 'Done' }])
  const response = await w.send(w.cleo, 'POST', '/api/chat', { message: 'Look' })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    'x-accel-buffering': 'no',
  })
  const events = parseEvents(await response.text())
  const { messages } = await w.cleo['chat.thread']({ thread_id: 1 })
  const parts = messages[1]!.parts
  expect(events.findLast(({ call }) => call)!.call!).toEqual(parts[1] as Call)
  expect(events.at(-1)!.usage!.tokens_in).toBe(messages[1]!.tokens_in)
})

test('cancelling a stream ends the source of its events', async () => {
  let hasEnded = false
  async function* events() {
    try {
      for (;;) {
        await Bun.sleep(2)
        yield { type: 'text' }
      }
    } finally {
      hasEnded = true
    }
  }
  const reader = streamOf(events(), () => {}).getReader()
  await reader.read()
  await reader.cancel()
  for (let tries = 0; !hasEnded && tries < 200; tries++) await Bun.sleep(5)
  expect(hasEnded).toBeTrue()
})
