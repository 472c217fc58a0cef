import {
  type Call,
  type ChatEvent,
  INTERRUPTED,
  isCall,
  isDead,
  publicPart,
  type Row,
  type StoredPart,
} from '../features/conversation/chat/model/index.ts'
import type { ThreadBrief } from '../features/conversation/chat/operations/index.ts'

const POLL_MS = 400

type Reason = Extract<ChatEvent, { type: 'done' }>['reason']

/** Follows an answer that another process generates, or that has ended, by polling the database. */
export async function* followStored(
  load: () => Promise<ThreadBrief>,
  number: number,
): AsyncGenerator<ChatEvent> {
  const sent: string[] = []
  for (let first = true; ; first = false) {
    const { thread, messages, now } = await load()
    const row = messages.find((candidate) => candidate.number === number)
    const { thread_id, title } = thread
    if (first) yield { type: 'thread', thread_id, title, asked: null, number }
    for (const [index, part] of (row?.parts ?? []).entries()) {
      const event = changeEvent(part, sent[index])
      sent[index] = stateOf(part)
      if (event) yield event
    }
    const dead = isDead(thread, now)
    if (row?.state !== 'answering' || dead) {
      yield endEvent(row, dead)
      return
    }
    await Bun.sleep(POLL_MS)
  }
}

const stateOf = (part: StoredPart): string =>
  isCall(part) ? JSON.stringify(publicPart(part)) : part.text

function changeEvent(part: StoredPart, before: string | undefined): ChatEvent | undefined {
  const now = stateOf(part)
  if (now === before) return undefined
  if (isCall(part)) return { type: 'call', call: publicPart(part) as Call }
  return { type: 'text', text: now.slice(before?.length ?? 0) }
}

const REASONS: Partial<Record<Row['state'], Reason>> = {
  done: 'said',
  waiting: 'waiting',
  failed: 'failed',
}

function endEvent(row: Row | undefined, dead: boolean): ChatEvent {
  const { tokens_in = 0, tokens_out = 0 } = row ?? {}
  const usage = { tokens_in, tokens_out }
  if (row && dead && row.state === 'answering')
    return { type: 'done', reason: 'failed', trouble: INTERRUPTED, usage }
  const reason = (row && REASONS[row.state]) ?? 'stopped'
  return { type: 'done', reason, ...(row?.trouble && { trouble: row.trouble }), usage }
}

/** The events if no answer is being generated. */
export async function* emptyEvents(): AsyncGenerator<ChatEvent> {
  yield { type: 'done', reason: 'said', usage: { tokens_in: 0, tokens_out: 0 } }
}
