import { afterAll, expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import type { LeaseClient } from '../leases/calls.ts'
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'
import { cleanUp, initDataFolder, sendRequest, startServer } from './cork.ts'
import { collectEvents } from './events.ts'
import { agentOf, type Owner, wayTo } from './rest-callers.ts'

afterAll(cleanUp)

const testOnPostgres = test.skipIf(!onPostgres)

/** Three processes that serve one database, and a board on it. */
async function startThreeServers(env: Record<string, string> = {}) {
  const owner = await initDataFolder()
  const { team_id, api_key } = owner
  const servers = await Promise.all([0, 1, 2].map(() => startServer(owner.data, { env })))
  const urls = servers.map(({ url }) => url) as [string, string, string]
  const person = wayTo(() => urls[0], api_key)
  const { project_id } = await person['projects.create']({
    ...{ team_id, title: 'Home' },
    sections: [{ title: 'Open' }, { title: 'Done', role: 'done' }],
  })
  const create = async (url: string, title: string) => {
    const task = await wayTo(() => url, api_key)['tasks.create']({ project_id, title })
    return task.ticket_number
  }
  const close = () => Promise.all(servers.map((server) => server.end()))
  return { owner, servers, urls, person, project_id, create, close }
}

const resultOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (error instanceof Fault ? error.code : 'cut off'),
  )

/** Claims the next task until there is none; returns the number of broken connections. */
async function claimAll(
  caller: LeaseClient,
  project_id: number,
  onClaim: (ticket: string) => void,
) {
  let brokenConnections = 0
  for (;;) {
    const claimed = await caller['tasks.next']({ project_id, claim: true }).catch((error) => {
      if (error instanceof Fault) throw error
      return undefined
    })
    if (!claimed) brokenConnections++
    else if (claimed.items[0]) onClaim(claimed.items[0].ticket_number)
    else return brokenConnections
  }
}

testOnPostgres(
  'agents on three servers claim each task once, also when one server is killed',
  async () => {
    const { owner, servers, urls, person, project_id, create, close } = await startThreeServers()
    const tickets = await Promise.all(
      Array.from({ length: 60 }, (_, at) => create(urls[at % 3]!, `${at}`)),
    )
    const names = Array.from({ length: 9 }, (_, at) => `Agent ${at}`)
    const tokens = await Promise.all(names.map((name) => agentOf(urls[0], owner, name)))
    const claims: { ticket: string; holder: string }[] = []
    let isKilled = false
    const workers = names.map((holder, at) => {
      const server = () => (isKilled && at % 3 === 2 ? urls[0] : urls[at % 3]!)
      const caller = wayTo(server, tokens[at]!)
      return claimAll(caller, project_id, (ticket) => void claims.push({ ticket, holder }))
    })
    await waitUntil(() => claims.length > 15)
    isKilled = true
    await servers[2]!.end('SIGKILL')
    const brokenConnections = (await Promise.all(workers)).reduce((sum, one) => sum + one, 0)
    const claimedTickets = claims.map(({ ticket }) => ticket)
    expect(new Set(claimedTickets).size).toBe(claimedTickets.length)
    // A task claimed while the server died stays claimed, although no agent got the response.
    expect(tickets.length - claimedTickets.length).toBeLessThanOrEqual(brokenConnections)
    for (const ticket of tickets) {
      const { lease } = await person['leases.get']({ ticket_number: ticket })
      const holder = claims.find((one) => one.ticket === ticket)?.holder
      expect(holder ?? lease!.holder.name).toBe(lease!.holder.name)
    }
    await close()
  },
)

testOnPostgres(
  'a lease claimed on one server is extended, used and released on the others',
  async () => {
    const { owner, urls, create, close } = await startThreeServers()
    const ticket_number = await create(urls[0], 'Mow the lawn')
    const [anna, bert] = [
      await agentOf(urls[0], owner, 'Anna'),
      await agentOf(urls[1], owner, 'Bert'),
    ]
    const callerOn = (server: number, token: string) => wayTo(() => urls[server]!, token)
    const first = await callerOn(0, anna)['leases.claim']({ ticket_number })
    const { lease_id } = first
    const extended = await callerOn(1, anna)['leases.heartbeat']({ lease_id, ttl: 60_000 })
    expect(extended).toMatchObject({ lease_id, ttl: 60_000, fencing_token: first.fencing_token })
    expect(await resultOf(callerOn(2, bert)['leases.claim']({ ticket_number }))).toBe('conflict')
    await callerOn(2, anna)['tasks.update']({ ticket_number, title: 'Mow it', lease_id })
    const [read] = [await callerOn(0, bert)['tasks.get']({ ticket_number })].flat()
    expect(read!.title).toBe('Mow it')
    await callerOn(1, anna)['leases.release']({ lease_id })
    const second = await callerOn(2, bert)['leases.claim']({ ticket_number })
    expect(second.fencing_token).toBeGreaterThan(first.fencing_token)
    expect(await resultOf(callerOn(0, anna)['leases.heartbeat']({ lease_id }))).toBe('not_found')
    const lateUpdate = callerOn(1, anna)['tasks.update']({
      ticket_number,
      title: 'Too late',
      lease_id,
    })
    expect(await resultOf(lateUpdate)).toBe('conflict')
    await close()
  },
)

const LIMIT = 20

/** Sends requests to the servers in turn, all at once, and counts the responses. */
async function countResponses(urls: readonly string[], secret: string, count: number) {
  const requests = Array.from({ length: count }, (_, at) =>
    fetch(`${urls[at % urls.length]}/api/v1/projects`, {
      headers: { authorization: `Bearer ${secret}` },
    }),
  )
  const responses = await Promise.all(requests)
  const headerValues = (name: string) => responses.map(({ headers }) => Number(headers.get(name)))
  return {
    served: responses.filter(({ status }) => status === 200).length,
    refused: responses.filter(({ status }) => status === 429).length,
    remaining: headerValues('ratelimit-remaining').sort((a, b) => b - a),
    limits: new Set(headerValues('ratelimit-limit')),
    resets: headerValues('ratelimit-reset'),
  }
}

testOnPostgres('a caller has one rate limit across all servers', async () => {
  const limits = { CORK_RATE_LIMIT_BASE: String(LIMIT), CORK_RATE_LIMIT_AGENT: '600' }
  const { owner, servers, urls, close } = await startThreeServers(limits)
  const token = await agentOf(urls[1], owner, 'Anna')
  // Two requests were used to create the board and the agent.
  const { served, refused, remaining, resets } = await countResponses(urls, owner.api_key, 45)
  expect([served, refused]).toEqual([LIMIT - 2, 45 - (LIMIT - 2)])
  const expectedRemaining = Array.from({ length: LIMIT - 2 }, (_, at) => LIMIT - 3 - at)
  expect(remaining).toEqual([...expectedRemaining, ...Array(45 - expectedRemaining.length).fill(0)])
  expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(2)
  for (const url of urls)
    expect(await countResponses([url], owner.api_key, 1)).toMatchObject({ served: 0 })

  const agents = await countResponses(urls, token, 9)
  expect(agents).toMatchObject({ served: 9, limits: new Set([600]) })
  await servers[0]!.end('SIGKILL')
  const later = await countResponses(urls.slice(1), token, 6)
  expect(later.remaining).toEqual([590, 589, 588, 587, 586, 585])
  expect(await countResponses(urls.slice(1), owner.api_key, 4)).toMatchObject({ refused: 4 })
  await close()
})

testOnPostgres(
  'streams, polls and presence on one server include what happens on the others',
  async () => {
    const { owner, servers, urls, create, close } = await startThreeServers()
    const token = await agentOf(urls[0], owner, 'Anna')
    const stream = collectEvents(urls[0], owner.api_key)
    await Bun.sleep(200)
    const poll = sendRequest(urls[1], token, 'GET', '/api/v1/agents/self/messages?wait=20')
    await Bun.sleep(300)
    const startedAt = performance.now()
    await create(urls[2], 'Heard')
    const { body } = await poll
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(body.data).toMatchObject([{ type: 'task.created', data: { title: 'Heard' } }])
    await servers[2]!.end('SIGKILL')
    await create(urls[1], 'After')
    const created = () => stream.events.filter(([, type]) => type === 'task.created')
    await waitUntil(() => created().length === 2)
    await stream.stop()

    const ids = body.data.map(({ id }: { id: string }) => id)
    const acknowledged = await sendRequest(
      urls[0],
      token,
      'POST',
      '/api/v1/agents/self/messages/ack',
      { ids },
    )
    expect(acknowledged.body.data).toEqual({ acknowledged: 1, unknown: [] })
    const remaining = await sendRequest(urls[1], token, 'GET', '/api/v1/agents/self/messages')
    expect(remaining.body.data).toMatchObject([{ data: { title: 'After' } }])

    const path = `/api/v1/agents/presence?team_id=${owner.team_id}`
    for (const url of urls.slice(0, 2))
      expect((await sendRequest(url, owner.api_key, 'GET', path)).body.data).toMatchObject([
        { name: 'Anna', present: true },
      ])
    await close()
  },
)

/** An endpoint that remembers which messages it was sent. */
function startWebhookEndpoint() {
  const messageIds: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      messageIds.push(request.headers.get('webhook-id') ?? '')
      return new Response()
    },
  })
  return { messageIds, url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) }
}

async function configureWebhook(url: string, owner: Owner, webhookUrl: string) {
  const token = await agentOf(url, owner, 'Anna')
  const webhook = { url: webhookUrl, events: ['task.created'] }
  const { status } = await sendRequest(url, token, 'PUT', '/api/v1/agents/self/webhook', webhook)
  expect(status).toBe(200)
}

testOnPostgres(
  'a message is sent to a webhook once, although every server could send it',
  async () => {
    const env = { CORK_WEBHOOK_CYCLE: '0.2', CORK_ALLOW_HOSTS: '127.0.0.1' }
    const { owner, servers, urls, create, close } = await startThreeServers(env)
    const { messageIds, url, stop } = startWebhookEndpoint()
    await configureWebhook(urls[0], owner, url)
    const write = (targets: readonly string[], count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => create(targets[at % targets.length]!, `${at}`)),
      )
    await write(urls, 45)
    await waitUntil(() => messageIds.length >= 45)
    await servers[1]!.end('SIGKILL')
    await write([urls[0], urls[2]], 15)
    await waitUntil(() => messageIds.length >= 60)
    // Long enough for another server to send a duplicate.
    await Bun.sleep(1000)
    expect(new Set(messageIds).size).toBe(60)
    expect(messageIds).toHaveLength(60)
    await stop()
    await close()
  },
)

testOnPostgres(
  'a text written on one server is found on the others, each with its own index',
  async () => {
    const { owner, servers, urls, project_id, create, close } = await startThreeServers()
    const { api_key } = owner
    const ticket = await create(urls[0], 'Boats')
    const isFound = async (url: string, word: string) => {
      const path = `/api/v1/search/semantic?query=${word}&project_id=${project_id}`
      const { body } = await sendRequest(url, api_key, 'GET', path)
      return (body.data as { text: string }[]).some(({ text }) => text.includes(word))
    }
    const isFoundOnAll = async (word: string, serverUrls: readonly string[]) => {
      const startedAt = performance.now()
      for (const url of serverUrls)
        while (!(await isFound(url, word))) {
          if (performance.now() - startedAt > 10_000) return false
          await Bun.sleep(50)
        }
      return true
    }
    const write = (url: string, content: string) =>
      sendRequest(url, api_key, 'POST', `/api/v1/tasks/${ticket}/pages`, { content })
    for (const [at, word] of ['hawser', 'bollard', 'fender'].entries()) {
      await write(urls[at]!, `A ${word} belongs to every berth.`)
      expect([word, await isFoundOnAll(word, urls)]).toEqual([word, true])
    }
    await servers[1]!.end('SIGKILL')
    await write(urls[0], 'A cleat belongs to every berth.')
    const restarted = await startServer(owner.data)
    expect(await isFoundOnAll('cleat', [urls[0], urls[2], restarted.url])).toBe(true)
    expect(await restarted.end()).toBe(0)
    await close()
  },
)
