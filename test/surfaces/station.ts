import { afterEach, expect } from 'bun:test'
import { Elysia } from 'elysia'
import pino from 'pino'
import type { Caller, Place } from '../../src/kernel/caller.ts'
import { liveSource } from '../../src/server/live.ts'
import { Feed, live } from '../../src/surfaces/live/index.ts'
import { board as bare } from '../board.ts'
import { NOON, type World, world } from '../world.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** The world with its live stream on a real socket and with short intervals. */
export async function station() {
  const played = await world()
  const { gateway, store, clock } = played
  const source = liveSource({ store, clock: clock.read, log: pino({ level: 'silent' }) })
  const feed = new Feed(source, { poll: 50, check: 100, ping: 150 })
  const app = new Elysia().use(live({ gateway, source, feed }))
  app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  stops.push(() => app.stop(true))
  return { ...played, feed, server: app, port: app.server!.port! }
}
type Station = Awaited<ReturnType<typeof station>>

interface Heard {
  id: number
  event: string
  data: { id: number; type: string; project_id: number | null; actor: object; data: object }
}

export async function listen(at: Station, who: { secret: string }, path = '', headers = {}) {
  const connection = new AbortController()
  stops.push(() => connection.abort())
  const response = await fetch(`http://127.0.0.1:${at.port}/api/v1/events${path}`, {
    headers: { authorization: `Bearer ${who.secret}`, ...headers },
    signal: connection.signal,
  })
  const heard: Heard[] = []
  const stream = { response, heard, raw: '', ended: false, close: () => connection.abort() }
  const read = async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of response.body!) {
      const text = decoder.decode(bytes, { stream: true })
      stream.raw += text
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop()!
      heard.push(...blocks.flatMap(parsed))
    }
  }
  if (response.ok)
    void read()
      .then(() => (stream.ended = true))
      .catch(() => (stream.ended = true))
  return stream
}

function parsed(block: string): Heard[] {
  const lines = block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string])
  const { id, event, data } = Object.fromEntries(lines)
  return event && data ? [{ id: Number(id), event, data: JSON.parse(data) }] : []
}

export const until = async (true_: () => boolean) => {
  for (let i = 0; i < 300 && !true_(); i++) await Bun.sleep(10)
  expect(true_()).toBe(true)
}

export const happens = (
  at: World,
  who: { caller: Caller },
  type: string,
  place: Place,
  data = {},
) => at.store.write((tx) => at.store.append(tx, who.caller, NOON, [{ type, place, data }]))

export async function board(at: World, access: 'team' | 'invited' = 'team') {
  const { team_id, project_id } = await bare(at, 'A board', { access })
  return { team_id, project_id }
}
