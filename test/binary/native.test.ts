import { afterAll, afterEach, expect, test } from 'bun:test'
import { startScriptedModel } from '../ai/scripted-model.ts'
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'
import { cleanUp, initDataFolder, type RunningServer, sendRequest, startServer } from './cork.ts'

afterAll(cleanUp)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

const SLOW = { text: 'Let me think about that for a very long time.', chunkDelayMs: 5000 }
const task = { ticket_number: 'HOM-1' }
const commentReply = (text: string) => ({
  calls: [{ tool: 'comments_add', input: { ...task, text } }],
})

/** A board with one task, and Nia, a native agent with a scripted model. */
async function startWithAgent() {
  const service = startScriptedModel()
  cleanups.push(() => service.stop())
  const setup = await initDataFolder()
  const start = async () => {
    const server = await startServer(setup.data, { env: service.settings('openai') })
    cleanups.push(() => server.end('SIGKILL'))
    return server
  }
  const clientFor =
    (server: RunningServer) => async (method: string, path: string, body?: object) =>
      (await sendRequest(server.url, setup.api_key, method, path, body)).body.data
  const server = await start()
  const call = clientFor(server)
  const { team_id } = setup
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const board = { team_id, title: 'Home', sections }
  const { project_id } = await call('POST', '/api/v1/projects', board)
  await call('POST', '/api/v1/tasks', { project_id, title: 'Paint the fence' })
  const nia = { team_id, name: 'Nia', kind: 'native', instructions: 'Be short.' }
  const { agent_id } = await call('POST', '/api/v1/agents', nia)
  return { service, server, start, clientFor, call, agent_id }
}

type Call = Awaited<ReturnType<typeof startWithAgent>>['call']

/** The newest run of the task, once it is in this state. */
const waitForRun = (call: Call, state: string) =>
  waitUntil(async () => {
    const [run] = await call('GET', '/api/v1/tasks/HOM-1/runs')
    return run?.state === state && run
  })

test('an assigned native agent comments and finishes, and a stopped run has no summary', async () => {
  const { service, server, call, agent_id } = await startWithAgent()
  service.play([commentReply('In green.'), { text: 'Painted.' }])
  await call('POST', '/api/v1/tasks/HOM-1/assign', { agent_id })
  expect(await waitForRun(call, 'done')).toMatchObject({
    summary: 'Painted.',
    agent: { name: 'Nia' },
  })
  const [comment] = await call('GET', '/api/v1/tasks/HOM-1/comments')
  expect(comment).toMatchObject({ author: { name: 'Nia' } })
  expect(comment.text).toContain('In green.')

  service.play(() => SLOW)
  await call('POST', '/api/v1/tasks/HOM-1/runs', { agent_id, prompt: 'And the gate?' })
  const { run_id } = await waitForRun(call, 'running')
  while (!service.requests.length) await Bun.sleep(50)
  await call('POST', `/api/v1/runs/${run_id}/stop`, { reason: 'Enough' })
  expect(await waitForRun(call, 'stopped')).toMatchObject({ reason: 'Enough', summary: null })
  while (!service.droppedAnswers.count) await Bun.sleep(50)
  expect(await server.end()).toBe(0)
  expect(await server.err()).toBe('')
})

test('a run whose server is killed continues after a restart and repeats no action', async () => {
  const { service, server, start, clientFor, call, agent_id } = await startWithAgent()
  service.play((_, at) =>
    at === 0 ? commentReply('In green.') : at === 1 ? SLOW : { text: 'Painted.' },
  )
  await call('POST', '/api/v1/tasks/HOM-1/assign', { agent_id })
  while (service.requests.length < 2) await Bun.sleep(50)
  await server.end('SIGKILL')
  const callAgain = clientFor(await start())
  const { run_id } = await waitForRun(callAgain, 'done')
  const lines = await callAgain('GET', `/api/v1/runs/${run_id}/transcript`)
  const texts = lines.map(({ text }: { text: string }) => text)
  expect(texts.filter((text: string) => text.includes('server stopped'))).toHaveLength(1)
  expect(texts.at(-1)).toBe('Painted.')
  expect(service.requests[2]!.userText).toContain('In green.')
  expect(await callAgain('GET', '/api/v1/tasks/HOM-1/comments')).toHaveLength(1)
})

test.skipIf(!onPostgres)(
  'with two servers on one database exactly one works on a run',
  async () => {
    const { service, start, call, agent_id } = await startWithAgent()
    await start()
    service.play((request) =>
      request.toolResults.length ? { text: 'Painted.' } : commentReply('In green.'),
    )
    await call('POST', '/api/v1/tasks/HOM-1/assign', { agent_id })
    await waitForRun(call, 'done')
    await Bun.sleep(2000)
    expect(service.requests).toHaveLength(2)
    expect(await call('GET', '/api/v1/tasks/HOM-1/comments')).toHaveLength(1)
  },
)
