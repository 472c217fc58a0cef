import { setImmediate } from 'node:timers/promises'
import { Elysia } from 'elysia'
import type { Caller, Server } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Called, Door } from '../door.ts'
import { Document } from './document.ts'
import type { Entry } from './event.ts'

/** Knows the feeds of everybody. */
export interface Feeds {
  find(secret: string): Promise<Reading | undefined>
}

interface Reading {
  caller: Caller
  feed_id: string
  title: string
}

interface Parts {
  dispatch: Dispatch
  door: Door
  feeds: Feeds
  /** The tasks of a feed, in portions. */
  read: AnyOperation
  server: Server
}

const MOST_EVENTS = 5000
const SECRET = /^([\w-]{43})\.ics$/

/** Tasks as calendars read them. Who asks is known by the secret in the address alone. */
export function calendar(parts: Parts) {
  const show = ({ request, route, server, params }: Called) =>
    parts.door.serve({ request, route, server }, 'open', async (visit) => {
      const secret = SECRET.exec(params!.token!)?.[1]
      const reading = secret === undefined ? undefined : await parts.feeds.find(secret)
      // Addresses that are guessed count for whoever guesses, never for a feed.
      await parts.door.count(visit, reading ? 'feed' : 'base', reading && `feed:${reading.feed_id}`)
      if (!reading) throw unknown()
      return answer(request, await written(parts, reading))
    })
  // The door keeps what stands there out of the log.
  const path = '/calendar/:token'
  const hidden = { detail: { hide: true } as never }
  return new Elysia({ name: 'calendar' })
    .get(path, show as never, hidden)
    .head(path, show as never, hidden)
}

/** Without the address, which might be right but for a letter. */
const unknown = () =>
  new Fault(
    'not_found',
    'There is no calendar at this address',
    {},
    'Make a new one: POST /api/v1/calendar/feeds, or cork calendar subscribe',
  )

async function written(parts: Parts, { caller, feed_id, title }: Reading): Promise<string> {
  const { dispatch, server, read } = parts
  const document = new Document({
    ...{ title, version: server.version },
    host: new URL(server.url).hostname,
  })
  let cursor: string | null | undefined
  do {
    const { data, page } = await dispatch(caller, read, { feed_id, ...(cursor && { cursor }) })
    for (const entry of data as Entry[]) if (document.many < MOST_EVENTS) document.add(entry)
    cursor = page?.next_cursor
    // Others are answered between two portions.
    await setImmediate()
  } while (cursor && document.many < MOST_EVENTS)
  return document.text()
}

function answer({ method, headers }: Request, text: string): Response {
  const etag = `"${new Bun.CryptoHasher('sha256').update(Buffer.from(text)).digest('base64url').slice(0, 22)}"`
  const head = { etag, 'cache-control': 'private, no-cache' }
  if (isKnown(headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: head })
  return new Response(method === 'HEAD' ? null : text, {
    headers: {
      ...head,
      'content-length': String(Buffer.byteLength(text)),
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="corkboard.ics"',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** A proxy that packs an answer marks its tag as weak. */
const isKnown = (asked: string | null, etag: string) =>
  (asked ?? '').split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
