import { afterAll, describe, expect, test } from 'bun:test'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { type World, world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

type Fetch = CommandIO['fetch']

/** A terminal whose requests pass through `intercept` before they reach the server. */
async function terminalThrough(
  intercept: (request: Request, forward: Fetch, attempt: number) => ReturnType<Fetch>,
) {
  const w: World = await world()
  const forward: Fetch = (request) => w.app.handle(request)
  const sleeps: number[] = []
  let attempt = 0
  const { cork } = terminal(w, w.ada, {
    fetch: (request) => intercept(request, forward, ++attempt),
    sleep: async (ms) => void sleeps.push(ms),
  })
  return { w, cork, sleeps, requestCount: () => attempt }
}

const networkError = (code: string) => Object.assign(new Error('It broke'), { code })
const CREATE = ['tasks', 'create', 'HP', 'Paint']

describe('when the network fails', () => {
  test('a lost response to a create is retried and only one task is created', async () => {
    const { w, cork, sleeps } = await terminalThrough(async (request, forward) => {
      const response = await forward(request)
      const isLost = request.method === 'POST' && !response.headers.has('idempotent-replayed')
      if (isLost) throw networkError('ECONNRESET')
      return response
    })
    const { code, out } = await cork(...CREATE)
    expect([code, out]).toEqual([0, expect.stringContaining('HP-5')])
    expect(sleeps).toEqual([500])
    const { items } = await w.ada['tasks.list']({ query: 'Paint' })
    expect(items).toHaveLength(1)
  })

  test('an update is not retried, and the error says that it may have been made', async () => {
    const { cork, requestCount } = await terminalThrough(async (request, forward) => {
      if (request.method !== 'PATCH') return forward(request)
      throw networkError('ECONNRESET')
    })
    const { code, err } = await cork('tasks', 'update', 'HP-1', '--title', 'Paint')
    expect([code, requestCount()]).toEqual([1, 1])
    expect(err).toContain('The change may have been made')
  })

  test('a read fails after three attempts', async () => {
    const { cork, requestCount } = await terminalThrough(() =>
      Promise.reject(networkError('ECONNRESET')),
    )
    const { code, err } = await cork('tasks', 'list')
    expect([code, requestCount(), err]).toEqual([
      1,
      3,
      'The connection to http://localhost failed: It broke.',
    ])
  })

  test('a refused connection is not retried, and the error says how to start a server', async () => {
    const { cork, requestCount } = await terminalThrough(() =>
      Promise.reject(networkError('ConnectionRefused')),
    )
    const { code, err } = await cork('tasks', 'list')
    expect([code, requestCount()]).toEqual([1, 1])
    expect(err).toContain('No server answers at http://localhost')
    expect(err).toContain('cork serve')
  })
})

describe('when another server responds', () => {
  const respondingWith = (response: () => Response) => terminalThrough(async () => response())

  test('a response that is not from Corkboard is an error', async () => {
    const { cork } = await respondingWith(() => new Response('<h1>Hello</h1>', { status: 502 }))
    expect((await cork('tasks', 'list')).err).toContain(
      'status 502, but not like a Corkboard server',
    )
    const other = await respondingWith(() => Response.json({ hello: true }))
    expect((await other.cork('tasks', 'list')).code).toBe(1)
  })

  test('a redirect is not followed, and its target is printed', async () => {
    const modes: string[] = []
    const { cork } = await terminalThrough(async ({ redirect }) => {
      modes.push(redirect)
      return new Response(null, { status: 301, headers: { location: 'https://other.example/' } })
    })
    const { code, err } = await cork('tasks', 'list')
    expect([code, err]).toEqual([1, expect.stringContaining('https://other.example/')])
    // A real fetch would follow the redirect by default.
    expect(modes).toEqual(['manual'])
  })
})

describe('when the rate limit is exceeded', () => {
  const tooManyRequests = (retryAfter: string) =>
    Response.json(
      { success: false, error: 'Too many requests', message: 'Too many requests' },
      { status: 429, headers: { 'retry-after': retryAfter } },
    )

  test('a read waits for retry-after, says so and retries once', async () => {
    const { cork, sleeps } = await terminalThrough(async (request, forward, attempt) =>
      attempt === 1 ? tooManyRequests('3') : forward(request),
    )
    const { code, err } = await cork('tasks', 'list', '--query', 'logo')
    expect([code, err, sleeps]).toEqual([0, 'Too many requests; retrying in 3 s', [3000]])
    const busyServer = await terminalThrough(async () => tooManyRequests('3'))
    expect((await busyServer.cork('tasks', 'list')).code).toBe(1)
    expect(busyServer.requestCount()).toBe(2)
  })

  test('a write is not retried, nor is a read with a long retry-after', async () => {
    const writer = await terminalThrough(async () => tooManyRequests('3'))
    expect((await writer.cork('tasks', 'update', 'HP-1', '--title', 'x')).code).toBe(1)
    const longWait = await terminalThrough(async () => tooManyRequests('3600'))
    expect((await longWait.cork('tasks', 'list')).code).toBe(1)
    expect([writer.requestCount(), longWait.requestCount(), longWait.sleeps]).toEqual([1, 1, []])
  })
})

describe('an error', () => {
  async function adaTerminal() {
    const w = await world()
    return { w, ...terminal(w, w.ada) }
  }

  test('names the flag of a field, and a command instead of a route', async () => {
    const { cork } = await adaTerminal()
    const { code, out, err } = await cork('tasks', 'update', 'HP-1', '--due-date', 'soon')
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(
      'due_date is not a valid ISO 8601 date (--due-date). Write 2026-12-01 or 2026-12-01T15:00:00Z',
    )
    expect((await cork('tasks', 'get', 'HP-99')).err).toBe(
      'There is no task HP-99 that you can see. List tasks: cork tasks list',
    )
    expect((await cork('sections', 'list', '999')).err).toContain('cork projects list')
    // The hint of the server names a tool and a route; the CLI shows one command for both.
    expect((await cork('tasks', 'restore', 'HP-1', '999')).err).toBe(
      'The description of HP-1 has no version 999. List its versions: cork tasks versions <task>',
    )
  })

  test('suggests the commands that claim a task, with their flags and arguments', async () => {
    const { w, cork } = await adaTerminal()
    const { ticket_number } = w.tasks.logo
    await w.bot['leases.claim']({ ticket_number })
    expect((await cork('leases', 'claim', ticket_number)).err).toContain(
      'Claim another task (cork tasks next <project_id> --claim), or claim this one once it is free',
    )
    const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
    const { err } = await terminal(w, mate).cork('tasks', 'update', 'HP-2', '--title', 'Changed')
    expect(err).toEndWith('. cork leases claim HP-2, then retry')
  })

  test('is printed with --json as the REST error, to standard error', async () => {
    const { w, cork } = await adaTerminal()
    const { out, err } = await cork('tasks', 'get', 'HP-99', '--json')
    const { body } = await w.http(w.ada, 'GET', '/api/v1/tasks/HP-99')
    expect(out).toBe('')
    expect({ ...JSON.parse(err), request_id: 0 }).toEqual({ ...body, request_id: 0 })
    const usage = await cork('tasks', 'crate', '--json')
    expect([usage.code, JSON.parse(usage.err)]).toEqual([
      2,
      { success: false, error: 'Wrong usage', message: expect.stringContaining('tasks create') },
    ])
  })

  test('explains how to sign in if the key is unknown or missing', async () => {
    const { w } = await adaTerminal()
    const unknownKey = await terminal(w, { secret: 'cork_nothing' }).cork('tasks', 'list')
    expect([unknownKey.code, unknownKey.err]).toEqual([1, expect.stringContaining('cork login')])
    const noKey = await terminal(w, undefined).cork('tasks', 'list')
    expect([noKey.code, noKey.err]).toEqual([
      1,
      'You are not signed in to http://localhost. Sign in with "cork login", or set CORK_URL and CORK_TOKEN',
    ])
  })

  test('names the scope that the credential lacks', async () => {
    const { w } = await adaTerminal()
    const reader = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['tasks:read'])
    const { code, err } = await terminal(w, reader).cork('tasks', 'create', '1', 'Paint')
    expect([code, err]).toEqual([1, expect.stringContaining('lacks the scope tasks:write')])
  })
})
