import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type House, openHouse } from './house.ts'

/** The whole life of one task over MCP alone, with the events of each step. */
let house: House
beforeAll(async () => {
  house = await openHouse()
}, 60_000)
afterAll(() => house.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not typed
type Answer = any

async function connected(secret: string) {
  const client = new Client({ name: 'life', version: '1' })
  const headers = { Authorization: `Bearer ${secret}` }
  const url = new URL(`${house.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const call = async (name: string, action: string, input: object): Promise<Answer> => {
    const args = { action, input, response_format: 'detailed' }
    const result = await client.callTool({ name, arguments: args })
    const told = result.structuredContent as Answer
    if (result.isError) throw new Error(`${name} ${action}: ${JSON.stringify(told)}`)
    return told
  }
  return { call, close: () => client.close() }
}

/** Subscribes to events as that caller; `types` returns those since its last call. */
async function listener(secret: string) {
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${house.url}/api/v1/events`, { headers, signal: abort.signal })
  let heard: { type: string; data: Answer }[] = []
  const decoder = new TextDecoder()
  let text = ''
  const listening = (async () => {
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1]
        const change = data && JSON.parse(data)
        // Notifications and runs follow the change log, so the time of their events is not fixed.
        if (change && !/^(notification\.created|run\.)/.test(change.type)) heard.push(change)
      }
    }
  })().catch(() => {})
  return {
    /** Waits for the expected number of events, and a moment longer for unexpected ones. */
    async types(many: number): Promise<string[]> {
      for (let i = 0; i < 300 && heard.length < many; i++) await Bun.sleep(10)
      await Bun.sleep(60)
      const types = heard.map(({ type }) => type)
      heard = []
      return types
    },
    async close() {
      abort.abort()
      await listening
    },
  }
}

async function cast() {
  const { team_id } = house
  const scopes = ['tasks:read', 'tasks:write', 'projects:read', 'profile:read', 'profile:write']
  const made = await house.agent({ team_id, name: 'Scout', scopes })
  const [ada, scout] = [await connected(house.token), await connected(made.token)]
  const ear = await listener(house.key)
  const step = async (job: () => Promise<Answer>, ...expected: string[]) => {
    const { data, page, warnings } = await job()
    expect(await ear.types(expected.length)).toEqual(expected)
    return Array.isArray(data) ? { rows: data, page, warnings } : { ...data, warnings }
  }
  const end = async () => {
    await ear.close()
    await ada.close()
    await scout.close()
  }
  return { ada, scout, step, end, agent_id: made.agent_id }
}

/** The inbox once a notification of that kind has arrived. */
async function inbox(
  { call }: { call(...args: [string, string, object]): Promise<Answer> },
  kind: string,
): Promise<Answer[]> {
  for (let i = 0; i < 500; i++) {
    const { data } = await call('svc_inbox', 'list', {})
    if (data.some((one: Answer) => one.kind === kind)) return data
    await Bun.sleep(10)
  }
  return []
}

test('a task is created, discussed, claimed, changed, decided, linked, found and completed', async () => {
  const { ada, scout, step, end, agent_id } = await cast()
  const { team_id, user_id } = house
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
  const [, doing, done] = board.sections.map((one: Answer) => one.section_id)
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
  const asked = await step(
    () =>
      ada.call('svc_comments', 'add', {
        ticket_number,
        text: '<p>@Scout which one? @nobody knows. See also OTHER-1</p>',
        mentions: [{ agent_id, display_name: 'Scout' }],
      }),
    'comment.created',
    'comment.mention',
  )
  expect(asked.warnings).toMatchObject([{ field: 'text' }])
  const called = (await inbox(scout, 'mentioned')).find(({ kind }: Answer) => kind === 'mentioned')
  expect(called).toMatchObject({ important: true, comment_id: asked.comment_id })
  await step(
    () =>
      scout.call('svc_comments', 'add', {
        ticket_number,
        text: 'The **clear** one.',
        content_type: 'markdown',
        reply_to_comment_id: asked.comment_id,
      }),
    'comment.created',
  )
  const [reply] = await inbox(ada, 'replied')
  expect(reply).toMatchObject({ kind: 'replied', important: true, task: { ticket_number } })

  // Claim: the agent needs a lease to change the task.
  const [taken] = (
    await step(
      () => scout.call('svc_tasks', 'next', { project_id, assignee: 'me', claim: true }),
      'lease.claimed',
    )
  ).rows
  expect(taken).toMatchObject({ ticket_number, lease: { fencing_token: 1 } })

  // Change: add a file and a custom field, rewrite the description and restore it.
  const { attachments } = await step(
    () =>
      scout.call('svc_attachments', 'attach', {
        ticket_number,
        files: [{ filename: 'a.txt', content_type: 'text/plain', data: btoa('clear glass') }],
      }),
    'attachment.created',
  )
  const file = await house.http('GET', new URL(attachments[0].url).pathname)
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
  const { version_id } = versions.find(({ version }: Answer) => version === 1)
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
      (one: Answer) => one.ticket_number,
    )
  expect(await next()).toEqual([ticket_number])

  // Find, read, move and complete.
  const { rows: found } = await step(() =>
    ada.call('svc_search', 'tasks', { query: 'frosted glass' }),
  )
  expect(found.map((one: Answer) => one.ticket_number)).toEqual([ticket_number])
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
  const { rows: story } = await step(() =>
    ada.call('svc_comments', 'list', { ticket_number, include_activity: true }),
  )
  expect(story.map(({ kind }: Answer) => kind)).toContain('activity')
  expect(story.filter(({ kind }: Answer) => kind === 'comment')).toHaveLength(2)
  expect(JSON.stringify(story)).toContain('from Doing to Done')

  // No notification needs a response any more.
  expect(await ada.call('svc_inbox', 'summary', {})).toMatchObject({ data: { inbox_zero: true } })
  const ids = (await inbox(ada, 'decision_requested')).map(
    ({ notification_id }: Answer) => notification_id,
  )
  await step(
    () => ada.call('svc_inbox', 'archive', { notification_ids: ids }),
    'notification.archived',
  )
  expect((await ada.call('svc_inbox', 'list', {})).data).toEqual([])
  await end()
}, 60_000)
