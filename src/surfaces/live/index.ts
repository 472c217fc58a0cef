import { Elysia } from 'elysia'
import type { Caller } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type { Gateway, IncomingRequest } from '../gateway.ts'
import { detail } from './detail.ts'
import type { Feed } from './feed.ts'
import type { Source } from './source.ts'

export { Feed } from './feed.ts'
export type { Source } from './source.ts'

interface Parts {
  gateway: Gateway
  source: Source
  feed: Feed
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** The event stream: changes as they happen, to callers that may see them. */
export function live({ gateway, source, feed }: Parts) {
  const open = (incoming: IncomingRequest) =>
    gateway.serve(incoming, 'bearer or cookie', async (context) => {
      const { request, server } = incoming
      const caller = context.caller!
      const query = new URL(request.url).searchParams
      const project_id = parseWholeNumber('project_id', query.get('project_id'))
      if (project_id !== undefined) await checkVisible(source, caller, project_id)
      const signals = parseBoolean('signals', query.get('signals'))
      const fromQuery = parseWholeNumber('last_event_id', query.get('last_event_id'))
      // A browser that reconnects keeps the query and adds the header, so the header is newer.
      const lastEventId =
        parseWholeNumber('last_event_id', request.headers.get('last-event-id')) ?? fromQuery
      const newest = await source.lastSeq()
      // A position after the end comes from another database, before a restore.
      const after = Math.min(lastEventId ?? newest, newest)
      if (request.method === 'HEAD' || feed.isClosed)
        return new Response(null, { headers: HEADERS })
      server?.timeout(request, 0)
      const stream = feed.open(caller, { after, project_id, signals }, () =>
        // A client that does not read the end of the stream is cut off after this timeout.
        server?.timeout(request, 30),
      )
      return new Response(stream.body, { headers: HEADERS })
    })
  return new Elysia({ name: 'live' })
    .get('/api/v1/events', open as never, { detail: detail as never })
    .onStop(() => feed.close())
}

function parseWholeNumber(field: string, text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw fault.invalid(field, 'invalid_type', `${field} must be a whole number`, text)
}

function parseBoolean(field: string, text: string | null): boolean {
  if (text === 'true') return true
  if (text === null || text === '' || text === 'false') return false
  throw fault.invalid(field, 'invalid_type', `${field} must be true or false`, text)
}

async function checkVisible(source: Source, caller: Caller, project_id: number) {
  if (await source.canSeeBoard(caller, project_id)) return
  throw fault.notFound(
    'project_id',
    `There is no board ${project_id} that you can see`,
    project_id,
    'List your boards: GET /api/v1/projects',
  )
}
