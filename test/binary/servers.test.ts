import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { onPostgres } from '../server.ts'
import { ask, cork, folder, initiated, serving, sweep } from './cork.ts'
import { eventually, listening } from './hearing.ts'

afterAll(sweep)

const many = test.skipIf(!onPostgres)
const columns = [{ title: 'Open' }, { title: 'Done' }]

many(
  'two servers on one database lose and repeat no task or event, also when one is killed',
  async () => {
    const { data, team_id, api_key } = await initiated()
    const [one, two] = await Promise.all([serving(data), serving(data)])
    const board = { team_id, title: 'Home', sections: columns }
    const { body } = await ask(one.url, api_key, 'POST', '/api/v1/projects', board)
    const { project_id } = body.data
    const stream = listening(one.url, api_key)
    await Bun.sleep(200)

    const tickets: string[] = []
    const create = async (url: string, title: string) => {
      const made = await ask(url, api_key, 'POST', '/api/v1/tasks', { project_id, title }).catch(
        () => undefined,
      )
      if (made?.status === 201) tickets.push(made.body.data.ticket_number)
      return made?.status
    }
    const urls = [one.url, two.url]
    const writing = Array.from({ length: 16 }, async (_, writer) => {
      for (let i = 0; i < 15; i++) {
        const status = await create(urls[writer % 2]!, `${writer} ${i}`)
        if (status === undefined) return
        expect(status).toBe(201)
      }
    })
    await eventually(() => tickets.length > 60)
    await two.end('SIGKILL')
    await Promise.all(writing)
    expect(await create(one.url, 'after')).toBe(201)

    expect(new Set(tickets).size).toBe(tickets.length)
    const created = () => stream.told.filter(([, type]) => type === 'task.created')
    await eventually(() => created().length >= tickets.length)
    const ids = stream.told.map(([id]) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
    for (const ticket of tickets)
      expect((await ask(one.url, api_key, 'GET', `/api/v1/tasks/${ticket}`)).status).toBe(200)
    await stream.stop()
    await one.end()
  },
  60_000,
)

many('servers started at once on an empty database all become ready', async () => {
  const data = join(folder(), 'data')
  const servers = await Promise.all([serving(data), serving(data), serving(data)])
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await eventually(() => servers.every((server) => /setup\?token=\S+/.test(server.out())))
  await Promise.all(servers.map((server) => server.end()))
})

many(
  'a server with a missing, short or wrong CORK_SECRET does not start and names the problem',
  async () => {
    const { data } = await initiated()
    const start = ['serve', '--data', data, '--port', '0']
    for (const [secret, words] of [
      ['', 'openssl rand -base64 32'],
      ['too short', 'at least 16 characters'],
      ['another secret, long enough', 'CORK_SECRET is not the one'],
    ] as const) {
      const { code, err } = await cork(start, { env: { CORK_SECRET: secret } })
      expect([code, err]).toEqual([1, expect.stringContaining(words)])
    }
  },
)
