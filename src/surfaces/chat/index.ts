import { Elysia } from 'elysia'
import type { Caller } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { readJson } from '../body.ts'
import type { Called, Door } from '../door.ts'
import { details } from './detail.ts'
import { streamOf, type Told } from './stream.ts'

type Events = AsyncGenerator<Told>

/** What this surface needs of the chat. */
export interface Desk {
  say(caller: Caller, input: unknown, key?: string): Promise<Events>
  confirm(caller: Caller, input: unknown): Promise<Events>
  retry(caller: Caller, input: unknown): Promise<Events>
  follow(caller: Caller, input: unknown): Promise<Events>
  close(): Promise<void>
}

interface Parts {
  door: Door
  desk: Desk
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

type Ask = (caller: Caller, input: Fields, key?: string) => Promise<Events>
type Fields = Record<string, unknown>

/** Conversations with a model, each answer as a stream of what is said and done. */
export function chat({ door, desk }: Parts) {
  const open = (ask: Ask) => (called: Called) =>
    door.serve(called, 'bearer or cookie', async (visit) => {
      const { request, server } = called
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const input = inputOf(isRead ? undefined : await readJson(request), called.params)
      const key = request.headers.get('idempotency-key') ?? undefined
      if (request.method === 'HEAD') return new Response(null, { headers: HEADERS })
      const events = await ask(visit.caller!, input, key)
      server?.timeout(request, 0)
      const body = streamOf(events, () => server?.timeout(request, 30))
      return new Response(body, { headers: HEADERS })
    }) as never
  const thread = '/api/chat/threads/:thread_id'
  return new Elysia({ name: 'chat' })
    .post(
      '/api/chat',
      open((caller, input, key) => desk.say(caller, input, key)),
      hooks('say'),
    )
    .post(
      `${thread}/confirm`,
      open((caller, input) => desk.confirm(caller, input)),
      hooks('confirm'),
    )
    .post(
      `${thread}/retry`,
      open((caller, input) => desk.retry(caller, input)),
      hooks('retry'),
    )
    .get(
      `${thread}/stream`,
      open((caller, input) => desk.follow(caller, input)),
      hooks('follow'),
    )
    .onStop(() => desk.close())
}

/** The body is read here, and not by Elysia. */
const hooks = (name: keyof typeof details) => ({ parse: 'none', detail: details[name] }) as never

/** The body, and the number that stands in the address. */
function inputOf(body: unknown, { thread_id }: Record<string, string> = {}): Fields {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw fault.invalid('', 'invalid_type', 'The body must be a JSON object')
  const given = (body ?? {}) as Fields
  if (thread_id === undefined) return given
  if (!/^\d{1,10}$/.test(thread_id))
    throw fault.invalid('thread_id', 'invalid_type', 'thread_id must be a whole number', thread_id)
  if (given.thread_id !== undefined && given.thread_id !== Number(thread_id))
    throw fault.invalid(
      'thread_id',
      'conflict',
      'thread_id differs between the address and the body',
      given.thread_id,
    )
  return { ...given, thread_id: Number(thread_id) }
}
