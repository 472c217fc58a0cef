import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectHttp, connectNewest, connectSse } from './mcp-client.ts'
import { startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
  const { ada, team_id } = server
  const sections = [{ title: 'To do' }]
  await ada['projects.create']({ team_id, title: 'Hospital', sections })
  await ada['projects.create']({ team_id, title: 'Hush', access: 'invited', sections })
})
afterAll(() => server.close())

type Connected = Awaited<ReturnType<typeof connectHttp>>

const template = (uri: string) => ({ type: 'ref/resource' as const, uri: `corkboard://${uri}` })
const prompt = (name: string) => ({ type: 'ref/prompt' as const, name })

async function complete(
  client: Connected,
  ref: ReturnType<typeof template> | ReturnType<typeof prompt>,
  name: string,
  value: string,
  others: Record<string, string> = {},
) {
  const { completion } = await client.complete({
    ...{ ref, argument: { name, value } },
    ...(Object.keys(others).length && { context: { arguments: others } }),
  })
  return completion.values
}

test('a board is completed to the keys of the caller’s boards, on every transport', async () => {
  for (const connect of [connectHttp, connectSse, connectNewest]) {
    const client = (await connect(server.base, server.cleo)) as Connected
    expect((await complete(client, prompt('triage'), 'board', '')).toSorted()).toEqual([
      ...['HOS', 'HP'],
    ])
    expect(await complete(client, template('boards/{key}'), 'key', 'hos')).toEqual(['HOS'])
    expect(await complete(client, template('boards/{key}/playbook'), 'key', 'home')).toEqual(['HP'])
    await client.close()
  }
})

test('a task is completed by its key, its board or words of its title', async () => {
  const client = await connectHttp(server.base, server.cleo)
  const ref = template('tasks/{ticket_number}')
  const values = (value: string) => complete(client, ref, 'ticket_number', value)
  expect((await values('HP-')).toSorted()).toEqual(['HP-1', 'HP-2', 'HP-3', 'HP-4'])
  expect(await values('hp-3')).toEqual(['HP-3'])
  expect(await values('logo')).toEqual(['HP-1'])
  expect(await values('HOS-')).toEqual([])
  expect((await values('')).length).toBe(4)
  const review = await complete(client, prompt('review'), 'task', '', { board: 'HOS' })
  expect(review).toEqual([])
  await client.close()
})

test('pages are completed to their ids and articles to their names', async () => {
  const { base, cleo } = server
  const { page_id } = await cleo['pages.create']({ ticket_number: 'HP-1', content: 'Red' })
  const client = await connectHttp(base, cleo)
  expect(await complete(client, template('pages/{page_id}'), 'page_id', '')).toEqual([
    String(page_id),
  ])
  const articles = await complete(client, template('manual/{name}'), 'name', 'age')
  expect(articles).toEqual(['agents', 'agents-clients', 'agents-measured'])
  await client.close()
})

test('completion offers nothing that the caller cannot see or read', async () => {
  const { base, cleo, otto, authenticateAs } = server
  const member = await connectHttp(base, cleo)
  const key = template('boards/{key}')
  const ticket = template('tasks/{ticket_number}')
  expect(await complete(member, key, 'key', 'HUS')).toEqual([])
  expect(await complete(member, ticket, 'ticket_number', 'HUS-')).toEqual([])
  expect(await complete(member, ticket, 'ticket_number', 'is:nonsense')).toEqual([])
  await member.close()
  const stranger = await connectHttp(base, otto)
  expect(await complete(stranger, key, 'key', 'HP')).toEqual([])
  expect(await complete(stranger, ticket, 'ticket_number', 'HP-')).toEqual([])
  await stranger.close()
  const limited = await authenticateAs(cleo.caller.actor_id, 'key', ['profile:read'])
  const profile = await connectHttp(base, limited)
  for (const [ref, name] of [
    [key, 'key'],
    [ticket, 'ticket_number'],
    [template('pages/{page_id}'), 'page_id'],
  ] as const)
    expect(await complete(profile, ref, name, '')).toEqual([])
  await profile.close()
})

test('an unknown prompt, template or argument is refused', async () => {
  const client = await connectHttp(server.base, server.cleo)
  for (const [ref, name, message] of [
    [prompt('nothing'), 'board', 'There is no prompt nothing'],
    [prompt('triage'), 'days', 'There is no argument days. The arguments are board'],
    [template('nothing/{key}'), 'key', 'There is no resource template corkboard://nothing/{key}'],
    [template('boards/{key}'), 'board', 'There is no argument board. The arguments are key'],
  ] as const)
    await expect(complete(client, ref, name, '')).rejects.toThrow(message)
  expect(await complete(client, prompt('stand-up'), 'days', '')).toEqual([])
  await client.close()
})
