import { Elysia } from 'elysia'
import type { Caller } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type { Called, Door } from '../door.ts'
import { detail } from './detail.ts'
import type { Feed } from './feed.ts'
import type { Source } from './source.ts'

export { Feed } from './feed.ts'
export type { Source } from './source.ts'

interface Parts {
  door: Door
  source: Source
  feed: Feed
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** Changes as they happen, to whoever may know of them. */
export function live({ door, source, feed }: Parts) {
  const open = (called: Called) =>
    door.serve(called, 'bearer or cookie', async (visit) => {
      const { request, server } = called
      const caller = visit.caller!
      const query = new URL(request.url).searchParams
      const project_id = whole('project_id', query.get('project_id'))
      if (project_id !== undefined) await visible(source, caller, project_id)
      const asked = whole('last_event_id', query.get('last_event_id'))
      // A browser that reconnects keeps the address and adds the header, which is newer.
      const last = whole('last_event_id', request.headers.get('last-event-id')) ?? asked
      const newest = await source.newest()
      // A place beyond the end is of another database, from before a restore.
      const after = Math.min(last ?? newest, newest)
      if (request.method === 'HEAD' || feed.closed) return new Response(null, { headers: HEADERS })
      server?.timeout(request, 0)
      const stream = feed.open(caller, { after, project_id }, () =>
        // Whoever does not even read the end of it is not waited for.
        server?.timeout(request, 30),
      )
      return new Response(stream.body, { headers: HEADERS })
    })
  return new Elysia({ name: 'live' })
    .get('/api/v1/events', open as never, { detail: detail as never })
    .onStop(() => feed.close())
}

function whole(field: string, text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw fault.invalid(field, 'invalid_type', `${field} must be a whole number`, text)
}

async function visible(source: Source, caller: Caller, project_id: number) {
  if (await source.sees(caller, project_id)) return
  throw fault.notFound(
    'project_id',
    `There is no board ${project_id} that you can see`,
    project_id,
    'List your boards: GET /api/v1/projects',
  )
}
