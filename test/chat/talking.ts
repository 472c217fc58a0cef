import type { Call, Trouble } from '../../src/features/chat/index.ts'
import { models } from '../ai/models.ts'
import { afterwards } from '../database.ts'
import { type World, world } from '../world.ts'

export interface Told {
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
export async function talking(provider: 'openai' | 'anthropic' = 'openai') {
  const service = models()
  afterwards(() => service.stop())
  const w = await world({ env: service.settings(provider) })
  afterwards(() => w.chatService.close())
  return { ...w, service, ...tongue(w) }
}

/** Chat requests over HTTP. All but `open` return the parsed response. */
export function tongue({ app }: Pick<World, 'app'>) {
  const open = (
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
  const hear = async (...asked: Parameters<typeof open>) => {
    const response = await open(...asked)
    return heardIn(response)
  }
  return {
    open,
    hear,
    say: (actor: { secret: string }, message: string, more: object = {}) =>
      hear(actor, 'POST', '/api/chat', { message, ...more }),
    confirm: (
      actor: { secret: string },
      thread_id: number,
      call_id: string,
      approve = true,
      more: object = {},
    ) =>
      hear(actor, 'POST', `/api/chat/threads/${thread_id}/confirm`, {
        tool_call_id: call_id,
        approve,
        ...more,
      }),
    retry: (actor: { secret: string }, thread_id: number) =>
      hear(actor, 'POST', `/api/chat/threads/${thread_id}/retry`),
  }
}

export interface Heard {
  status: number
  events: Told[]
  /** The text of the answer. */
  text: string
  /** The last state of each call, in the order of the calls. */
  calls: Call[]
  thread_id: number
  done: Told | undefined
  refusal?: Trouble
}

export async function heardIn(response: Response): Promise<Heard> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return {
      ...{ status: response.status, events: [], text: '', calls: [], thread_id: 0 },
      ...{ done: undefined, refusal: JSON.parse(text) },
    }
  const events = eventsIn(text)
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

export const eventsIn = (text: string): Told[] =>
  text.split('\n\n').flatMap((block) => {
    const found = /^event: (\w+)\ndata: (.*)$/.exec(block)
    return found ? [{ type: found[1]!, ...JSON.parse(found[2]!) }] : []
  })
