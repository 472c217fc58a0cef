import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { connectHttp, connectNewest, connectSse } from './mcp-client.ts'
import { startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Question {
  message: string
  url?: string
  requestedSchema?: { properties: Record<string, { enum?: string[] }> }
}

type Reply = (question: Question) => ElicitResult | Promise<ElicitResult>
type Kind = 'form' | 'url'

/** A client whose person answers every question with `reply`. */
async function connectPerson(
  transport: 'sse' | 'newest',
  actor: { secret: string },
  reply: Reply,
  kinds: Kind[] = ['form'],
) {
  const questions: Question[] = []
  const capabilities = { elicitation: Object.fromEntries(kinds.map((kind) => [kind, {}])) }
  const handle = ({ params }: { params: unknown }) => {
    questions.push(params as Question)
    return reply(params as Question)
  }
  if (transport === 'sse') {
    const client = await connectSse(server.base, actor, capabilities)
    client.setRequestHandler(ElicitRequestSchema, handle)
    return { client, questions }
  }
  const client = await connectNewest(server.base, actor, capabilities)
  client.setRequestHandler('elicitation/create', handle as never)
  return { client: client as never as Awaited<ReturnType<typeof connectSse>>, questions }
}

const TRANSPORTS = ['sse', 'newest'] as const
const accept = (content: Record<string, string | boolean>): ElicitResult => ({
  ...{ action: 'accept', content },
})

async function callTool(
  client: Awaited<ReturnType<typeof connectSse>>,
  name: string,
  action: string,
  input: object,
) {
  const { structuredContent, isError } = await client.callTool({
    name,
    arguments: { action, input },
  })
  return { ...(structuredContent as Record<string, never>), isError } as {
    data: Record<string, unknown>
    error?: string
    message?: string
    isError?: boolean
  }
}

const addComment = async (text: string) =>
  server.cleo['comments.add']({ task_id: server.tasks.copy.task_id, text })
const hasComment = async (comment_id: number) => {
  const { items } = await server.cleo['comments.list']({ ticket_number: 'HP-2' })
  return items.some((one) => one.comment_id === comment_id)
}

test('a destructive call takes place after a person confirms it', async () => {
  for (const transport of TRANSPORTS) {
    const { comment_id } = await addComment(`By ${transport}`)
    const { client, questions } = await connectPerson(transport, server.cleo, () =>
      accept({ confirm: true }),
    )
    const result = await callTool(client, 'svc_comments', 'delete', { comment_id })
    expect([transport, result.isError]).toEqual([transport, undefined])
    expect(questions).toHaveLength(1)
    expect(questions[0]!.message).toMatch(/^Cleo wants to do this on Corkboard: .*omment/)
    expect(questions[0]!.message).toContain(`comment_id: ${comment_id}`)
    expect(await hasComment(comment_id)).toBe(false)
    await client.close()
  }
})

test('a destructive call that a person declines changes nothing', async () => {
  const replies: ElicitResult[] = [
    { action: 'decline' },
    { action: 'cancel' },
    accept({ confirm: false }),
  ]
  for (const transport of TRANSPORTS)
    for (const reply of replies) {
      const { comment_id } = await addComment('Keep me')
      const { client } = await connectPerson(transport, server.cleo, () => reply)
      const result = await callTool(client, 'svc_comments', 'delete', { comment_id })
      expect(result).toMatchObject({ isError: true, error: 'Not allowed' })
      expect(result.message).toContain('A person did not confirm this call')
      expect(await hasComment(comment_id)).toBe(true)
      await client.close()
    }
})

test('a client that names no kind of elicitation shows forms, and one that only opens links none', async () => {
  for (const transport of TRANSPORTS)
    for (const kinds of [[], ['url']] satisfies Kind[][]) {
      const { comment_id } = await addComment('Gone')
      const { client, questions } = await connectPerson(
        ...([transport, server.cleo, () => accept({ confirm: true }), kinds] as const),
      )
      const result = await callTool(client, 'svc_comments', 'delete', { comment_id })
      expect(result.isError).toBeUndefined()
      expect([transport, kinds, questions.length]).toEqual([transport, kinds, kinds.length ? 0 : 1])
      expect(await hasComment(comment_id)).toBe(false)
      await client.close()
    }
})

test('clients and transports without elicitation are not asked', async () => {
  const { base, cleo } = server
  for (const connect of [connectHttp, connectSse, connectNewest]) {
    const { comment_id } = await addComment('Gone')
    const client = (await connect(base, cleo)) as Awaited<ReturnType<typeof connectSse>>
    const result = await callTool(client, 'svc_comments', 'delete', { comment_id })
    expect(result.isError).toBeUndefined()
    expect(await hasComment(comment_id)).toBe(false)
    await client.close()
  }
})

test('a call that is harmless, invalid or not allowed is not confirmed', async () => {
  const { cleo, authenticateAs } = server
  const reader = await authenticateAs(cleo.caller.actor_id, 'key', ['tasks:read'])
  const { comment_id } = await addComment('Stay')
  for (const transport of TRANSPORTS) {
    const member = await connectPerson(transport, cleo, () => accept({ confirm: true }))
    const invalid = await callTool(member.client, 'svc_comments', 'delete', { comment_id: 'x' })
    expect(invalid.error).toBe('Validation error')
    await callTool(member.client, 'svc_tasks', 'update', { ticket_number: 'HP-2', priority: 'Low' })
    const limited = await connectPerson(transport, reader, () => accept({ confirm: true }))
    const refused = await callTool(limited.client, 'svc_comments', 'delete', { comment_id })
    expect(refused.error).toBe('Not allowed')
    expect([...member.questions, ...limited.questions]).toEqual([])
    expect(await hasComment(comment_id)).toBe(true)
    for (const { client } of [member, limited]) await client.close()
  }
})

const decision = (overrides: object = {}) => ({
  ...{ ticket_number: 'HP-2', question: 'Ship today?', options: ['Yes', 'No'] },
  ...{ user_ids: [server.cleo.caller.actor_id] },
  ...overrides,
})
const storedDecisions = async () =>
  (await server.cleo['decision_requests.list']({ ticket_number: 'HP-2' })).items

test('a person answers a decision request at the client that creates it', async () => {
  for (const transport of TRANSPORTS) {
    const before = (await storedDecisions()).length
    const { client, questions } = await connectPerson(transport, server.cleo, () =>
      accept({ selected_option: 'No', note: 'Friday' }),
    )
    const input = decision()
    const { data } = await callTool(client, 'svc_decision_requests', 'create', input)
    expect(data).toMatchObject({ status: 'answered', selected_option: 'No', ticket_number: 'HP-2' })
    expect(questions[0]!.message).toBe('HP-2: Ship today?')
    expect(questions[0]!.requestedSchema!.properties.selected_option!.enum).toEqual(['Yes', 'No'])
    const stored = await storedDecisions()
    expect(stored).toHaveLength(before + 1)
    const { decision_request_id } = data as { decision_request_id: number }
    expect(stored.find((one) => one.decision_request_id === decision_request_id)).toMatchObject({
      ...{ status: 'answered', answer_note: 'Friday', closed_by: { name: 'Cleo' } },
    })
    await client.close()
  }
})

test('a decision request that a person does not answer stays pending, and exists once', async () => {
  for (const transport of TRANSPORTS) {
    const before = (await storedDecisions()).length
    const { client } = await connectPerson(transport, server.cleo, () => ({ action: 'cancel' }))
    const { data } = await callTool(client, 'svc_decision_requests', 'create', decision())
    expect(data).toMatchObject({ status: 'pending', question: 'Ship today?' })
    expect(await storedDecisions()).toHaveLength(before + 1)
    await client.close()
  }
})

test('a decision request for other people is not shown to the person at the client', async () => {
  const { client, questions } = await connectPerson('newest', server.cleo, () =>
    accept({ selected_option: 'Yes' }),
  )
  const input = decision({ user_ids: [server.ada.caller.actor_id] })
  const { data } = await callTool(client, 'svc_decision_requests', 'create', input)
  expect(data).toMatchObject({ status: 'pending' })
  expect(questions).toEqual([])
  await client.close()
})

test('the owner of an agent answers in the app, whatever the client replies', async () => {
  const reply = () => accept({ selected_option: 'Yes' })
  const form = await connectPerson('newest', server.bot, reply)
  const created = await callTool(form.client, 'svc_decision_requests', 'create', decision())
  expect(created.data.status).toBe('pending')
  expect(form.questions).toEqual([])
  await form.client.close()
  const link = await connectPerson('newest', server.bot, reply, ['url'])
  const { data } = await callTool(link.client, 'svc_decision_requests', 'create', decision())
  expect(link.questions[0]!.url).toStartWith('http://localhost/')
  expect(data.status).toBe('pending')
  await link.client.close()
})

test('an answer that somebody else gives while the form is open wins', async () => {
  for (const transport of TRANSPORTS) {
    const { client } = await connectPerson(transport, server.cleo, async () => {
      const { decision_request_id } = (await storedDecisions())[0]!
      await server.ada['decision_requests.answer']({ decision_request_id, selected_option: 'Yes' })
      return accept({ selected_option: 'No' })
    })
    const { data } = await callTool(client, 'svc_decision_requests', 'create', decision())
    expect(data).toMatchObject({ status: 'answered', selected_option: 'Yes' })
    await client.close()
  }
})

test('the state of another call is refused, and nothing is created', async () => {
  const { rpc, send, cleo } = server
  const before = (await storedDecisions()).length
  const revision = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const params = {
    name: 'svc_decision_requests',
    arguments: { action: 'create', input: decision() },
    ...{ requestState: 'nonsense', _meta },
  }
  const headers = {
    'mcp-protocol-version': revision,
    ...{ 'mcp-method': 'tools/call', 'mcp-name': params.name },
  }
  const response = await send('/mcp', cleo, rpc('tools/call', params), headers)
  const { result } = await response.json()
  expect(result).toMatchObject({ isError: true, structuredContent: { success: false } })
  expect(await storedDecisions()).toHaveLength(before)
})
