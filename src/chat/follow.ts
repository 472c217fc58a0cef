import {
  type Brief,
  type Call,
  type ChatEvent,
  INTERRUPTED,
  isCall,
  isDead,
  type Kept,
  type Row,
  shownPart,
} from '../features/chat/index.ts'

const LOOK_MS = 400

type Reason = Extract<ChatEvent, { type: 'done' }>['reason']

/** An answer that another process gives, or that is given already: as it is kept. */
export async function* kept(look: () => Promise<Brief>, number: number): AsyncGenerator<ChatEvent> {
  const told: string[] = []
  for (let first = true; ; first = false) {
    const { thread, messages, now } = await look()
    const row = messages.find((one) => one.number === number)
    const { thread_id, title } = thread
    if (first) yield { type: 'thread', thread_id, title, asked: null, number }
    for (const [at, part] of (row?.parts ?? []).entries()) {
      const event = news(part, told[at])
      told[at] = stateOf(part)
      if (event) yield event
    }
    const dead = isDead(thread, now)
    if (row?.state !== 'answering' || dead) {
      yield endIn(row, dead)
      return
    }
    await Bun.sleep(LOOK_MS)
  }
}

const stateOf = (part: Kept): string => (isCall(part) ? JSON.stringify(shownPart(part)) : part.text)

function news(part: Kept, before: string | undefined): ChatEvent | undefined {
  const now = stateOf(part)
  if (now === before) return undefined
  if (isCall(part)) return { type: 'call', call: shownPart(part) as Call }
  return { type: 'text', text: now.slice(before?.length ?? 0) }
}

const REASONS: Partial<Record<Row['state'], Reason>> = {
  done: 'said',
  waiting: 'waiting',
  failed: 'failed',
}

function endIn(row: Row | undefined, dead: boolean): ChatEvent {
  const { tokens_in = 0, tokens_out = 0 } = row ?? {}
  const usage = { tokens_in, tokens_out }
  if (row && dead && row.state === 'answering')
    return { type: 'done', reason: 'failed', trouble: INTERRUPTED, usage }
  const reason = (row && REASONS[row.state]) ?? 'stopped'
  return { type: 'done', reason, ...(row?.trouble && { trouble: row.trouble }), usage }
}

/** What is told where nothing is being answered. */
export async function* nothing(): AsyncGenerator<ChatEvent> {
  yield { type: 'done', reason: 'said', usage: { tokens_in: 0, tokens_out: 0 } }
}
