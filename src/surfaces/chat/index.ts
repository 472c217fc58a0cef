import { Elysia } from 'elysia'
import type { Caller } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { readJson } from '../body.ts'
import type { Gateway, IncomingRequest } from '../gateway.ts'
import { details } from './detail.ts'
import { type ChatEvent, streamOf } from './stream.ts'

type Events = AsyncGenerator<ChatEvent>

/** What this surface needs from the chat. */
export interface ChatService {
  say(caller: Caller, input: unknown, key?: string): Promise<Events>
  confirm(caller: Caller, input: unknown): Promise<Events>
  retry(caller: Caller, input: unknown): Promise<Events>
  follow(caller: Caller, input: unknown): Promise<Events>
  close(): Promise<void>
}

interface Parts {
  gateway: Gateway
  chatService: ChatService
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

type RunChat = (caller: Caller, input: Fields, key?: string) => Promise<Events>
type Fields = Record<string, unknown>

/** Conversations with a model. Each answer is a stream of texts and calls. */
export function chat({ gateway, chatService }: Parts) {
  const open = (run: RunChat) => (incoming: IncomingRequest) =>
    gateway.serve(incoming, 'bearer or cookie', async (context) => {
      const { request, server } = incoming
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const input = inputOf(isRead ? undefined : await readJson(request), incoming.params)
      const key = request.headers.get('idempotency-key') ?? undefined
      if (request.method === 'HEAD') return new Response(null, { headers: HEADERS })
      const events = await run(context.caller!, input, key)
      server?.timeout(request, 0)
      const body = streamOf(events, () => server?.timeout(request, 30))
      return new Response(body, { headers: HEADERS })
    }) as never
  const thread = '/api/chat/threads/:thread_id'
  return new Elysia({ name: 'chat' })
    .post(
      '/api/chat',
      open((caller, input, key) => chatService.say(caller, input, key)),
      hooks('say'),
    )
    .post(
      `${thread}/confirm`,
      open((caller, input) => chatService.confirm(caller, input)),
      hooks('confirm'),
    )
    .post(
      `${thread}/retry`,
      open((caller, input) => chatService.retry(caller, input)),
      hooks('retry'),
    )
    .get(
      `${thread}/stream`,
      open((caller, input) => chatService.follow(caller, input)),
      hooks('follow'),
    )
    .onStop(() => chatService.close())
}

/** `parse: 'none'` because the handler reads the body itself. */
const hooks = (name: keyof typeof details) => ({ parse: 'none', detail: details[name] }) as never

/** The input: the body and the thread id of the address. */
function inputOf(body: unknown, { thread_id }: Record<string, string> = {}): Fields {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw fault.invalid('', 'invalid_type', 'The body must be a JSON object')
  const fields = (body ?? {}) as Fields
  if (thread_id === undefined) return fields
  if (!/^\d{1,10}$/.test(thread_id))
    throw fault.invalid('thread_id', 'invalid_type', 'thread_id must be a whole number', thread_id)
  if (fields.thread_id !== undefined && fields.thread_id !== Number(thread_id))
    throw fault.invalid(
      'thread_id',
      'conflict',
      'thread_id differs between the address and the body',
      fields.thread_id,
    )
  return { ...fields, thread_id: Number(thread_id) }
}
