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
  /** The text of all events, joined. */
  text: string
  heard: TurnEvent[]
  /** The calls that were run, in order. */
  made: ToolCall[]
}

type Wishes = Partial<Turn> & { outcome?: (called: ToolCall) => CallOutcome | Promise<CallOutcome> }

/** Runs one turn and returns its end, text, events and calls. */
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
