import { afterAll, afterEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { type Script, startScriptedModel } from '../ai/scripted-model.ts'
import { type ChatResponse, parseResponse } from '../chat/chat-client.ts'
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'
import {
  cleanUp,
  createFolder,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from './cork.ts'

afterAll(cleanUp)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

/** A server with a scripted model, and a board with one task. */
async function startWithModel() {
  const service = startScriptedModel()
  cleanups.push(() => service.stop())
  const { data, api_key, team_id } = await initDataFolder()
  const start = async () => {
    const server = await startServer(data, { env: service.settings('openai') })
    cleanups.push(() => server.end('SIGKILL'))
    return server
  }
  const server = await start()
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const board = { team_id, title: 'Home', sections }
  const { body } = await sendRequest(server.url, api_key, 'POST', '/api/v1/projects', board)
  const { project_id } = body.data
  await sendRequest(server.url, api_key, 'POST', '/api/v1/tasks', {
    project_id,
    title: 'Paint the fence',
  })
  return { service, api_key, project_id, server, start }
}

const postAs = (key: string) => (server: RunningServer, path: string, body?: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

const createTaskReply = (project_id: number, title: string) => ({
  calls: [{ tool: 'tasks_create_many', input: { project_id, tasks: [{ title }] } }],
})

test('changes are confirmed, allowed or undone, and an answer is stopped or retried', async () => {
  const { service, api_key, project_id, server } = await startWithModel()
  const post = postAs(api_key)
  const chat = async (path: string, body?: object): Promise<ChatResponse> =>
    parseResponse(await post(server, path, body))
  const get = async (path: string) =>
    (await sendRequest(server.url, api_key, 'GET', path)).body.data
  const titles = async () =>
    (await get(`/api/v1/tasks?project_id=${project_id}`)).map((one: { title: string }) => one.title)

  service.play([
    { text: 'A moment.', ...createTaskReply(project_id, 'Buy paint') },
    { text: 'Made.' },
  ])
  const answer = await chat('/api/chat', { message: 'Make a task', project_id })
  expect(answer).toMatchObject({ text: 'A moment.', done: { reason: 'waiting' } })
  expect(await titles()).toEqual(['Paint the fence'])
  const thread = `/api/chat/threads/${answer.thread_id}`
  const tool_call_id = answer.calls[0]!.call_id
  const confirmed = await chat(`${thread}/confirm`, { tool_call_id, approve: true })
  expect(confirmed).toMatchObject({ text: 'Made.', calls: [{ state: 'done' }] })
  expect(await titles()).toContain('Buy paint')

  service.play([createTaskReply(project_id, 'Buy brushes'), { text: 'Made, too.' }])
  const { thread_id } = answer
  const allowed = await chat('/api/chat', { message: 'And', thread_id, allow_writes: true })
  expect(allowed).toMatchObject({ calls: [{ state: 'done' }], done: { reason: 'said' } })

  service.play([{ text: 'It was a dark and stormy night', chunkDelayMs: 100 }])
  const response = await post(server, '/api/chat', { message: 'Tell', thread_id })
  await Bun.sleep(300)
  await sendRequest(server.url, api_key, 'POST', `${thread}/stop`)
  expect((await parseResponse(response)).done).toMatchObject({ reason: 'stopped' })
  service.play([{ text: 'Once upon a time' }])
  expect(await chat(`${thread}/retry`)).toMatchObject({ text: 'Once upon a time' })

  const undone = await sendRequest(server.url, api_key, 'POST', `${thread}/undo`, { tool_call_id })
  expect(undone.body.data.call).toMatchObject({ state: 'undone' })
  expect(await titles()).toEqual(['Buy brushes', 'Paint the fence'])
  expect(await server.end()).toBe(0)
  expect(await server.err()).toBe('')
})

test('an answer cut off by kill -9 is marked as interrupted and can be retried', async () => {
  const { service, api_key, project_id, server, start } = await startWithModel()
  const post = postAs(api_key)
  const script: Script = [
    createTaskReply(project_id, 'Buy paint'),
    { text: 'Slow words', chunkDelayMs: 4000 },
  ]
  service.play(script)
  const message = { message: 'Make a task', project_id, allow_writes: true }
  const interrupted = await post(server, '/api/chat', message)
  const readThread = async ({ url }: RunningServer) =>
    (await sendRequest(url, api_key, 'GET', '/api/chat/threads/1')).body.data
  await waitUntil(async () => (await readThread(server)).messages[1].parts.length === 2)
  await server.end('SIGKILL')
  await interrupted.text().catch(() => '')
  const restarted = await start()
  await waitUntil(async () => (await readThread(restarted)).state === 'idle')
  expect((await readThread(restarted)).messages[1]).toMatchObject({
    ...{ state: 'failed', trouble: { error: 'Interrupted' } },
    parts: [{ type: 'call', state: 'done' }, { type: 'text' }],
  })
  service.play([{ text: 'It is made already.' }])
  const retried = await parseResponse(await post(restarted, '/api/chat/threads/1/retry'))
  expect(retried).toMatchObject({ text: 'It is made already.', done: { reason: 'said' } })
  expect(service.requests[0]!.toolResults[0]).toContain('Buy paint')
})

test('SIGTERM ends running answers in time and marks them as interrupted', async () => {
  const { service, api_key, server, start } = await startWithModel()
  const post = postAs(api_key)
  service.play([{ text: 'A story without an end', chunkDelayMs: 3000 }])
  const interrupted = await post(server, '/api/chat', { message: 'Tell' })
  const startedAt = performance.now()
  const [code, text] = await Promise.all([server.end(), interrupted.text()])
  expect([code, performance.now() - startedAt < 9000]).toEqual([0, true])
  expect(text).toContain('"error":"Interrupted"')
  const restarted = await start()
  const { body } = await sendRequest(restarted.url, api_key, 'GET', '/api/chat/threads/1')
  expect(body.data).toMatchObject({ state: 'idle', messages: [{}, { state: 'failed' }] })
})

test.if(onPostgres)(
  'an answer on one server can be followed, confirmed and stopped on another',
  async () => {
    const { service, api_key, project_id, server, start } = await startWithModel()
    const post = postAs(api_key)
    const other = await start()
    service.play([
      createTaskReply(project_id, 'Buy paint'),
      { text: 'One two three four', chunkDelayMs: 300 },
    ])
    const answer = await parseResponse(
      await post(server, '/api/chat', { message: 'Make', project_id }),
    )
    const tool_call_id = answer.calls[0]!.call_id
    const confirmed = await post(other, '/api/chat/threads/1/confirm', {
      tool_call_id,
      approve: true,
    })
    const path = `${server.url}/api/chat/threads/1/stream`
    const headers = { authorization: `Bearer ${api_key}` }
    expect(await parseResponse(await fetch(path, { headers }))).toMatchObject({
      ...{ text: 'One two three four', calls: [{ state: 'done' }], done: { reason: 'said' } },
    })
    expect((await parseResponse(confirmed)).text).toBe('One two three four')
    service.play([{ text: 'A story without an end', chunkDelayMs: 500 }])
    const response = await post(other, '/api/chat', { message: 'Tell', thread_id: 1 })
    await Bun.sleep(700)
    await sendRequest(server.url, api_key, 'POST', '/api/chat/threads/1/stop')
    expect((await parseResponse(response)).done).toMatchObject({ reason: 'stopped' })
  },
)

test('the examples of docs/chat.md work, run one after another', async () => {
  const { service, api_key, project_id, server } = await startWithModel()
  service.play((request) => {
    if (request.userText.includes('buy paint') && !request.toolResults.length)
      return createTaskReply(project_id, 'Buy paint')
    return { text: request.toolResults.length ? 'Made it.' : 'The fence is to be painted.' }
  })
  const page = readFileSync(join(import.meta.dir, '../../docs/chat.md'), 'utf8')
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
  expect(blocks).toHaveLength(5)
  const cwd = createFolder()
  writeFileSync(join(cwd, 'key.txt'), `${api_key}\n`)
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const script = [signIn, ...blocks].join('\n').replaceAll('http://127.0.0.1:3210', server.url)
  const run = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: {
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      XDG_CONFIG_HOME: join(cwd, 'settings'),
      KEY: api_key,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = [await new Response(run.stdout).text(), await new Response(run.stderr).text()]
  expect([await run.exited, err]).toEqual([0, ''])
  for (const words of ['scripted', '"state":"waiting"', '"state":"done"', '"reason":"waiting"'])
    expect(out).toContain(words)
  const thread = await Bun.file(join(cwd, 'thread.json')).json()
  expect(thread).toMatchObject({ title: 'Plans for the week', state: 'idle' })
  expect(JSON.stringify(thread)).toContain('"undone"')
})
