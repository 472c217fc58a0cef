import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { terminal } from '../terminal.ts'

export type Event = { type: string; [more: string]: unknown }
export type Turn = Event[] | { status: number; body: object } | 'cut' | Error

export const text = (words: string): Event => ({ type: 'text', text: words })
export const thread = { type: 'thread', thread_id: 7, title: 'Plan', asked: 1, number: 2 }
export const done = (reason = 'said', more: object = {}): Event => ({
  ...{ type: 'done', reason, usage: { tokens_in: 1, tokens_out: 1 } },
  ...more,
})
export const call = (call_id: string, state: string, more: object = {}): Event => ({
  type: 'call',
  call: {
    ...{ call_id, tool: 'tasks_create', title: `Create ${call_id}`, input: { title: call_id } },
    ...{ writes: true, destroys: false, state, can_undo: state === 'done', ...more },
  },
})

export const blockOf = ({ type, ...data }: Event) =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
const streamOf = (events: readonly Event[]) =>
  new Response([': ping\n\n', ...events.map(blockOf)].join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

interface Heard {
  route: string
  key: string | null
  body: Record<string, unknown>
}

/** A client of a server that responds with these turns, one per request. */
export function talker(turns: Turn[], more: Partial<CommandIO> = {}) {
  const heard: Heard[] = []
  const presses: (() => void)[] = []
  const slept: number[] = []
  const { cork, outside } = terminal(
    undefined,
    { secret: 'cork_x' },
    {
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const body = request.method === 'GET' ? {} : ((await request.json()) as Heard['body'])
        const key = request.headers.get('idempotency-key')
        heard.push({ route: `${request.method} ${pathname}${search}`, key, body })
        const turn = turns.shift()
        if (turn === undefined) throw new Error('Nothing was expected here')
        if (turn instanceof Error) throw turn
        if (turn === 'cut') return new Response(': ping\n\n')
        if (Array.isArray(turn)) return streamOf(turn)
        return Response.json(turn.body, { status: turn.status })
      },
      onInterrupt(hear) {
        presses.push(hear)
        return () => void presses.splice(presses.indexOf(hear), 1)
      },
      sleep: async (ms) => void slept.push(ms),
      ...more,
    },
  )
  return { cork, outside, heard, presses, slept, turns }
}

/** Answers the questions of the terminal with these words, one after another. */
export const typing = (...words: string[]) => {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    const word = words.shift()
    if (word === undefined) throw new Error(`Asked once more: ${question}`)
    return word
  }
  return { ask, asked }
}

export const data = (of: unknown): Turn => ({ status: 200, body: { success: true, data: of } })
export const ready = data({ configured: true, provider: 'openai', model: 'scripted' })
