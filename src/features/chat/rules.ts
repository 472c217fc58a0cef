import type { Call, Kept, KeptCall, Part, Trouble } from './schema.ts'

/** So long whoever answers is believed to be at it; said again well before that is over. */
export const BUSY_MS = 10_000
const TITLE = 60

export const INTERRUPTED: Trouble = {
  error: 'Interrupted',
  message: 'The server stopped while this was being answered',
  hint: 'Ask for the answer again: POST /api/chat/threads/{id}/retry',
}

interface Busy {
  state: string
  busy_until: Date | null
}

/** Whoever answered has died on the way. */
export const isDead = ({ state, busy_until }: Busy, now: Date): boolean =>
  state === 'answering' && (busy_until === null || busy_until <= now)

/** The first words of what is said first. */
export function titleOf(text: string): string {
  const words = text.trim().split(/\s+/)
  let title = ''
  for (const word of words) {
    const longer = title ? `${title} ${word}` : word
    if (longer.length > TITLE) return `${title || word.slice(0, TITLE - 1).toWellFormed()}…`
    title = longer
  }
  return title
}

/** A skill that is called, and what stands behind it. */
export function slugIn(text: string): { slug: string; rest: string } | undefined {
  const found = /^\s*\/([a-z0-9][a-z0-9-]*)(?:\s+([\s\S]*))?$/i.exec(text)
  return found ? { slug: found[1]!.toLowerCase(), rest: (found[2] ?? '').trim() } : undefined
}

/** What a skill says, with what stands behind its name put where it asks for it. */
export function called(body: string, rest: string): string {
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => rest)
  return rest ? `${body}\n\n${rest}` : body
}

export const isCall = (part: Kept): part is KeptCall => part.type === 'call'

/** What others see of a part. */
export function shownPart(part: Kept): Part {
  if (!isCall(part)) return { type: 'text', text: part.text }
  const { answer: _, undo: _undo, ...call } = part
  return call satisfies Call
}

/** Every call in these that is in one state comes into another. */
export const moved = (parts: readonly Kept[], from: Call['state'], to: Partial<KeptCall>): Kept[] =>
  parts.map((part) => (isCall(part) && part.state === from ? { ...part, ...to } : part))

/** Nobody waits for a yes any more. */
export const dropped = (parts: readonly Kept[]): Kept[] =>
  moved(parts, 'waiting', {
    state: 'declined',
    answer: 'The person went on without saying yes to this, so it was not done.',
  })

const UNSURE = {
  state: 'failed',
  trouble: {
    error: 'Interrupted',
    message: 'It was stopped on the way: it may have been done or not',
    hint: 'Look whether it was done before you do it again',
  },
  answer: 'This was interrupted: it may have been done or not. Look before doing it again.',
} as const

/** What was under way when an answer ended before its time. */
export const broken = (parts: readonly Kept[]): Kept[] => dropped(moved(parts, 'running', UNSURE))

const DID = ['done', 'undone']

/** What of an answer stays when it is given again: what was changed, which is not done twice. */
export const facts = (parts: readonly Kept[]): Kept[] =>
  parts.filter(
    (part) =>
      isCall(part) &&
      part.writes &&
      (DID.includes(part.state) || part.trouble?.error === UNSURE.trouble.error),
  )
