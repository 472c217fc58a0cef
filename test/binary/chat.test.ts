import { afterAll, afterEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { models, type Script } from '../ai/models.ts'
import { type Heard, heardIn } from '../chat/talking.ts'
import { onPostgres } from '../server.ts'
import { ask, folder, initiated, type Serving, serving, sweep } from './cork.ts'

afterAll(sweep)

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A server with a scripted model, and a board with one task. */
async function house() {
  const service = models()
  open.push(() => service.stop())
  const { data, api_key, team_id } = await initiated()
  const begin = async () => {
    const server = await serving(data, { env: service.settings('openai') })
    open.push(() => server.end('SIGKILL'))
    return server
  }
  const server = await begin()
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const made = { team_id, title: 'Home', sections }
  const { body } = await ask(server.url, api_key, 'POST', '/api/v1/projects', made)
  const { project_id } = body.data
  await ask(server.url, api_key, 'POST', '/api/v1/tasks', { project_id, title: 'Paint the fence' })
  return { service, api_key, project_id, server, begin }
}

const speaker = (key: string) => (server: Serving, path: string, body?: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

async function until(is: () => Promise<boolean>) {
  for (let tries = 0; !(await is()); tries++) {
    expect(tries).toBeLessThan(100)
    await Bun.sleep(200)
  }
}

const creating = (project_id: number, title: string) => ({
  calls: [{ tool: 'tasks_create_many', input: { project_id, tasks: [{ title }] } }],
})

test('changes are confirmed, allowed or undone, and an answer is stopped or retried', async () => {
  const { service, api_key, project_id, server } = await house()
  const speak = speaker(api_key)
  const say = async (path: string, body?: object): Promise<Heard> =>
    heardIn(await speak(server, path, body))
  const get = async (path: string) => (await ask(server.url, api_key, 'GET', path)).body.data
  const titles = async () =>
    (await get(`/api/v1/tasks?project_id=${project_id}`)).map((one: { title: string }) => one.title)

  service.play([{ text: 'A moment.', ...creating(project_id, 'Buy paint') }, { text: 'Made.' }])
  const asked = await say('/api/chat', { message: 'Make a task', project_id })
  expect(asked).toMatchObject({ text: 'A moment.', done: { reason: 'waiting' } })
  expect(await titles()).toEqual(['Paint the fence'])
  const thread = `/api/chat/threads/${asked.thread_id}`
  const tool_call_id = asked.calls[0]!.call_id
  const yes = await say(`${thread}/confirm`, { tool_call_id, approve: true })
  expect(yes).toMatchObject({ text: 'Made.', calls: [{ state: 'done' }] })
  expect(await titles()).toContain('Buy paint')

  service.play([creating(project_id, 'Buy brushes'), { text: 'Made, too.' }])
  const { thread_id } = asked
  const allowed = await say('/api/chat', { message: 'And', thread_id, allow_writes: true })
  expect(allowed).toMatchObject({ calls: [{ state: 'done' }], done: { reason: 'said' } })

  service.play([{ text: 'It was a dark and stormy night', slowMs: 100 }])
  const story = await speak(server, '/api/chat', { message: 'Tell', thread_id })
  await Bun.sleep(300)
  await ask(server.url, api_key, 'POST', `${thread}/stop`)
  expect((await heardIn(story)).done).toMatchObject({ reason: 'stopped' })
  service.play([{ text: 'Once upon a time' }])
  expect(await say(`${thread}/retry`)).toMatchObject({ text: 'Once upon a time' })

  const undone = await ask(server.url, api_key, 'POST', `${thread}/undo`, { tool_call_id })
  expect(undone.body.data.call).toMatchObject({ state: 'undone' })
  expect(await titles()).toEqual(['Buy brushes', 'Paint the fence'])
  expect(await server.end()).toBe(0)
  expect(await server.err()).toBe('')
})

test('an answer cut off by kill -9 is marked as interrupted and can be retried', async () => {
  const { service, api_key, project_id, server, begin } = await house()
  const speak = speaker(api_key)
  const script: Script = [creating(project_id, 'Buy paint'), { text: 'Slow words', slowMs: 4000 }]
  service.play(script)
  const message = { message: 'Make a task', project_id, allow_writes: true }
  const cut = await speak(server, '/api/chat', message)
  const thread = async ({ url }: Serving) =>
    (await ask(url, api_key, 'GET', '/api/chat/threads/1')).body.data
  await until(async () => (await thread(server)).messages[1].parts.length === 2)
  await server.end('SIGKILL')
  await cut.text().catch(() => '')
  const next = await begin()
  await until(async () => (await thread(next)).state === 'idle')
  expect((await thread(next)).messages[1]).toMatchObject({
    ...{ state: 'failed', trouble: { error: 'Interrupted' } },
    parts: [{ type: 'call', state: 'done' }, { type: 'text' }],
  })
  service.play([{ text: 'It is made already.' }])
  const again = await heardIn(await speak(next, '/api/chat/threads/1/retry'))
  expect(again).toMatchObject({ text: 'It is made already.', done: { reason: 'said' } })
  expect(service.asked[0]!.told[0]).toContain('Buy paint')
})

test('SIGTERM ends running answers in time and marks them as interrupted', async () => {
  const { service, api_key, server, begin } = await house()
  const speak = speaker(api_key)
  service.play([{ text: 'A story without an end', slowMs: 3000 }])
  const cut = await speak(server, '/api/chat', { message: 'Tell' })
  const began = performance.now()
  const [code, text] = await Promise.all([server.end(), cut.text()])
  expect([code, performance.now() - began < 9000]).toEqual([0, true])
  expect(text).toContain('"error":"Interrupted"')
  const next = await begin()
  const { body } = await ask(next.url, api_key, 'GET', '/api/chat/threads/1')
  expect(body.data).toMatchObject({ state: 'idle', messages: [{}, { state: 'failed' }] })
})

test.if(onPostgres)(
  'an answer on one server can be followed, confirmed and stopped on another',
  async () => {
    const { service, api_key, project_id, server, begin } = await house()
    const speak = speaker(api_key)
    const other = await begin()
    service.play([creating(project_id, 'Buy paint'), { text: 'One two three four', slowMs: 300 }])
    const asked = await heardIn(await speak(server, '/api/chat', { message: 'Make', project_id }))
    const tool_call_id = asked.calls[0]!.call_id
    const yes = await speak(other, '/api/chat/threads/1/confirm', { tool_call_id, approve: true })
    const path = `${server.url}/api/chat/threads/1/stream`
    const headers = { authorization: `Bearer ${api_key}` }
    expect(await heardIn(await fetch(path, { headers }))).toMatchObject({
      ...{ text: 'One two three four', calls: [{ state: 'done' }], done: { reason: 'said' } },
    })
    expect((await heardIn(yes)).text).toBe('One two three four')
    service.play([{ text: 'A story without an end', slowMs: 500 }])
    const story = await speak(other, '/api/chat', { message: 'Tell', thread_id: 1 })
    await Bun.sleep(700)
    await ask(server.url, api_key, 'POST', '/api/chat/threads/1/stop')
    expect((await heardIn(story)).done).toMatchObject({ reason: 'stopped' })
  },
)

test('the examples of docs/chat.md work, run one after another', async () => {
  const { service, api_key, project_id, server } = await house()
  service.play((asked) => {
    if (asked.said.includes('buy paint') && !asked.told.length)
      return creating(project_id, 'Buy paint')
    return { text: asked.told.length ? 'Made it.' : 'The fence is to be painted.' }
  })
  const page = readFileSync(join(import.meta.dir, '../../docs/chat.md'), 'utf8')
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
  expect(blocks).toHaveLength(5)
  const cwd = folder()
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
  const kept = await Bun.file(join(cwd, 'thread.json')).json()
  expect(kept).toMatchObject({ title: 'Plans for the week', state: 'idle' })
  expect(JSON.stringify(kept)).toContain('"undone"')
})
