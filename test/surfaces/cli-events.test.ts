import { afterAll, expect, test } from 'bun:test'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { type World, world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

const unauthorized = () =>
  Response.json({ success: false, error: 'x', message: 'The key was revoked' }, { status: 401 })

/** A client of the event stream, in which each of `connections` handles one request. */
async function eventTerminal(
  ...connections: ((w: World, request: Request) => Promise<Response> | Response)[]
) {
  const w = await world()
  const sleeps: number[] = []
  const lastEventIds: (string | null)[] = []
  const output: string[] = []
  const ioOverrides: Partial<CommandIO> = {
    sleep: async (ms) => {
      // Sleeping takes no time in this test, so a client without a limit would retry forever.
      if (sleeps.push(ms) > 9) throw new Error('It never stops trying')
    },
    fetch: async (request) => {
      lastEventIds.push(request.headers.get('last-event-id'))
      const handle = connections.shift()
      return handle ? handle(w, request) : w.app.handle(request)
    },
    out: (text) => output.push(text),
  }
  const { cork } = terminal(w, w.ada, ioOverrides)
  return { w, cork, sleeps, lastEventIds, output, lines: () => output.join('\n').split('\n') }
}

test('cork events --since prints the past changes, one line each, and exits', async () => {
  const { w, cork, lines } = await eventTerminal()
  const { code } = await cork('events', '--since', '0')
  expect(code).toBe(0)
  const changes = await w.changes(0)
  const matchingLines = lines().filter((line) => line.includes('HP-3'))
  const { seq } = changes.find(({ data }) => data.ticket_number === 'HP-3')!
  expect(matchingLines[0]).toMatch(
    new RegExp(`^${seq}  \\S+ \\S+  task.created  board \\d+  Ada  HP-3  Mend the broken link$`),
  )
})

test('cork events --json prints changes as the stream sends them, filtered by --project', async () => {
  const { w, cork, lines } = await eventTerminal()
  const { project_id } = w.board
  await w.ada['teams.rename']({ team_id: w.team_id, name: 'Port' })
  await cork('events', '--since', '0', '--project', 'hp', '--json')
  const changes = lines().map((line) => JSON.parse(line))
  expect(changes.map(({ project_id }) => project_id)).toEqual(changes.map(() => project_id))
  expect(changes.map(({ type }) => type)).toContain('task.created')
  expect(Object.keys(changes[0])).toEqual([
    ...['id', 'type', 'created_at', 'project_id', 'actor', 'data'],
  ])
})

test('--since with the last change prints nothing and exits', async () => {
  const { w, cork, output } = await eventTerminal()
  const last = (await w.changes(0)).at(-1)!.seq
  expect(await cork('events', '--since', String(last))).toMatchObject({ code: 0, err: '' })
  expect(output).toEqual([])
})

test('--follow reconnects after the last received change until the credential is refused', async () => {
  const cutAfterChange = async (w: World, request: Request) => {
    const { body } = await w.app.handle(request)
    const reader = body!.getReader()
    return new Response(
      new ReadableStream({
        async pull(controller) {
          const { value } = await reader.read()
          controller.enqueue(value)
          if (new TextDecoder().decode(value).includes('id: ')) controller.error(new Error('Lost'))
        },
      }),
    )
  }
  const refuseConnection = () =>
    Promise.reject(Object.assign(new Error('x'), { code: 'ConnectionRefused' }))
  const { cork, sleeps, lastEventIds, lines } = await eventTerminal(
    cutAfterChange,
    refuseConnection,
    refuseConnection,
    unauthorized,
  )
  const { code, err } = await cork('events', '--follow', '--since', '0')
  const last = lines().at(-1)!.split(' ')[0]!
  expect(Number(last)).toBeGreaterThan(0)
  expect([code, lastEventIds, sleeps]).toEqual([1, ['0', last, last, last], [2000, 4000, 8000]])
  expect(err).toContain('reconnecting in 2 s')
  expect(err).toEndWith('Sign in again with "cork login"')
})

test('missing or invalid flags are usage errors, and an unknown board is an error', async () => {
  const { cork, lastEventIds } = await eventTerminal()
  for (const words of [[], ['--since', 'noon'], ['--follow', '--since', '']])
    expect((await cork('events', ...words)).code).toBe(2)
  expect(lastEventIds).toEqual([])
  const { code, err } = await cork('events', '--follow', '--project', '999')
  expect([code, err]).toEqual([1, expect.stringContaining('There is no board 999')])
  const unknownKey = await cork('events', '--follow', '--project', 'HPP')
  expect([unknownKey.code, unknownKey.err]).toEqual([
    1,
    expect.stringContaining('no board called "HPP"'),
  ])
})

test('a stream that ends before all changes were sent is an error', async () => {
  const endAtOnce = () => new Response('retry: 2000\n\n')
  const { cork } = await eventTerminal(endAtOnce)
  const { code, err } = await cork('events', '--since', '0')
  expect([code, err]).toEqual([1, expect.stringContaining('before all changes were sent')])
})
