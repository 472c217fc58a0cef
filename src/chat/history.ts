import type { HistoryMessage, HistoryPart } from '../ai/types.ts'
import { isCall, type Row, type StoredPart } from '../features/conversation/chat/model/index.ts'
import type { ThreadBrief } from '../features/conversation/chat/operations/index.ts'
import { estimateTokens } from '../kernel/token-budget.ts'
import { asData } from './tools/data.ts'
import { truncateToTokens } from './truncate.ts'

/** The token limit of the history. */
const MAX_TOKENS = 12_000
/** The length of a shortened tool answer. */
const SHORT_TOKENS = 60
/** The number of tool answers of the last turn that are never shortened. */
const KEPT_ANSWERS = 3

/**
 * The messages up to `number`, as many as fit. The oldest turns are left out whole, and old tool
 * answers are shortened if necessary. An answer that continues comes last.
 */
export function historyFor({ messages, writers }: ThreadBrief, number: number): HistoryMessage[] {
  const before = messages.filter((row) => row.number <= number)
  const turns: HistoryMessage[][] = []
  for (const row of before) {
    const message = messageFrom(row, writers)
    if (!message) continue
    if (message.role === 'user' || !turns.length) turns.push([message])
    else turns.at(-1)!.push(message)
  }
  return fitTurns(turns).flat()
}

/** The newest turns that fit when shortened. Counting tokens is slow, so it stops at the limit. */
function recentTurns(turns: HistoryMessage[][]): HistoryMessage[][] {
  const last = turns.length - 1
  let room = MAX_TOKENS
  const lastOmitted = turns.findLastIndex((turn, index) => {
    room -= costIn(index === last ? turn : turn.map((message) => shorten(message)))
    return room < 0
  })
  return turns.slice(Math.min(lastOmitted + 1, last))
}

function fitTurns(allTurns: HistoryMessage[][]): HistoryMessage[][] {
  const turns = recentTurns(allTurns)
  const last = turns.length - 1
  let excess = turns.reduce((sum, turn) => sum + costIn(turn), 0) - MAX_TOKENS
  const shorter = turns.map((turn, index) => {
    if (excess <= 0 || index === last) return turn
    const short = turn.map((message) => shorten(message))
    excess -= costIn(turn) - costIn(short)
    return short
  })
  if (excess > 0) shorter.push(shorter.pop()!.map((message) => shorten(message, KEPT_ANSWERS)))
  return shorter
}

const costIn = (turn: readonly HistoryMessage[]) =>
  turn.reduce((sum, message) => sum + estimateTokens(textOf(message)) + 8, 0)

const textOf = (message: HistoryMessage): string =>
  message.role === 'user'
    ? message.text
    : message.parts
        .map((part) => ('text' in part ? part.text : `${JSON.stringify(part.input)}${part.answer}`))
        .join('\n')

/** Shortens the tool answers of a message, except for the last ones. */
function shorten(message: HistoryMessage, last = 0): HistoryMessage {
  if (message.role === 'user') return message
  const fullParts = message.parts
    .filter((part) => 'answer' in part)
    .slice(last ? -last : message.parts.length)
  const parts = message.parts.map((part) =>
    'text' in part || fullParts.includes(part) || estimateTokens(part.answer) <= SHORT_TOKENS * 2
      ? part
      : {
          ...part,
          answer: asData('shortened', truncateToTokens(withoutFence(part.answer), SHORT_TOKENS)),
        },
  )
  return { ...message, parts }
}

/** Removes the fence, which truncation would break. */
const withoutFence = (answer: string) => answer.replace(/<\/?data\b[^>]*>\n?/g, '')

function messageFrom(row: Row, writers: ThreadBrief['writers']): HistoryMessage | undefined {
  if (row.role === 'assistant') {
    const parts = row.parts.flatMap(partsFrom)
    return parts.length ? { role: 'assistant', parts } : undefined
  }
  const text = row.parts.map((part) => (isCall(part) ? '' : (part.read ?? part.text))).join('\n')
  if (row.role === 'person') return { role: 'user', text }
  const name = writers.get(row.actor_id ?? 0)?.name ?? 'An agent'
  return { role: 'user', text: `An agent answered here:\n${asData(name, text)}` }
}

const UNANSWERED = 'Nothing came of this call.'
const UNDONE_NOTE = ' (Undone by the person since.)'

function partsFrom(part: StoredPart): HistoryPart[] {
  if (!isCall(part)) return part.text ? [{ text: part.text }] : []
  const { call_id, tool, input, answer = UNANSWERED, state } = part
  return [{ call_id, tool, input, answer: state === 'undone' ? answer + UNDONE_NOTE : answer }]
}
