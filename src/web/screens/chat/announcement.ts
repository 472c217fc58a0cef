import { t } from '../../messages/t.ts'
import type { Call, Message } from './types.ts'

const MAX_CHARS = 600

/** Describes how an answer ended, for screen readers. */
export function announcementOf({ state, parts, trouble }: Message): string {
  const waiting = parts.filter((one) => one.type === 'call' && one.state === 'waiting')
  if (waiting.length)
    return t('chat.needs_your_approval', {
      titles: waiting.map((one) => (one as Call).title).join('; '),
    })
  if (trouble) return trouble.message
  if (state === 'stopped') return t('chat.stopped')
  const text = parts.flatMap((one) => (one.type === 'text' ? one.text : [])).join(' ')
  return text.slice(0, MAX_CHARS)
}
