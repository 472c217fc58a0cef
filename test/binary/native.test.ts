import { afterAll, afterEach, expect, test } from 'bun:test'
import { models } from '../ai/models.ts'
import { onPostgres } from '../server.ts'
import { ask, initiated, type Serving, serving, sweep } from './cork.ts'

afterAll(sweep)

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const SLOW = { text: 'Let me think about that for a very long time.', slowMs: 5000 }
const fence = { ticket_number: 'HOM-1' }
const commenting = (text: string) => ({
  calls: [{ tool: 'comments_add', input: { ...fence, text } }],
})

/** A board with one task, and Nia, a native agent with a scripted model. */
async function house() {
  const service = models()
  open.push(() => service.stop())
  const made = await initiated()
  const begin = async () => {
    const server = await serving(made.data, { env: service.settings('openai') })
    open.push(() => server.end('SIGKILL'))
    return server
  }
  const to = (server: Serving) => async (method: string, path: string, body?: object) =>
    (await ask(server.url, made.api_key, method, path, body)).body.data
  const server = await begin()
  const call = to(server)
  const { team_id } = made
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const board = { team_id, title: 'Home', sections }
  const { project_id } = await call('POST', '/api/v1/projects', board)
  await call('POST', '/api/v1/tasks', { project_id, title: 'Paint the fence' })
  const nia = { team_id, name: 'Nia', kind: 'native', instructions: 'Be short.' }
  const { agent_id } = await call('POST', '/api/v1/agents', nia)
  return { service, server, begin, to, call, agent_id }
}

type Call = Awaited<ReturnType<typeof house>>['call']

/** The newest run of the task, once it is in this state. */
async function ran(call: Call, state: string) {
  for (let tries = 0; tries < 1000; tries++) {
    const [run] = await call('GET', '/api/v1/tasks/HOM-1/runs')
    if (run?.state === state) return run
    await Bun.sleep(100)
  }
  throw new Error(
    `It never was ${state}: ${JSON.stringify(await call('GET', '/api/v1/tasks/HOM-1/runs'))}`,
  )
}

test('an assigned native agent comments and finishes, and a stopped run has no summary', async () => {
  const { service, server, call, agent_id } = await house()
  service.play([commenting('In green.'), { text: 'Painted.' }])
  await call('POST', '/api/v1/tasks/HOM-1/assign', { agent_id })
  expect(await ran(call, 'done')).toMatchObject({ summary: 'Painted.', agent: { name: 'Nia' } })
  const [comment] = await call('GET', '/api/v1/tasks/HOM-1/comments')
  expect(comment).toMatchObject({ author: { name: 'Nia' } })
  expect(comment.text).toContain('In green.')

  service.play(() => SLOW)
  await call('POST', '/api/v1/tasks/HOM-1/runs', { agent_id, prompt: 'And the gate?' })
  const { run_id } = await ran(call, 'running')
  while (!service.asked.length) await Bun.sleep(50)
  await call('POST', `/api/v1/runs/${run_id}/stop`, { reason: 'Enough' })
  expect(await ran(call, 'stopped')).toMatchObject({ reason: 'Enough', summary: null })
  while (!service.dropped.count) await Bun.sleep(50)
  expect(await server.end()).toBe(0)
  expect(await server.err()).toBe('')
})

test('a run whose server is killed continues after a restart and repeats no action', async () => {
  const { service, server, begin, to, call, agent_id } = await house()
  service.play((_, at) =>
    at === 0 ? commenting('In green.') : at === 1 ? SLOW : { text: 'Painted.' },
  )
  await call('POST', '/api/v1/tasks/HOM-1/assign', { agent_id })
  while (service.asked.length < 2) await Bun.sleep(50)
  await server.end('SIGKILL')
  const again = to(await begin())
  const { run_id } = await ran(again, 'done')
  const lines = await again('GET', `/api/v1/runs/${run_id}/transcript`)
  const texts = lines.map(({ text }: { text: string }) => text)
  expect(texts.filter((text: string) => text.includes('went away'))).toHaveLength(1)
  expect(texts.at(-1)).toBe('Painted.')
  expect(service.asked[2]!.said).toContain('In green.')
  expect(await again('GET', '/api/v1/tasks/HOM-1/comments')).toHaveLength(1)
})

test.skipIf(!onPostgres)(
  'with two servers on one database exactly one works on a run',
  async () => {
    const { service, begin, call, agent_id } = await house()
    await begin()
    service.play((asked) => (asked.told.length ? { text: 'Painted.' } : commenting('In green.')))
    await call('POST', '/api/v1/tasks/HOM-1/assign', { agent_id })
    await ran(call, 'done')
    await Bun.sleep(2000)
    expect(service.asked).toHaveLength(2)
    expect(await call('GET', '/api/v1/tasks/HOM-1/comments')).toHaveLength(1)
  },
)
