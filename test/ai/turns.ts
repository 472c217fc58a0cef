import type { CallOutcome, Model, ToolCall, Turn, TurnEnd, TurnEvent } from '../../src/ai/index.ts'
import { runTurn } from '../../src/ai/index.ts'

export const PROTOCOLS = ['openai', 'anthropic'] as const

const number = { type: 'number' }
export const TOOLS = ['tasks_list', 'tasks_create'].map((name) => ({
  name,
  description: `What ${name} does`,
  schema: { type: 'object', properties: { project_id: number }, additionalProperties: true },
}))

export interface TurnResult extends TurnEnd {
  /** The text of all events, joined. */
  text: string
  events: TurnEvent[]
  /** The calls that were run, in order. */
  calls: ToolCall[]
}

type TurnOptions = Partial<Turn> & {
  outcome?: (toolCall: ToolCall) => CallOutcome | Promise<CallOutcome>
}

/** Runs one turn and returns its end, text, events and calls. */
export async function ask(ai: Model, options: TurnOptions = {}): Promise<TurnResult> {
  const events: TurnEvent[] = []
  const calls: ToolCall[] = []
  const { outcome, onEvent: forwardEvent, ...rest } = options
  const end = await runTurn(ai, {
    system: 'You help with a board.',
    history: [{ role: 'user', text: 'What is open?' }],
    tools: () => TOOLS,
    call: async (toolCall) => {
      calls.push(toolCall)
      return (await outcome?.(toolCall)) ?? { state: 'answered', text: `${toolCall.tool} is done` }
    },
    onEvent: (event) => {
      events.push(event)
      forwardEvent?.(event)
    },
    signal: new AbortController().signal,
    bounds: { steps: 8, tokens: 100_000 },
    ...rest,
  })
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  return { ...end, text, events, calls }
}
