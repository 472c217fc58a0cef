import type { AssistantModelMessage, ModelMessage, SystemModelMessage, ToolModelMessage } from 'ai'
import type { Called, Said, SaidPart } from './types.ts'

type Content = Exclude<AssistantModelMessage['content'], string>

/** Services of the Anthropic kind keep what stands before this, so that it costs less again. */
const kept = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

export const systemOf = (text: string): SystemModelMessage => ({
  role: 'system',
  content: text,
  providerOptions: kept,
})

export function messagesOf(said: readonly Said[]): ModelMessage[] {
  return said.flatMap((one): ModelMessage[] =>
    one.role === 'user' ? [{ role: 'user', content: one.text }] : answerOf(one.parts),
  )
}

/** Calls that stand together belong to one step; what was said after them to the next. */
function answerOf(parts: readonly SaidPart[]): ModelMessage[] {
  const steps: SaidPart[][] = []
  for (const part of parts) {
    const step = steps.at(-1)
    if ('text' in part && !part.text.trim()) continue
    if (!step || ('text' in part && step.some((one) => 'call_id' in one))) steps.push([part])
    else step.push(part)
  }
  return steps.flatMap((step) => {
    const calls = step.filter((part) => 'call_id' in part)
    const content = step.map((part) =>
      'text' in part ? { type: 'text' as const, text: part.text } : callPart(part),
    )
    return [{ role: 'assistant' as const, content }, ...(calls.length ? [answersOf(calls)] : [])]
  })
}

export const answersOf = (calls: readonly (Called & { answer: string })[]): ToolModelMessage => ({
  role: 'tool',
  content: calls.map(({ call_id, tool, answer }) => ({
    type: 'tool-result',
    toolCallId: call_id,
    toolName: tool,
    output: { type: 'text', value: answer || '(nothing)' },
  })),
})

/** What could not be read is told as an object, as services refuse anything else in a history. */
export const callPart = ({ call_id, tool, input }: Called): Content[number] => ({
  type: 'tool-call',
  toolCallId: call_id,
  toolName: tool,
  input: isObject(input) ? input : { unreadable: String(input).slice(0, 500) },
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Some models know only conversations that go to and fro, so what one side says is put together. */
export function inTurns(messages: readonly ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      turns.splice(-1, 1, { role: 'user', content: `${last.content}\n\n${message.content}` })
    else turns.push(message)
  }
  const end = turns.pop()
  return end ? [...turns, { ...end, providerOptions: kept }] : []
}
