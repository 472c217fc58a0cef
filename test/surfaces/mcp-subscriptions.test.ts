import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { waitUntil } from '../support/wait.ts'
import { connectHttp, connectNewest, connectSse } from './mcp-client.ts'
import { startTestServer } from './test-server.ts'

const LOGO = 'corkboard://tasks/HP-1'
const COPY = 'corkboard://tasks/HP-2'
const BOARD = 'corkboard://boards/HP'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A client over /sse that collects the updates it receives. */
async function sseSubscriber(actor = server.cleo) {
  const client = await connectSse(server.base, actor)
  const updates: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri)
  })
  return { client, updates }
}

/** A client of the newest revision that collects the updates it receives. */
async function newestSubscriber(actor = server.cleo) {
  const client = await connectNewest(server.base, actor)
  const updates: string[] = []
  let listChanges = 0
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri)
  })
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    listChanges++
  })
  return { client, updates, listChanges: () => listChanges }
}

/** Changes a task until the updates contain it: everything before has arrived by then. */
async function flush(updates: string[], uri: string, task: { task_id: number }) {
  const before = updates.filter((one) => one === uri).length
  await server.ada['comments.add']({ task_id: task.task_id, text: 'Flush' })
  await waitUntil(() => updates.filter((one) => one === uri).length > before)
}

test('only transports that carry updates advertise subscriptions', async () => {
  const { base, cleo } = server
  const plain = await connectHttp(base, cleo)
  expect(plain.getServerCapabilities()?.resources).toEqual({})
  await expect(plain.subscribeResource({ uri: LOGO })).rejects.toThrow()
  const stream = await connectSse(base, cleo)
  expect(stream.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: false })
  const newest = await connectNewest(base, cleo)
  expect(newest.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true })
  for (const client of [plain, stream, newest]) await client.close()
})

test('a change of a task by another person causes one update, and none after unsubscribing', async () => {
  const { ada, ben, tasks } = server
  const { client, updates } = await sseSubscriber()
  await client.subscribeResource({ uri: LOGO })
  await client.subscribeResource({ uri: COPY })
  const before = (await server.changes()).length
  const assignee_ids = [ben.caller.actor_id]
  await ada['tasks.update']({ ...tasks.logo, title: 'Draw it', priority: 'Low', assignee_ids })
  expect((await server.changes()).length).toBeGreaterThan(before + 1)
  await flush(updates, COPY, tasks.copy)
  expect(updates).toEqual([LOGO, COPY])
  await client.unsubscribeResource({ uri: LOGO })
  await ada['tasks.update']({ ...tasks.logo, title: 'Draw it again' })
  await flush(updates, COPY, tasks.copy)
  expect(updates).toEqual([LOGO, COPY, COPY])
  await client.close()
})

test('the newest revision receives updates as the answer to subscriptions/listen', async () => {
  const { ada, tasks } = server
  const { client, updates } = await newestSubscriber()
  const subscription = await client.listen({ resourceSubscriptions: [LOGO, COPY] })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [LOGO, COPY] })
  await ada['tasks.update']({ ...tasks.logo, title: 'Draw it once more' })
  await flush(updates, COPY, tasks.copy)
  expect(updates).toEqual([LOGO, COPY])
  await subscription.close()
  const others = await newestSubscriber()
  await others.client.listen({ resourceSubscriptions: [COPY] })
  await ada['tasks.update']({ ...tasks.logo, title: 'And again' })
  await flush(others.updates, COPY, tasks.copy)
  expect(updates).toEqual([LOGO, COPY])
  for (const one of [client, others.client]) await one.close()
})

test('a subscriber receives nothing about what it may not see', async () => {
  const { ada, team_id, otto, base, tasks } = server
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Hush', access: 'invited', sections: [{ title: 'To do' }] },
  })
  await ada['tasks.create']({ project_id, title: 'Silence' })
  const hidden = 'corkboard://tasks/HUS-1'
  const { client, updates } = await sseSubscriber()
  for (const uri of [hidden, `corkboard://boards/${project_id}`, 'corkboard://tasks/HP-999'])
    await expect(client.subscribeResource({ uri })).rejects.toThrow('that you can see')
  await expect(client.subscribeResource({ uri: 'corkboard://x' })).rejects.toThrow('The forms are')
  await client.subscribeResource({ uri: COPY })
  const newest = await newestSubscriber()
  const subscription = await newest.client.listen({ resourceSubscriptions: [hidden, COPY] })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [COPY] })
  await ada['tasks.update']({ ticket_number: 'HUS-1', title: 'Still silence' })
  for (const one of [updates, newest.updates]) {
    await flush(one, COPY, tasks.copy)
    expect(new Set(one)).toEqual(new Set([COPY]))
  }
  const stranger = await connectNewest(base, otto)
  const empty = await stranger.listen({ resourceSubscriptions: [LOGO] })
  expect(empty.honoredFilter).toEqual({})
  expect(await empty.closed).toBe('graceful')
  for (const one of [client, newest.client, stranger]) await one.close()
})

test('a task that moves out of sight causes a last update', async () => {
  const { ada, team_id, board, tasks } = server
  const cellar = await ada['projects.create']({
    ...{ team_id, title: 'Cellar', access: 'invited', sections: [{ title: 'Deep' }] },
  })
  const { task_id, ticket_number } = await ada['tasks.create']({
    ...{ project_id: board.project_id, title: 'Roam' },
  })
  const uri = `corkboard://tasks/${ticket_number}`
  const { client, updates } = await sseSubscriber()
  for (const one of [uri, COPY]) await client.subscribeResource({ uri: one })
  await ada['tasks.move']({ task_id, target_project_id: cellar.project_id })
  await flush(updates, COPY, tasks.copy)
  await ada['tasks.update']({ task_id, title: 'Out of sight' })
  await flush(updates, COPY, tasks.copy)
  expect(updates).toEqual([uri, COPY, COPY])
  await client.close()
})

test('a board changes with its columns, not with its tasks or other boards', async () => {
  const { ada, team_id, board, sections, tasks } = server
  const own = { project_id: board.project_id, section_id: sections.Next }
  const other = await ada['projects.create']({
    team_id,
    title: 'Other',
    sections: [{ title: 'To do' }],
  })
  const { client, updates } = await sseSubscriber()
  for (const uri of [BOARD, COPY]) await client.subscribeResource({ uri })
  const { project_id, sections: columns } = other
  const renamed = { project_id, section_id: columns[0]!.section_id }
  await ada['sections.update']({ ...renamed, title: 'Renamed' })
  await flush(updates, COPY, tasks.copy)
  expect(updates).toEqual([COPY])
  await ada['sections.update']({ ...own, title: 'Soon' })
  await waitUntil(() => updates.includes(BOARD))
  await client.close()
})

test('the newest revision is notified when the list of boards changes', async () => {
  const { ada, team_id } = server
  const { client, listChanges } = await newestSubscriber()
  const subscription = await client.listen({ resourcesListChanged: true })
  expect(subscription.honoredFilter).toEqual({ resourcesListChanged: true })
  await ada['projects.create']({ team_id, title: 'Brand new', sections: [{ title: 'To do' }] })
  await waitUntil(() => listChanges() > 0)
  await client.close()
})

test('a stream ends when its credential is revoked', async () => {
  const { cleo, team_id, addAgent } = server
  const agent = await addAgent(team_id, cleo, 'Listener')
  const { client } = await newestSubscriber(agent)
  const subscription = await client.listen({ resourceSubscriptions: [LOGO] })
  await cleo['agents.revoke']({ agent_id: agent.caller.agent_id! })
  expect(await subscription.closed).toBe('graceful')
  await client.close()
})

test('one stream watches at most 100 resources', async () => {
  const { ada, cleo, base } = server
  const { project_id } = server.board
  const uris: string[] = []
  for (let i = 0; i < 101; i++) {
    const { ticket_number } = await ada['tasks.create']({ project_id, title: `Task ${i}` })
    uris.push(`corkboard://tasks/${ticket_number}`)
  }
  const stream = await connectSse(base, cleo)
  for (const uri of uris.slice(0, 100)) await stream.subscribeResource({ uri })
  await expect(stream.subscribeResource({ uri: uris[100]! })).rejects.toThrow('at most 100')
  await stream.unsubscribeResource({ uri: uris[0]! })
  await stream.subscribeResource({ uri: uris[100]! })
  await stream.close()
})

test('streams that ended are no longer counted against the limit of 100', async () => {
  const { ben, base } = server
  for (let i = 0; i < 105; i++) {
    const client = await connectNewest(base, ben)
    const subscription = await client.listen({ resourceSubscriptions: ['corkboard://nothing'] })
    expect(subscription.honoredFilter).toEqual({})
    await client.close()
  }
  const feedSize = server.feed.size
  await waitUntil(() => server.feed.size <= feedSize)
  const client = await connectNewest(base, ben)
  const subscription = await client.listen({ resourceSubscriptions: [LOGO] })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [LOGO] })
  await client.close()
  await waitUntil(() => server.feed.size === 0)
})
