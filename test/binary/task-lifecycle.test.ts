import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { waitUntil } from '../support/wait.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'

/** The whole life of one task over MCP alone, with the events of each step. */
let server: BoardServer
beforeAll(async () => {
  server = await startBoardServer()
})
afterAll(() => server.close())

// biome-ignore lint/suspicious/noExplicitAny: tests compare responses of any shape
type Json = any

async function connectMcp(secret: string) {
  const client = new Client({ name: 'life', version: '1' })
  const headers = { Authorization: `Bearer ${secret}` }
  const url = new URL(`${server.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const call = async (name: string, action: string, input: object): Promise<Json> => {
    const args = { action, input, response_format: 'detailed' }
    const result = await client.callTool({ name, arguments: args })
    const response = result.structuredContent as Json
    if (result.isError) throw new Error(`${name} ${action}: ${JSON.stringify(response)}`)
    return response
  }
  return { call, close: () => client.close() }
}

/** Subscribes to events as that caller; `types` returns those since its last call. */
async function subscribe(secret: string) {
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${server.url}/api/v1/events`, { headers, signal: abort.signal })
  let events: { type: string; data: Json }[] = []
  const decoder = new TextDecoder()
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1]
        const change = data && JSON.parse(data)
        // Notifications and runs follow the change log, so the time of their events is not fixed.
        if (change && !/^(notification\.created|run\.)/.test(change.type)) events.push(change)
      }
    }
  })().catch(() => {})
  return {
    /** Waits for the expected number of events, and a moment longer for unexpected ones. */
    async takeTypes(count: number): Promise<string[]> {
      for (let i = 0; i < 300 && events.length < count; i++) await Bun.sleep(10)
      await Bun.sleep(60)
      const types = events.map(({ type }) => type)
      events = []
      return types
    },
    async close() {
      abort.abort()
      await reading
    },
  }
}

async function setUpScenario() {
  const { team_id } = server
  const scopes = ['tasks:read', 'tasks:write', 'projects:read', 'profile:read', 'profile:write']
  const agent = await server.createAgent({ team_id, name: 'Scout', scopes })
  const [ada, scout] = [await connectMcp(server.mcpToken), await connectMcp(agent.token)]
  const subscription = await subscribe(server.apiKey)
  const step = async (action: () => Promise<Json>, ...expected: string[]) => {
    const { data, page, warnings } = await action()
    expect(await subscription.takeTypes(expected.length)).toEqual(expected)
    return Array.isArray(data) ? { rows: data, page, warnings } : { ...data, warnings }
  }
  const end = async () => {
    await subscription.close()
    await ada.close()
    await scout.close()
  }
  return { ada, scout, step, end, agent_id: agent.agent_id }
}

/** The inbox once a notification of that kind has arrived. */
async function waitForInbox(
  { call }: { call(...args: [string, string, object]): Promise<Json> },
  kind: string,
): Promise<Json[]> {
  return waitUntil(async () => {
    const { data } = await call('svc_inbox', 'list', {})
    return data.some((one: Json) => one.kind === kind) && data
  })
}

test('a task is created, discussed, claimed, changed, decided, linked, found and completed', async () => {
  const { ada, scout, step, end, agent_id } = await setUpScenario()
  const { team_id, user_id } = server
  const board = await step(
    () =>
      ada.call('svc_projects', 'create', {
        team_id,
        title: 'Lantern',
        sections: [{ title: 'To do' }, { title: 'Doing' }, { title: 'Done' }],
      }),
    'project.created',
    ...Array(3).fill('section.created'),
  )
  const { project_id } = board
  const [, doing, done] = board.sections.map((one: Json) => one.section_id)
  const task = await step(
    () =>
      scout.call('svc_tasks', 'create', {
        project_id,
        title: 'Choose the glass',
        description: '# Glass\n\n- [x] clear\n- [ ] frosted',
        content_type: 'markdown',
      }),
    'task.created',
  )
  const { ticket_number, task_id } = task
  const other = await step(
    () => ada.call('svc_tasks', 'create', { project_id, title: 'Order the frame' }),
    'task.created',
  )

  // Assign and discuss: a mention notifies the agent, and its reply notifies the person.
  await step(() => ada.call('svc_tasks', 'assign', { ticket_number, agent_id }), 'task.assigned')
  const comment = await step(
    () =>
      ada.call('svc_comments', 'add', {
        ticket_number,
        text: '<p>@Scout which one? @nobody knows. See also OTHER-1</p>',
        mentions: [{ agent_id, display_name: 'Scout' }],
      }),
    'comment.created',
    'comment.mention',
  )
  expect(comment.warnings).toMatchObject([{ field: 'text' }])
  const mention = (await waitForInbox(scout, 'mentioned')).find(
    ({ kind }: Json) => kind === 'mentioned',
  )
  expect(mention).toMatchObject({ important: true, comment_id: comment.comment_id })
  await step(
    () =>
      scout.call('svc_comments', 'add', {
        ticket_number,
        text: 'The **clear** one.',
        content_type: 'markdown',
        reply_to_comment_id: comment.comment_id,
      }),
    'comment.created',
  )
  const [reply] = await waitForInbox(ada, 'replied')
  expect(reply).toMatchObject({ kind: 'replied', important: true, task: { ticket_number } })

  // Claim: the agent needs a lease to change the task.
  const [claimed] = (
    await step(
      () => scout.call('svc_tasks', 'next', { project_id, assignee: 'me', claim: true }),
      'lease.claimed',
    )
  ).rows
  expect(claimed).toMatchObject({ ticket_number, lease: { fencing_token: 1 } })

  // Change: add a file and a custom field, rewrite the description and restore it.
  const { attachments } = await step(
    () =>
      scout.call('svc_attachments', 'attach', {
        ticket_number,
        files: [{ filename: 'a.txt', content_type: 'text/plain', data: btoa('clear glass') }],
      }),
    'attachment.created',
  )
  const file = await server.http('GET', new URL(attachments[0].url).pathname)
  expect([file.status, file.text]).toEqual([200, 'clear glass'])
  await step(
    () => scout.call('svc_custom_fields', 'set', { task_id, field_name: 'Panes', value: 6 }),
    'custom_field.created',
    'task.updated',
  )
  const draft = await step(
    () => ada.call('svc_drafts', 'create', { ticket_number, text: '<p>Frosted, then.</p>' }),
    'draft.created',
  )
  await step(
    () => ada.call('svc_drafts', 'publish', { draft_id: draft.draft_id }),
    'draft.published',
    'task.updated',
  )
  const { rows: versions } = await step(() => ada.call('svc_tasks', 'versions', { ticket_number }))
  expect(versions).toHaveLength(2)
  const { version_id } = versions.find(({ version }: Json) => version === 1)
  await step(
    () => scout.call('svc_tasks', 'restore', { ticket_number, version_id }),
    'task.updated',
  )
  const { description } = await step(() => ada.call('svc_tasks', 'get', { ticket_number }))
  expect(description).toBe('# Glass\n\n- [x] clear\n- [ ] frosted')

  // Decide.
  const decision = await step(
    () =>
      scout.call('svc_decision_requests', 'create', {
        ticket_number,
        question: 'Clear or frosted?',
        options: ['Clear', 'Frosted'],
        user_ids: [user_id],
      }),
    'decision.requested',
  )
  const { decision_request_id } = decision
  await step(
    () =>
      ada.call('svc_decision_requests', 'answer', {
        decision_request_id,
        selected_option: 'Clear',
      }),
    'decision.answered',
  )
  await expect(
    ada.call('svc_decision_requests', 'cancel', { decision_request_id }),
  ).rejects.toThrow(/answered/)

  // Link: a blocked task is not offered until its blocker is done.
  await step(
    () =>
      scout.call('svc_tasks', 'link', {
        source_ticket_number: ticket_number,
        target_ticket_number: other.ticket_number,
        relation_type: 'BlockedTo',
      }),
    'relation.created',
    'relation.created',
  )
  const next = async () =>
    (await scout.call('svc_tasks', 'next', { project_id, exclude_blocked: true })).data.map(
      (one: Json) => one.ticket_number,
    )
  expect(await next()).toEqual([ticket_number])

  // Find, read, move and complete.
  const { rows: found } = await step(() =>
    ada.call('svc_search', 'tasks', { query: 'frosted glass' }),
  )
  expect(found.map((one: Json) => one.ticket_number)).toEqual([ticket_number])
  const context = await step(() => scout.call('svc_tasks', 'context', { project_id, task_id }))
  expect(JSON.stringify(context)).toContain('which one?')
  await step(
    () => scout.call('svc_tasks', 'update', { ticket_number, section_id: doing }),
    'task.updated',
  )
  await step(
    () => scout.call('svc_tasks', 'update', { ticket_number, section_id: done }),
    'task.updated',
    'lease.released',
  )
  expect(await next()).toEqual([other.ticket_number])
  const { rows: activity } = await step(() =>
    ada.call('svc_comments', 'list', { ticket_number, include_activity: true }),
  )
  expect(activity.map(({ kind }: Json) => kind)).toContain('activity')
  expect(activity.filter(({ kind }: Json) => kind === 'comment')).toHaveLength(2)
  expect(JSON.stringify(activity)).toContain('from Doing to Done')

  // No notification needs a response any more.
  expect(await ada.call('svc_inbox', 'summary', {})).toMatchObject({ data: { inbox_zero: true } })
  const ids = (await waitForInbox(ada, 'decision_requested')).map(
    ({ notification_id }: Json) => notification_id,
  )
  await step(
    () => ada.call('svc_inbox', 'archive', { notification_ids: ids }),
    'notification.archived',
  )
  expect((await ada.call('svc_inbox', 'list', {})).data).toEqual([])
  await end()
})
