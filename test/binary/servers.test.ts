import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'
import { cleanUp, cork, createFolder, initDataFolder, sendRequest, startServer } from './cork.ts'
import { collectEvents } from './events.ts'

afterAll(cleanUp)

const testOnPostgres = test.skipIf(!onPostgres)
const sections = [{ title: 'Open' }, { title: 'Done' }]

testOnPostgres(
  'two servers on one database lose and repeat no task or event, also when one is killed',
  async () => {
    const { data, team_id, api_key } = await initDataFolder()
    const [one, two] = await Promise.all([startServer(data), startServer(data)])
    const board = { team_id, title: 'Home', sections }
    const { body } = await sendRequest(one.url, api_key, 'POST', '/api/v1/projects', board)
    const { project_id } = body.data
    const stream = collectEvents(one.url, api_key)
    await Bun.sleep(200)

    const tickets: string[] = []
    const create = async (url: string, title: string) => {
      const response = await sendRequest(url, api_key, 'POST', '/api/v1/tasks', {
        project_id,
        title,
      }).catch(() => undefined)
      if (response?.status === 201) tickets.push(response.body.data.ticket_number)
      return response?.status
    }
    const urls = [one.url, two.url]
    const writes = Array.from({ length: 16 }, async (_, writer) => {
      for (let i = 0; i < 15; i++) {
        const status = await create(urls[writer % 2]!, `${writer} ${i}`)
        if (status === undefined) return
        expect(status).toBe(201)
      }
    })
    await waitUntil(() => tickets.length > 60)
    await two.end('SIGKILL')
    await Promise.all(writes)
    expect(await create(one.url, 'after')).toBe(201)

    expect(new Set(tickets).size).toBe(tickets.length)
    const created = () => stream.events.filter(([, type]) => type === 'task.created')
    await waitUntil(() => created().length >= tickets.length)
    const ids = stream.events.map(([id]) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
    for (const ticket of tickets)
      expect((await sendRequest(one.url, api_key, 'GET', `/api/v1/tasks/${ticket}`)).status).toBe(
        200,
      )
    await stream.stop()
    await one.end()
  },
)

testOnPostgres('servers started at once on an empty database all become ready', async () => {
  const data = join(createFolder(), 'data')
  const servers = await Promise.all([startServer(data), startServer(data), startServer(data)])
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await waitUntil(() => servers.every((server) => /setup\?token=\S+/.test(server.out())))
  await Promise.all(servers.map((server) => server.end()))
})

testOnPostgres(
  'a server with a missing, short or wrong CORK_SECRET does not start and names the problem',
  async () => {
    const { data } = await initDataFolder()
    const command = ['serve', '--data', data, '--port', '0']
    for (const [secret, words] of [
      ['', 'openssl rand -base64 32'],
      ['too short', 'at least 16 characters'],
      ['another secret, long enough', 'CORK_SECRET is not the one'],
    ] as const) {
      const { code, err } = await cork(command, { env: { CORK_SECRET: secret } })
      expect([code, err]).toEqual([1, expect.stringContaining(words)])
    }
  },
)
