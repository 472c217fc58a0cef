export interface DateReader {
  /** A day, or a point in time if the text has a time of day. The zone is taken to be UTC. */
  read(text: string): string | undefined
  /** Whether the file leaves it open which number is the month. */
  isAmbiguous: boolean
}

const ISO = /^(\d{4})[-/_.](\d\d?)[-/_.](\d\d?)/
const LOCAL = /^(\d\d?)([/.-])(\d\d?)[/.-](\d{4})/
const TIME = /[ T](\d\d?):(\d\d)(?::(\d\d))?\s*([ap]m)?/i

/** Decides from all dates of a file whether the day or the month comes first in `03/04/2026`. */
export function dateReader(texts: Iterable<string>, defaultFirst: 'day' | 'month'): DateReader {
  let first: 'day' | 'month' | undefined
  let hasSlashes = false
  for (const text of texts) {
    const [, a = '', separator, b = ''] = LOCAL.exec(text) ?? []
    if (!separator) continue
    hasSlashes ||= separator === '/'
    if (Number(a) > 12 || separator === '.') first ??= 'day'
    else if (Number(b) > 12) first ??= 'month'
  }
  const isDayFirst = (first ?? defaultFirst) === 'day'
  return {
    read: (text) => readDate(text.trim(), isDayFirst),
    isAmbiguous: hasSlashes && first === undefined,
  }
}

function readDate(text: string, isDayFirst: boolean): string | undefined {
  const iso = ISO.exec(text)
  const local = LOCAL.exec(text)
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : local
      ? [local[4], local[isDayFirst ? 3 : 1], local[isDayFirst ? 1 : 3]]
      : []
  if (!year || !month || !day) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date) return undefined
  const [match, hours = '', minutes = '', seconds = '00', half] = TIME.exec(text) ?? []
  if (!match) return date
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours)
  return `${date}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}.000Z`
}
