import type { AssistantModelMessage, ModelMessage, SystemModelMessage, ToolModelMessage } from 'ai'
import type { HistoryMessage, HistoryPart, ToolCall } from './types.ts'

type Content = Exclude<AssistantModelMessage['content'], string>

/** Anthropic's services cache everything up to this point, so that it costs less the next time. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

export const systemMessage = (text: string): SystemModelMessage => ({
  role: 'system',
  content: text,
  providerOptions: CACHED,
})

export function toModelMessages(history: readonly HistoryMessage[]): ModelMessage[] {
  return history.flatMap((message): ModelMessage[] =>
    message.role === 'user'
      ? [{ role: 'user', content: message.text }]
      : assistantMessages(message.parts),
  )
}

/** Consecutive calls belong to one step; text after them begins the next step. */
function assistantMessages(parts: readonly HistoryPart[]): ModelMessage[] {
  const steps: HistoryPart[][] = []
  for (const part of parts) {
    const step = steps.at(-1)
    if ('text' in part && !part.text.trim()) continue
    if (!step || ('text' in part && step.some((other) => 'call_id' in other))) steps.push([part])
    else step.push(part)
  }
  return steps.flatMap((step) => {
    const calls = step.filter((part) => 'call_id' in part)
    const content = step.map((part) =>
      'text' in part ? { type: 'text' as const, text: part.text } : callPart(part),
    )
    return [{ role: 'assistant' as const, content }, ...(calls.length ? [toolResults(calls)] : [])]
  })
}

export const toolResults = (
  calls: readonly (ToolCall & { answer: string })[],
): ToolModelMessage => ({
  role: 'tool',
  content: calls.map(({ call_id, tool, answer }) => ({
    type: 'tool-result',
    toolCallId: call_id,
    toolName: tool,
    output: { type: 'text', value: answer || '(nothing)' },
  })),
})

/** Services accept only objects in a history, so unreadable input is wrapped in one. */
export const callPart = ({ call_id, tool, input }: ToolCall): Content[number] => ({
  type: 'tool-call',
  toolCallId: call_id,
  toolName: tool,
  input: isObject(input) ? input : { unreadable: String(input).slice(0, 500) },
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Some models require alternating roles, so consecutive user messages are merged. */
export function mergeUserMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      merged.splice(-1, 1, { role: 'user', content: `${last.content}\n\n${message.content}` })
    else merged.push(message)
  }
  const final = merged.pop()
  return final ? [...merged, { ...final, providerOptions: CACHED }] : []
}
