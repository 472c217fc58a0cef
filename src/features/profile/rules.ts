import { fault } from '../../kernel/fault.ts'

/** A zone by its IANA name; an offset such as +02:00 would be wrong half of the year. */
export function zoneOf(text: string): string {
  if (/^[A-Za-z]/.test(text) && isZone(text)) return text
  throw fault.invalid(
    'time_zone',
    'invalid_format',
    `time_zone is not the name of a time zone: ${text}`,
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

/** A language tag in its usual spelling. */
export function localeOf(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0]!
  } catch {
    throw fault.invalid(
      'locale',
      'invalid_format',
      `locale is not a language tag: ${text}`,
      text,
      'Use a BCP 47 tag such as en, de or pt-BR',
    )
  }
}

/** Shown to everybody on the board, so it may neither run code nor carry a password. */
export function avatarOf(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && !url.username && !url.password) return url.href
  throw fault.invalid(
    'avatar',
    'invalid_format',
    'avatar must be the https address of a picture',
    text,
  )
}

/** Shortened where every token counts; the full text is one call away. */
export const brief = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

/** Guessed from above, as no tokenizer is shipped: what is not ASCII costs several times more. */
export function tokensIn(text: string): number {
  const other = text.replace(/[\x20-\x7e]/g, '').length
  return (text.length - other) / 3.6 + other * 1.5
}
