import { fault } from '../../../../kernel/fault.ts'

/** Accepts IANA names only. An offset such as +02:00 would be wrong half of the year. */
export function parseTimeZone(text: string): string {
  if (/^[A-Za-z]/.test(text) && isZone(text)) return text
  throw fault.invalid(
    'time_zone',
    'invalid_format',
    `time_zone is not a known time zone: ${text}`,
    text,
    'Use an IANA name such as Europe/Berlin or UTC',
  )
}

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** Other programs load the avatar, so its URL must be https and contain no credentials. */
export function parseAvatarUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && !url.username && !url.password) return url.href
  throw fault.invalid('avatar', 'invalid_format', 'avatar must be the https URL of an image', text)
}

/** Truncates a text for `hello`, where every token counts. Other calls return it in full. */
export const truncate = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1).toWellFormed()}…` : text

/** Upper estimate, as no tokenizer is included. Non-ASCII characters count several times more. */
export function estimateTokens(text: string): number {
  const nonAscii = text.replace(/[\x20-\x7e]/g, '').length
  return (text.length - nonAscii) / 3.6 + nonAscii * 1.5
}
