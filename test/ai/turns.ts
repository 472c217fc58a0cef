import type { Ai, Called, Ended, Heard, Outcome, Turn } from '../../src/ai/index.ts'
import { take } from '../../src/ai/index.ts'

export const PROTOCOLS = ['openai', 'anthropic'] as const

const number = { type: 'number' }
export const TOOLS = ['tasks_list', 'tasks_create'].map((name) => ({
  name,
  description: `What ${name} does`,
  schema: { type: 'object', properties: { project_id: number }, additionalProperties: true },
}))

export interface Told extends Ended {
  /** All that was said, put together. */
  text: string
  heard: Heard[]
  /** Calls that were made, in their order. */
  made: Called[]
}

type Wishes = Partial<Turn> & { outcome?: (called: Called) => Outcome | Promise<Outcome> }

/** Asks a model something, and keeps what came of it. */
export async function ask(ai: Ai, wishes: Wishes = {}): Promise<Told> {
  const heard: Heard[] = []
  const made: Called[] = []
  const { outcome, hear, ...rest } = wishes
  const ended = await take(ai, {
    system: 'You help with a board.',
    said: [{ role: 'user', text: 'What is open?' }],
    tools: () => TOOLS,
    call: async (called) => {
      made.push(called)
      return (await outcome?.(called)) ?? { state: 'answered', text: `${called.tool} is done` }
    },
    hear: (one) => {
      heard.push(one)
      hear?.(one)
    },
    signal: new AbortController().signal,
    bounds: { steps: 8, tokens: 100_000 },
    ...rest,
  })
  const text = heard.map((one) => (one.type === 'text' ? one.text : '')).join('')
  return { ...ended, text, heard, made }
}
