import type { CallOutcome, Model, ToolCall, Turn, TurnEnd, TurnEvent } from '../../src/ai/index.ts'
import { runTurn } from '../../src/ai/index.ts'

export const PROTOCOLS = ['openai', 'anthropic'] as const

const number = { type: 'number' }
export const TOOLS = ['tasks_list', 'tasks_create'].map((name) => ({
  name,
  description: `What ${name} does`,
  schema: { type: 'object', properties: { project_id: number }, additionalProperties: true },
}))

export interface Told extends TurnEnd {
  /** All that was said, put together. */
  text: string
  heard: TurnEvent[]
  /** Calls that were made, in their order. */
  made: ToolCall[]
}

type Wishes = Partial<Turn> & { outcome?: (called: ToolCall) => CallOutcome | Promise<CallOutcome> }

/** Asks a model something, and keeps what came of it. */
export async function ask(ai: Model, wishes: Wishes = {}): Promise<Told> {
  const heard: TurnEvent[] = []
  const made: ToolCall[] = []
  const { outcome, onEvent: hear, ...rest } = wishes
  const ended = await runTurn(ai, {
    system: 'You help with a board.',
    history: [{ role: 'user', text: 'What is open?' }],
    tools: () => TOOLS,
    call: async (called) => {
      made.push(called)
      return (await outcome?.(called)) ?? { state: 'answered', text: `${called.tool} is done` }
    },
    onEvent: (one) => {
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
