import type { Call, Message } from './talk.ts'

const MOST_HEARD = 600

/** How an answer ended, for whoever hears it. */
export function wordsFor({ state, parts, trouble }: Message): string {
  const waiting = parts.filter((one) => one.type === 'call' && one.state === 'waiting')
  if (waiting.length)
    return `Waits for your answer: ${waiting.map((one) => (one as Call).title).join('; ')}`
  if (trouble) return trouble.message
  if (state === 'stopped') return 'Stopped'
  const words = parts.flatMap((one) => (one.type === 'text' ? one.text : [])).join(' ')
  return words.slice(0, MOST_HEARD)
}
