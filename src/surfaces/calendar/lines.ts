/** Lines and values of iCalendar: RFC 5545, 3.1 and 3.3. */
const MAX_OCTETS = 75
const encoder = new TextEncoder()

/** A content line. Long lines are folded, never within a character. */
export function line(text: string): string {
  if (text.length * 3 <= MAX_OCTETS || encoder.encode(text).length <= MAX_OCTETS)
    return `${text}\r\n`
  let folded = ''
  let room = MAX_OCTETS
  for (const character of text) {
    const octets = octetsOf(character.codePointAt(0)!)
    if (octets > room) {
      folded += '\r\n '
      // The space counts as well.
      room = MAX_OCTETS - 1
    }
    folded += character
    room -= octets
  }
  return `${folded}\r\n`
}

const octetsOf = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the ones to replace
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]/g

/** Escapes a text value. Control characters, which are not allowed, become spaces. */
export const escapeText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** Converts `2026-11-20T12:00:00` or `2026-11-20T12:00:00.000Z` to the basic format. */
export function basicDateTime(moment: string): string {
  const [date = '', clock = ''] = moment.replace('Z', '').split('T')
  const [hour = '00', minute = '00', second = '00'] = clock.split(/[:.]/)
  return `${basicDate(date)}T${hour}${minute}${second}${moment.endsWith('Z') ? 'Z' : ''}`
}

export const basicDate = (date: string) => date.replaceAll('-', '')
