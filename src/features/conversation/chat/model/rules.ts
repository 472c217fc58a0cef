import type { Call, Part, StoredCall, StoredPart, Trouble } from './schema.ts'

/**
 * How long an answer counts as being generated after it was last saved; it is renewed well before.
 */
export const BUSY_MS = 10_000
const MAX_TITLE = 60

export const INTERRUPTED: Trouble = {
  error: 'Interrupted',
  message: 'The server stopped during this answer',
  hint: 'Retry the answer: POST /api/chat/threads/{id}/retry',
}

interface Busy {
  state: string
  busy_until: Date | null
}

/** Whether the process that generated the answer is gone. */
export const isDead = ({ state, busy_until }: Busy, now: Date): boolean =>
  state === 'answering' && (busy_until === null || busy_until <= now)

/** The first words of the first message. */
export function threadTitle(text: string): string {
  const words = text.trim().split(/\s+/)
  let title = ''
  for (const word of words) {
    const longer = title ? `${title} ${word}` : word
    if (longer.length > MAX_TITLE) return `${title || word.slice(0, MAX_TITLE - 1).toWellFormed()}…`
    title = longer
  }
  return title
}

/** Parses a message that begins with /slug. */
export function parseSkillCall(text: string): { slug: string; rest: string } | undefined {
  const match = /^\s*\/([a-z0-9][a-z0-9-]*)(?:\s+([\s\S]*))?$/i.exec(text)
  return match ? { slug: match[1]!.toLowerCase(), rest: (match[2] ?? '').trim() } : undefined
}

/** The body of a skill with its arguments inserted at $ARGUMENTS, or appended. */
export function skillPrompt(body: string, rest: string): string {
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => rest)
  return rest ? `${body}\n\n${rest}` : body
}

export const isCall = (part: StoredPart): part is StoredCall => part.type === 'call'

/** A part without what only the model and the undo need. */
export function publicPart(part: StoredPart): Part {
  if (!isCall(part)) return { type: 'text', text: part.text }
  const { answer: _, undo: _undo, ...call } = part
  return call satisfies Call
}

/** Changes the state of every call that is in `from`. */
export const changeCallState = (
  parts: readonly StoredPart[],
  from: Call['state'],
  to: Partial<StoredCall>,
): StoredPart[] =>
  parts.map((part) => (isCall(part) && part.state === from ? { ...part, ...to } : part))

/** Declines the waiting calls. */
export const withoutWaiting = (parts: readonly StoredPart[]): StoredPart[] =>
  changeCallState(parts, 'waiting', {
    state: 'declined',
    answer: 'The person continued without approving this, so it was not done.',
  })

const INTERRUPTED_CALL = {
  state: 'failed',
  trouble: {
    error: 'Interrupted',
    message: 'It was interrupted and may or may not have been done',
    hint: 'Check whether it was done before you do it again',
  },
  answer: 'This was interrupted and may or may not have been done. Check before doing it again.',
} as const

/**
 * The parts of an answer that ended early: waiting calls are declined, running ones have failed.
 */
export const interruptedParts = (parts: readonly StoredPart[]): StoredPart[] =>
  withoutWaiting(changeCallState(parts, 'running', INTERRUPTED_CALL))

const DONE_STATES = ['done', 'undone']

/** What stays of an answer that is generated again: its writes, so that they are not repeated. */
export const writesOf = (parts: readonly StoredPart[]): StoredPart[] =>
  parts.filter(
    (part) =>
      isCall(part) &&
      part.writes &&
      (DONE_STATES.includes(part.state) || part.trouble?.error === INTERRUPTED_CALL.trouble.error),
  )
