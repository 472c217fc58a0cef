import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { terminal } from '../support/terminal.ts'

export type Event = { type: string; [overrides: string]: unknown }
export type ScriptedResponse = Event[] | { status: number; body: object } | 'disconnect' | Error

export const text = (words: string): Event => ({ type: 'text', text: words })
export const thread = { type: 'thread', thread_id: 7, title: 'Plan', asked: 1, number: 2 }
export const done = (reason = 'said', overrides: object = {}): Event => ({
  ...{ type: 'done', reason, usage: { tokens_in: 1, tokens_out: 1 } },
  ...overrides,
})
export const call = (call_id: string, state: string, overrides: object = {}): Event => ({
  type: 'call',
  call: {
    ...{ call_id, tool: 'tasks_create', title: `Create ${call_id}`, input: { title: call_id } },
    ...{ writes: true, destroys: false, state, can_undo: state === 'done', ...overrides },
  },
})

export const formatEvent = ({ type, ...data }: Event) =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
const streamResponse = (events: readonly Event[]) =>
  new Response([': ping\n\n', ...events.map(formatEvent)].join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

interface RecordedRequest {
  route: string
  key: string | null
  body: Record<string, unknown>
}

/** A terminal whose server sends these responses, one per request. */
export function chatTerminal(responses: ScriptedResponse[], overrides: Partial<CommandIO> = {}) {
  const requests: RecordedRequest[] = []
  const interruptListeners: (() => void)[] = []
  const sleeps: number[] = []
  const { cork, io } = terminal(
    undefined,
    { secret: 'cork_x' },
    {
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const body =
          request.method === 'GET' ? {} : ((await request.json()) as RecordedRequest['body'])
        const key = request.headers.get('idempotency-key')
        requests.push({ route: `${request.method} ${pathname}${search}`, key, body })
        const response = responses.shift()
        if (response === undefined) throw new Error('No further request was expected')
        if (response instanceof Error) throw response
        if (response === 'disconnect') return new Response(': ping\n\n')
        if (Array.isArray(response)) return streamResponse(response)
        return Response.json(response.body, { status: response.status })
      },
      onInterrupt(listener) {
        interruptListeners.push(listener)
        return () => void interruptListeners.splice(interruptListeners.indexOf(listener), 1)
      },
      sleep: async (ms) => void sleeps.push(ms),
      ...overrides,
    },
  )
  return {
    cork,
    io,
    requests,
    interruptListeners,
    sleeps,
    responses,
  }
}

/** Answers the questions of the terminal in this order, and records the questions. */
export const typeAnswers = (...answers: string[]) => {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    const answer = answers.shift()
    if (answer === undefined) throw new Error(`There is no answer left for: ${question}`)
    return answer
  }
  return { ask, questions }
}

export const dataResponse = (value: unknown): ScriptedResponse => ({
  status: 200,
  body: { success: true, data: value },
})
export const readyResponse = dataResponse({
  configured: true,
  provider: 'openai',
  model: 'scripted',
})
