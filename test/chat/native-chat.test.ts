import { expect, test } from 'bun:test'
import { waitUntil } from '../support/wait.ts'
import { type World, world } from '../support/world.ts'
import { createNativeAgent, leaseOf, logo, nativeAgentHost, readTask } from './natives.ts'

/** Sends a message, by default in a new thread about the board, and returns the thread id. */
async function say(w: World, message: string, overrides: object = {}): Promise<number> {
  const { project_id } = w.board
  const { status, text } = await w.http(w.ben, 'POST', '/api/chat', {
    message,
    project_id,
    ...overrides,
  })
  expect([status, text.slice(0, 13)]).toEqual([200, 'event: thread'])
  return Number(/"thread_id":(\d+)/.exec(text)![1])
}

const messagesIn = async (w: World, thread_id: number) => {
  const { body } = await w.http(w.ben, 'GET', `/api/chat/threads/${thread_id}`)
  type Row = { role: string; author: { name: string } | null; parts: { text: string }[] }
  return (body.data.messages as Row[]).map(
    ({ role, author, parts }) =>
      `${role} ${author?.name}: ${parts.map(({ text }) => text).join('')}`,
  )
}

test('a native agent mentioned in a chat answers in the thread, once for each message', async () => {
  const w = await world()
  await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play((request) => ({
    text: request.userText.includes('blue') ? 'Blue, you said.' : 'Hello, Ben.',
  }))
  startServer()
  const thread_id = await say(w, '@Nia good morning')
  await waitUntil(async () => (await messagesIn(w, thread_id)).length === 2)
  await say(w, '@Nia make it blue', { thread_id, project_id: undefined })
  await waitUntil(async () => (await messagesIn(w, thread_id)).length === 4)
  expect(await messagesIn(w, thread_id)).toEqual([
    ...['person Ben: @Nia good morning', 'agent Nia: Hello, Ben.'],
    ...['person Ben: @Nia make it blue', 'agent Nia: Blue, you said.'],
  ])
  expect(service.requests[0]!.system).toContain('Answer in rhymes.')
  expect(service.requests[0]!.tools).not.toContain('ask_person')
  expect(service.requests).toHaveLength(2)
})

test('an agent in a chat changes a task only under a lease, which ends with its answer', async () => {
  const w = await world()
  const agent = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  const assign = { tool: 'tasks_assign_to', input: { ticket_numbers: ['HP-1'], assignees: ['me'] } }
  const move = { tool: 'tasks_update', input: { ...logo, section_id: w.sections.Next } }
  const change = { tool: 'tasks_update', input: { ...logo, priority: 'Urgent' } }
  const toolResults: (readonly string[])[] = []
  service.play((request, at) => {
    toolResults.push(request.toolResults)
    if (at === 0) return { calls: [assign, move, change] }
    if (at === 1) return { calls: [{ tool: 'leases_claim', input: logo }, assign, change] }
    return { text: 'Done.' }
  })
  startServer()
  const thread_id = await say(w, '@Nia take HP-1')
  await waitUntil(async () => (await messagesIn(w, thread_id)).length === 2)
  const missing = 'AgentMutationLeaseMissingError'
  expect(toolResults[1]!.map((text) => text.includes(missing))).toEqual([true, true, true])
  expect(toolResults[2]!.slice(3).map((text) => text.includes(missing))).toEqual([
    false,
    false,
    false,
  ])
  const row = (await readTask(w)) as { priority_name: string; assignees?: { name: string }[] }
  expect(row.priority_name).toBe('Urgent')
  expect(row.assignees!.map(({ name }) => name)).toContain(agent.name)
  await waitUntil(async () => (await leaseOf(w)) === null)
})

test('without a model a mentioned agent answers that no model is set', async () => {
  const w = await world()
  await createNativeAgent(w)
  const { startServer } = nativeAgentHost(w)
  startServer({}, false)
  const thread_id = await say(w, '@Nia good morning')
  await waitUntil(async () => (await messagesIn(w, thread_id)).length === 2)
  expect((await messagesIn(w, thread_id))[1]).toStartWith('agent Nia: No model is set')
})

test('messages sent to an agent during its answer are answered together afterwards', async () => {
  const w = await world()
  await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play((request) => ({ text: `${request.userText} yourself`, startDelayMs: 300 }))
  startServer()
  const thread_id = await say(w, '@Nia one')
  const sameThread = { thread_id, project_id: undefined }
  await waitUntil(() => service.requests.length === 1)
  await say(w, '@Nia two', sameThread)
  await say(w, '@Nia three', sameThread)
  await waitUntil(async () => (await messagesIn(w, thread_id)).length === 5)
  await Bun.sleep(500)
  const [, , , ...answers] = await messagesIn(w, thread_id)
  expect(answers).toEqual([
    'agent Nia: @Nia one yourself',
    'agent Nia: @Nia two\n\n@Nia three yourself',
  ])
  expect(service.requests).toHaveLength(2)
})
