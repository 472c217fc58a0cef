import type { Call, Trouble } from '../../src/features/conversation/chat/model/index.ts'
import { startScriptedModel } from '../ai/scripted-model.ts'
import { addCleanup } from '../support/database.ts'
import { type World, world } from '../support/world.ts'

export interface ChatEvent {
  type: string
  thread_id?: number
  asked?: number | null
  number?: number
  text?: string
  call?: Call
  reason?: string
  trouble?: Trouble
  usage?: { tokens_in: number; tokens_out: number }
}

/** A world with a scripted model. */
export async function chatWorld(provider: 'openai' | 'anthropic' = 'openai') {
  const service = startScriptedModel()
  addCleanup(() => service.stop())
  const w = await world({ env: service.settings(provider) })
  addCleanup(() => w.chatService.close())
  return { ...w, service, ...chatClient(w) }
}

/** Sends chat requests over HTTP. All methods but `send` return the parsed response. */
export function chatClient({ app }: Pick<World, 'app'>) {
  const send = (
    actor: { secret: string } | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(actor && { authorization: `Bearer ${actor.secret}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  const request = async (...args: Parameters<typeof send>) => {
    const response = await send(...args)
    return parseResponse(response)
  }
  return {
    send,
    request,
    say: (actor: { secret: string }, message: string, overrides: object = {}) =>
      request(actor, 'POST', '/api/chat', { message, ...overrides }),
    confirm: (
      actor: { secret: string },
      thread_id: number,
      call_id: string,
      approve = true,
      overrides: object = {},
    ) =>
      request(actor, 'POST', `/api/chat/threads/${thread_id}/confirm`, {
        tool_call_id: call_id,
        approve,
        ...overrides,
      }),
    retry: (actor: { secret: string }, thread_id: number) =>
      request(actor, 'POST', `/api/chat/threads/${thread_id}/retry`),
  }
}

export interface ChatResponse {
  status: number
  events: ChatEvent[]
  /** The text of the answer. */
  text: string
  /** The last state of each call, in the order of the calls. */
  calls: Call[]
  thread_id: number
  done: ChatEvent | undefined
  refusal?: Trouble
}

export async function parseResponse(response: Response): Promise<ChatResponse> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return {
      ...{ status: response.status, events: [], text: '', calls: [], thread_id: 0 },
      ...{ done: undefined, refusal: JSON.parse(text) },
    }
  const events = parseEvents(text)
  const calls = new Map<string, Call>()
  for (const { call } of events) if (call) calls.set(call.call_id, call)
  return {
    status: response.status,
    events,
    text: events.map(({ text = '' }) => text).join(''),
    calls: [...calls.values()],
    thread_id: events.find(({ type }) => type === 'thread')?.thread_id ?? 0,
    done: events.find(({ type }) => type === 'done'),
  }
}

export const parseEvents = (text: string): ChatEvent[] =>
  text.split('\n\n').flatMap((block) => {
    const match = /^event: (\w+)\ndata: (.*)$/.exec(block)
    return match ? [{ type: match[1]!, ...JSON.parse(match[2]!) }] : []
  })
