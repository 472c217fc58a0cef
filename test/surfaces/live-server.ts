import { afterEach } from 'bun:test'
import { Elysia } from 'elysia'
import pino from 'pino'
import type { Caller, Place } from '../../src/kernel/caller.ts'
import type { ChangeType } from '../../src/kernel/changes.ts'
import { liveSource } from '../../src/server/live.ts'
import { Feed, live } from '../../src/surfaces/live/index.ts'
import { createBoard as createBareBoard } from '../support/board.ts'
import { NOON, type World, world } from '../support/world.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

/** The world with its live stream on a real socket and with short intervals. */
export async function startLiveServer() {
  const testWorld = await world()
  const { gateway, store, clock, signals } = testWorld
  const source = liveSource({ store, clock: clock.read, log: pino({ level: 'silent' }), signals })
  const feed = new Feed(source, { poll: 50, check: 100, ping: 150 })
  const app = new Elysia().use(live({ gateway, source, feed }))
  app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  cleanups.push(() => app.stop(true))
  return { ...testWorld, feed, server: app, port: app.server!.port! }
}
type LiveServer = Awaited<ReturnType<typeof startLiveServer>>

interface LiveEvent {
  id: number
  event: string
  data: { id: number; type: string; project_id: number | null; actor: object; data: object }
}

export async function listen(at: LiveServer, actor: { secret: string }, path = '', headers = {}) {
  const connection = new AbortController()
  cleanups.push(() => connection.abort())
  const response = await fetch(`http://127.0.0.1:${at.port}/api/v1/events${path}`, {
    headers: { authorization: `Bearer ${actor.secret}`, ...headers },
    signal: connection.signal,
  })
  const events: LiveEvent[] = []
  const stream = {
    response,
    events,
    raw: '',
    ended: false,
    close: () => connection.abort(),
  }
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of response.body!) {
      const text = decoder.decode(bytes, { stream: true })
      stream.raw += text
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop()!
      events.push(...blocks.flatMap(parseBlock))
    }
  }
  if (response.ok)
    void read()
      .then(() => (stream.ended = true))
      .catch(() => (stream.ended = true))
  return stream
}

function parseBlock(block: string): LiveEvent[] {
  const lines = block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string])
  const { id, event, data } = Object.fromEntries(lines)
  return event && data ? [{ id: Number(id), event, data: JSON.parse(data) }] : []
}

export const appendChange = (
  at: World,
  actor: { caller: Caller },
  type: ChangeType,
  place: Place,
  data = {},
) => at.store.write((tx) => at.store.append(tx, actor.caller, NOON, [{ type, place, data }]))

export async function createBoard(at: World, access: 'team' | 'invited' = 'team') {
  const { team_id, project_id } = await createBareBoard(at, 'A board', { access })
  return { team_id, project_id }
}
