import { setImmediate } from 'node:timers/promises'
import { Elysia } from 'elysia'
import type { Caller, Server } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Gateway, IncomingRequest } from '../gateway.ts'
import { Document } from './document.ts'
import type { Entry } from './event.ts'

export { todoWriter } from './todos.ts'

/** Looks up calendar feeds. */
export interface Feeds {
  find(secret: string): Promise<Feed | undefined>
}

interface Feed {
  caller: Caller
  feed_id: string
  title: string
}

interface Parts {
  dispatch: Dispatch
  gateway: Gateway
  feeds: Feeds
  /** The tasks of a feed, in portions. */
  read: AnyOperation
  server: Server
}

const MAX_EVENTS = 5000
const SECRET = /^([\w-]{43})\.ics$/

/** Serves calendar feeds. Only the secret in the address authenticates a request. */
export function calendar(parts: Parts) {
  const serveFeed = ({ request, route, server, params }: IncomingRequest) =>
    parts.gateway.serve({ request, route, server }, 'open', async (context) => {
      const secret = SECRET.exec(params!.token!)?.[1]
      const feed = secret === undefined ? undefined : await parts.feeds.find(secret)
      // Guessed addresses count for the client's address, never for a feed.
      await parts.gateway.count(context, feed ? 'feed' : 'base', feed && `feed:${feed.feed_id}`)
      if (!feed) throw feedNotFound()
      return answer(request, await renderFeed(parts, feed))
    })
  // The gateway masks the token in the log.
  const path = '/calendar/:token'
  const hidden = { detail: { hide: true } as never }
  return new Elysia({ name: 'calendar' })
    .get(path, serveFeed as never, hidden)
    .head(path, serveFeed as never, hidden)
}

/** The message leaves the address out, which may be correct except for one letter. */
const feedNotFound = () =>
  new Fault(
    'not_found',
    'No calendar feed at this address',
    {},
    'Create a new one: POST /api/v1/calendar/feeds, or cork calendar subscribe',
  )

async function renderFeed(parts: Parts, { caller, feed_id, title }: Feed): Promise<string> {
  const { dispatch, server, read } = parts
  const document = new Document({
    title,
    version: server.version,
    host: new URL(server.url).hostname,
  })
  let cursor: string | null | undefined
  do {
    const { data, page } = await dispatch(caller, read, { feed_id, ...(cursor && { cursor }) })
    for (const entry of data as Entry[]) if (document.eventCount < MAX_EVENTS) document.add(entry)
    cursor = page?.next_cursor
    // Other requests run between two portions.
    await setImmediate()
  } while (cursor && document.eventCount < MAX_EVENTS)
  return document.text()
}

function answer({ method, headers }: Request, text: string): Response {
  const etag = `"${new Bun.CryptoHasher('sha256').update(Buffer.from(text)).digest('base64url').slice(0, 22)}"`
  const head = { etag, 'cache-control': 'private, no-cache' }
  if (isNotModified(headers.get('if-none-match'), etag))
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

/** Weak tags match too, because compressing proxies make tags weak. */
const isNotModified = (ifNoneMatch: string | null, etag: string) =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
