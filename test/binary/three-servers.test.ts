import { afterAll, expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import type { Way } from '../leases/calls.ts'
import { onPostgres } from '../server.ts'
import { ask, initiated, serving, sweep } from './cork.ts'
import { agentOf, type Owner, wayTo } from './crew.ts'
import { eventually, listening } from './hearing.ts'

afterAll(sweep)

const many = test.skipIf(!onPostgres)

/** Three processes that serve one database, and a board on it. */
async function three(env: Record<string, string> = {}) {
  const owner = await initiated()
  const { team_id, api_key } = owner
  const servers = await Promise.all([0, 1, 2].map(() => serving(owner.data, { env })))
  const urls = servers.map(({ url }) => url) as [string, string, string]
  const person = wayTo(() => urls[0], api_key)
  const { project_id } = await person['projects.create']({
    ...{ team_id, title: 'Home' },
    sections: [{ title: 'Open' }, { title: 'Done', role: 'done' }],
  })
  const create = async (url: string, title: string) => {
    const made = await wayTo(() => url, api_key)['tasks.create']({ project_id, title })
    return made.ticket_number
  }
  const close = () => Promise.all(servers.map((server) => server.end()))
  return { owner, servers, urls, person, project_id, create, close }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (error instanceof Fault ? error.code : 'cut off'),
  )

/** Claims the next task until there is none; returns the number of broken connections. */
async function drained(way: Way, project_id: number, went: (ticket: string) => void) {
  let cut = 0
  for (;;) {
    const took = await way['tasks.next']({ project_id, claim: true }).catch((error) => {
      if (error instanceof Fault) throw error
      return undefined
    })
    if (!took) cut++
    else if (took.items[0]) went(took.items[0].ticket_number)
    else return cut
  }
}

many(
  'agents on three servers claim each task once, also when one server is killed',
  async () => {
    const { owner, servers, urls, person, project_id, create, close } = await three()
    const tickets = await Promise.all(
      Array.from({ length: 60 }, (_, at) => create(urls[at % 3]!, `${at}`)),
    )
    const names = Array.from({ length: 9 }, (_, at) => `Agent ${at}`)
    const tokens = await Promise.all(names.map((name) => agentOf(urls[0], owner, name)))
    const taken: { ticket: string; holder: string }[] = []
    let dead = false
    const working = names.map((holder, at) => {
      const server = () => (dead && at % 3 === 2 ? urls[0] : urls[at % 3]!)
      const way = wayTo(server, tokens[at]!)
      return drained(way, project_id, (ticket) => void taken.push({ ticket, holder }))
    })
    await eventually(() => taken.length > 15)
    dead = true
    await servers[2]!.end('SIGKILL')
    const cut = (await Promise.all(working)).reduce((sum, one) => sum + one, 0)
    const answered = taken.map(({ ticket }) => ticket)
    expect(new Set(answered).size).toBe(answered.length)
    // A task claimed while the server died stays claimed, although no agent got the response.
    expect(tickets.length - answered.length).toBeLessThanOrEqual(cut)
    for (const ticket of tickets) {
      const { lease } = await person['leases.get']({ ticket_number: ticket })
      const holder = taken.find((one) => one.ticket === ticket)?.holder
      expect(holder ?? lease!.holder.name).toBe(lease!.holder.name)
    }
    await close()
  },
  60_000,
)

many('a lease claimed on one server is extended, used and released on the others', async () => {
  const { owner, urls, create, close } = await three()
  const ticket_number = await create(urls[0], 'Mow the lawn')
  const [anna, bert] = [
    await agentOf(urls[0], owner, 'Anna'),
    await agentOf(urls[1], owner, 'Bert'),
  ]
  const at = (server: number, token: string) => wayTo(() => urls[server]!, token)
  const first = await at(0, anna)['leases.claim']({ ticket_number })
  const { lease_id } = first
  const kept = await at(1, anna)['leases.heartbeat']({ lease_id, ttl: 60_000 })
  expect(kept).toMatchObject({ lease_id, ttl: 60_000, fencing_token: first.fencing_token })
  expect(await codeOf(at(2, bert)['leases.claim']({ ticket_number }))).toBe('conflict')
  await at(2, anna)['tasks.update']({ ticket_number, title: 'Mow it', lease_id })
  const [read] = [await at(0, bert)['tasks.get']({ ticket_number })].flat()
  expect(read!.title).toBe('Mow it')
  await at(1, anna)['leases.release']({ lease_id })
  const second = await at(2, bert)['leases.claim']({ ticket_number })
  expect(second.fencing_token).toBeGreaterThan(first.fencing_token)
  expect(await codeOf(at(0, anna)['leases.heartbeat']({ lease_id }))).toBe('not_found')
  const late = at(1, anna)['tasks.update']({ ticket_number, title: 'Too late', lease_id })
  expect(await codeOf(late)).toBe('conflict')
  await close()
})

const LIMIT = 20

/** Sends requests to the servers in turn, all at once, and counts the responses. */
async function counted(urls: readonly string[], secret: string, requests: number) {
  const answers = Array.from({ length: requests }, (_, at) =>
    fetch(`${urls[at % urls.length]}/api/v1/projects`, {
      headers: { authorization: `Bearer ${secret}` },
    }),
  )
  const all = await Promise.all(answers)
  const header = (name: string) => all.map(({ headers }) => Number(headers.get(name)))
  return {
    served: all.filter(({ status }) => status === 200).length,
    refused: all.filter(({ status }) => status === 429).length,
    remaining: header('ratelimit-remaining').sort((a, b) => b - a),
    limits: new Set(header('ratelimit-limit')),
    resets: header('ratelimit-reset'),
  }
}

many('a caller has one rate limit across all servers', async () => {
  const limits = { CORK_RATE_LIMIT_BASE: String(LIMIT), CORK_RATE_LIMIT_AGENT: '600' }
  const { owner, servers, urls, close } = await three(limits)
  const token = await agentOf(urls[1], owner, 'Anna')
  // Two requests were used to create the board and the agent.
  const { served, refused, remaining, resets } = await counted(urls, owner.api_key, 45)
  expect([served, refused]).toEqual([LIMIT - 2, 45 - (LIMIT - 2)])
  const left = Array.from({ length: LIMIT - 2 }, (_, at) => LIMIT - 3 - at)
  expect(remaining).toEqual([...left, ...Array(45 - left.length).fill(0)])
  expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(2)
  for (const url of urls)
    expect(await counted([url], owner.api_key, 1)).toMatchObject({ served: 0 })

  const agents = await counted(urls, token, 9)
  expect(agents).toMatchObject({ served: 9, limits: new Set([600]) })
  await servers[0]!.end('SIGKILL')
  const later = await counted(urls.slice(1), token, 6)
  expect(later.remaining).toEqual([590, 589, 588, 587, 586, 585])
  expect(await counted(urls.slice(1), owner.api_key, 4)).toMatchObject({ refused: 4 })
  await close()
})

many('streams, polls and presence on one server include what happens on the others', async () => {
  const { owner, servers, urls, create, close } = await three()
  const token = await agentOf(urls[0], owner, 'Anna')
  const stream = listening(urls[0], owner.api_key)
  await Bun.sleep(200)
  const waiting = ask(urls[1], token, 'GET', '/api/v1/agents/self/messages?wait=20')
  await Bun.sleep(300)
  const began = performance.now()
  await create(urls[2], 'Heard')
  const { body } = await waiting
  expect(performance.now() - began).toBeLessThan(5000)
  expect(body.data).toMatchObject([{ type: 'task.created', data: { title: 'Heard' } }])
  await servers[2]!.end('SIGKILL')
  await create(urls[1], 'After')
  const created = () => stream.told.filter(([, type]) => type === 'task.created')
  await eventually(() => created().length === 2)
  await stream.stop()

  const ids = body.data.map(({ id }: { id: string }) => id)
  const acked = await ask(urls[0], token, 'POST', '/api/v1/agents/self/messages/ack', { ids })
  expect(acked.body.data).toEqual({ acknowledged: 1, unknown: [] })
  const rest = await ask(urls[1], token, 'GET', '/api/v1/agents/self/messages')
  expect(rest.body.data).toMatchObject([{ data: { title: 'After' } }])

  const path = `/api/v1/agents/presence?team_id=${owner.team_id}`
  for (const url of urls.slice(0, 2))
    expect((await ask(url, owner.api_key, 'GET', path)).body.data).toMatchObject([
      { name: 'Anna', present: true },
    ])
  await close()
})

/** An endpoint that remembers which messages it was sent. */
function endpoint() {
  const got: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      got.push(request.headers.get('webhook-id') ?? '')
      return new Response()
    },
  })
  return { got, url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) }
}

async function hooked(url: string, owner: Owner, to: string) {
  const token = await agentOf(url, owner, 'Anna')
  const asked = { url: to, events: ['task.created'] }
  const { status } = await ask(url, token, 'PUT', '/api/v1/agents/self/webhook', asked)
  expect(status).toBe(200)
}

many(
  'a message is sent to a webhook once, although every server could send it',
  async () => {
    const env = { CORK_WEBHOOK_CYCLE: '0.2', CORK_ALLOW_HOSTS: '127.0.0.1' }
    const { owner, servers, urls, create, close } = await three(env)
    const { got, url, stop } = endpoint()
    await hooked(urls[0], owner, url)
    const write = (to: readonly string[], many: number) =>
      Promise.all(Array.from({ length: many }, (_, at) => create(to[at % to.length]!, `${at}`)))
    await write(urls, 45)
    await eventually(() => got.length >= 45)
    await servers[1]!.end('SIGKILL')
    await write([urls[0], urls[2]], 15)
    await eventually(() => got.length >= 60)
    // Long enough for another server to send a duplicate.
    await Bun.sleep(1000)
    expect(new Set(got).size).toBe(60)
    expect(got).toHaveLength(60)
    await stop()
    await close()
  },
  60_000,
)

many(
  'a text written on one server is found on the others, each with its own index',
  async () => {
    const { owner, servers, urls, project_id, create, close } = await three()
    const { api_key } = owner
    const ticket = await create(urls[0], 'Boats')
    const found = async (url: string, word: string) => {
      const path = `/api/v1/search/semantic?query=${word}&project_id=${project_id}`
      const { body } = await ask(url, api_key, 'GET', path)
      return (body.data as { text: string }[]).some(({ text }) => text.includes(word))
    }
    const everywhere = async (word: string, among: readonly string[]) => {
      const began = performance.now()
      for (const url of among)
        while (!(await found(url, word))) {
          if (performance.now() - began > 10_000) return false
          await Bun.sleep(50)
        }
      return true
    }
    const write = (url: string, content: string) =>
      ask(url, api_key, 'POST', `/api/v1/tasks/${ticket}/pages`, { content })
    for (const [at, word] of ['hawser', 'bollard', 'fender'].entries()) {
      await write(urls[at]!, `A ${word} belongs to every berth.`)
      expect([word, await everywhere(word, urls)]).toEqual([word, true])
    }
    await servers[1]!.end('SIGKILL')
    await write(urls[0], 'A cleat belongs to every berth.')
    const again = await serving(owner.data)
    expect(await everywhere('cleat', [urls[0], urls[2], again.url])).toBe(true)
    expect(await again.end()).toBe(0)
    await close()
  },
  60_000,
)
