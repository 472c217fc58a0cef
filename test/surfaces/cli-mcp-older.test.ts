import { afterAll, expect, test } from 'bun:test'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'

/** What `cork mcp` does for clients of older revisions, at a server that only answers. */
afterAll(removeTemporaryFolders)

interface Message {
  id?: unknown
  method?: string
  params?: Record<string, never>
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

type Serve = (message: Message, request: Request) => Response | Promise<Response>

const json = (id: unknown, result: object) => Response.json({ jsonrpc: '2.0', id, result })
const waitFor = async (isDone: () => boolean) => {
  while (!isDone()) await Bun.sleep(2)
}

/** A session of a client that has introduced itself. `act` sends lines, and sees the answers. */
async function session(
  serve: Serve,
  capabilities: object,
  act: (client: {
    answers: Message[]
    answerTo(id: unknown): Promise<Message>
  }) => AsyncGenerator<Message>,
) {
  const answers: Message[] = []
  const requests: { message: Message; headers: Headers; signal: AbortSignal }[] = []
  const answerTo = async (id: unknown) => {
    const find = () => answers.find((answer) => answer.id === id && !answer.method)
    await waitFor(() => find() !== undefined)
    return find()!
  }
  const fetch: CommandIO['fetch'] = async (request) => {
    const message = (await request.clone().json()) as Message
    expect(message).toMatchObject({ jsonrpc: '2.0' })
    requests.push({ message, headers: request.headers, signal: request.signal })
    if (message.method !== 'initialize') return serve(message, request)
    const resources = { list: true }
    return json(message.id, { protocolVersion: '2025-11-25', capabilities: { resources } })
  }
  async function* lines() {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
    yield JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params })
    await answerTo('hello')
    for await (const message of act({ answers, answerTo }))
      yield JSON.stringify({ jsonrpc: '2.0', ...message })
  }
  const { cork } = terminal(
    undefined,
    { secret: 'cork_x' },
    {
      fetch,
      lines,
      out: (text) => void answers.push(JSON.parse(text)),
      sleep: (ms) => Bun.sleep(ms > 4000 ? ms : 1),
    },
  )
  const { code, err } = await cork('mcp')
  return { code, err, answers, requests }
}

const message = (id: unknown, method: string, params = {}): Message => ({ id, method, params })
const call = (id: unknown) => message(id, 'tools/call', { name: 'svc_tasks', arguments: {} })

const question = { method: 'elicitation/create', params: { message: 'Delete it?' } }
const questioner: Serve = ({ id, params = {} }) => {
  const { inputResponses, requestState } = params
  return inputResponses
    ? json(id, { resultType: 'complete', content: [], got: { inputResponses, requestState } })
    : json(id, {
        resultType: 'input_required',
        inputRequests: { confirm: question },
        requestState: 'state',
      })
}

test('a question of the server is put to an older client, and the call goes on with its answer', async () => {
  const { answers, requests } = await session(
    questioner,
    { elicitation: {} },
    async function* (client) {
      yield call(7)
      await waitFor(() => client.answers.some(({ method }) => method === 'elicitation/create'))
      const request = client.answers.find(({ method }) => method === 'elicitation/create')!
      expect(request).toMatchObject(question)
      yield { id: request.id, result: { action: 'accept', content: { confirm: true } } }
      await client.answerTo(7)
    },
  )
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
  const got = { inputResponses, requestState: 'state' }
  expect(answers.find(({ id }) => id === 7)!.result).toEqual({ content: [], got })
  const [, first, second] = requests
  expect(first!.headers.get('mcp-protocol-version')).toBe('2026-07-28')
  const keyOf = (one: typeof first) =>
    Object(one!.message.params!._meta)['corkboard/idempotency-key']
  expect(keyOf(first)).toBeString()
  expect(keyOf(second)).toBe(keyOf(first))
})

test('a client that cannot show a question cancels it, and one without elicitation is never asked', async () => {
  const cancelling = await session(questioner, { elicitation: {} }, async function* (client) {
    yield call(1)
    await waitFor(() => client.answers.some(({ method }) => method === 'elicitation/create'))
    const { id } = client.answers.find(({ method }) => method === 'elicitation/create')!
    yield { id, error: { code: -32601, message: 'Method not found' } }
    await client.answerTo(1)
  })
  expect(cancelling.answers.find(({ id }) => id === 1)!.result).toMatchObject({
    got: { inputResponses: { confirm: { action: 'cancel' } } },
  })
  const plain: Serve = ({ id }) => json(id, { content: [] })
  const { requests } = await session(plain, {}, async function* (client) {
    yield call(1)
    await client.answerTo(1)
  })
  expect(requests[1]!.headers.get('mcp-protocol-version')).toBe('2025-11-25')
})

test('a call that is cancelled while a person is asked ends without an answer', async () => {
  const { answers, code } = await session(
    questioner,
    { elicitation: {} },
    async function* (client) {
      yield call(1)
      await waitFor(() => client.answers.some(({ method }) => method === 'elicitation/create'))
      yield { method: 'notifications/cancelled', params: { requestId: 1 } as never }
    },
  )
  expect([code, answers.filter(({ id }) => id === 1)]).toEqual([0, []])
})

const LOGO = 'corkboard://tasks/HP-1'
const event = (data: object) => new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`)
const updated = { method: 'notifications/resources/updated', params: { uri: LOGO } }

/** A server that watches one resource. Each stream can be written to and closed. */
function watchingServer() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const serve: Serve = ({ id, method, params = {} }) => {
    if (method !== 'subscriptions/listen') return json(id, {})
    const { resourceSubscriptions } = params.notifications! as { resourceSubscriptions: string[] }
    const readable = resourceSubscriptions.filter((uri) => uri === LOGO)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push(controller)
        const notifications = { resourceSubscriptions: readable }
        const method = 'notifications/subscriptions/acknowledged'
        controller.enqueue(event({ method, params: { notifications } }))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { streams, serve }
}

test('an older client can watch a resource, also after the stream was lost, until it unsubscribes', async () => {
  const { streams, serve } = watchingServer()
  const { answers, requests, code } = await session(serve, {}, async function* (client) {
    const updates = () => client.answers.filter(({ method }) => method === updated.method).length
    yield message(1, 'resources/subscribe', { uri: LOGO })
    expect((await client.answerTo(1)).result).toEqual({})
    streams[0]!.enqueue(event(updated))
    await waitFor(() => updates() === 1)
    streams[0]!.close()
    // What changed while the stream was lost is unknown, so it counts as a change.
    await waitFor(() => updates() === 2)
    streams[1]!.enqueue(event(updated))
    await waitFor(() => updates() === 3)
    yield message(2, 'resources/unsubscribe', { uri: LOGO })
    expect((await client.answerTo(2)).result).toEqual({})
  })
  expect(code).toBe(0)
  const [hello] = answers
  expect(hello!.result!.capabilities).toEqual({ resources: { list: true, subscribe: true } })
  expect(answers.filter(({ method }) => method)).toMatchObject([updated, updated, updated])
  expect(requests.map((one) => one.message.method)).not.toContain('resources/subscribe')
  expect(requests.at(-1)!.signal.aborted).toBe(true)
})

test('a resource that cannot be read is not watched, and a server that refuses says why', async () => {
  const missing = await session(watchingServer().serve, {}, async function* (client) {
    yield message(1, 'resources/subscribe', { uri: 'corkboard://tasks/HP-99' })
    await client.answerTo(1)
  })
  expect(missing.answers.find(({ id }) => id === 1)!.error).toMatchObject({ code: -32002 })
  const error = { code: -32601, message: 'Method not found' }
  const refusing: Serve = ({ id }) => Response.json({ jsonrpc: '2.0', id, error })
  const refused = await session(refusing, {}, async function* (client) {
    yield message(1, 'resources/subscribe', { uri: LOGO })
    await client.answerTo(1)
  })
  expect(refused.answers.find(({ id }) => id === 1)!.error!.message).toBe('Method not found')
})
