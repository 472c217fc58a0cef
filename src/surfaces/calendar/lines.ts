/** How iCalendar writes what it says: RFC 5545, 3.1 and 3.3. */
const MOST_OCTETS = 75
const encoder = new TextEncoder()

/** A line of content, folded where it is long, and never within a character. */
export function line(text: string): string {
  if (text.length * 3 <= MOST_OCTETS || encoder.encode(text).length <= MOST_OCTETS)
    return `${text}\r\n`
  let folded = ''
  let room = MOST_OCTETS
  for (const sign of text) {
    const octets = octetsOf(sign.codePointAt(0)!)
    if (octets > room) {
      folded += '\r\n '
      // The space counts as well.
      room = MOST_OCTETS - 1
    }
    folded += sign
    room -= octets
  }
  return `${folded}\r\n`
}

const octetsOf = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text may hold
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]/g

/** Any text as a value: what has a meaning there loses it, and what may not be there becomes a space. */
export const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** `2026-11-20T12:00:00` or `2026-11-20T12:00:00.000Z` without what is between the digits. */
export function basic(moment: string): string {
  const [date = '', clock = ''] = moment.replace('Z', '').split('T')
  const [hour = '00', minute = '00', second = '00'] = clock.split(/[:.]/)
  return `${day(date)}T${hour}${minute}${second}${moment.endsWith('Z') ? 'Z' : ''}`
}

export const day = (date: string) => date.replaceAll('-', '')
