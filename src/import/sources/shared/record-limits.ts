import type { Report } from '../../source.ts'
import { shorten } from './names.ts'

const MAX_TITLE = 500
const MAX_TEXT = 1_048_576

/** A title of one line. A longer one is shortened, and is complete in the description. */
export function limitTitle(
  title: string,
  description: string,
  report: Report,
): { title: string; description: string } {
  const line = title.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_TITLE) return { title: line || 'Untitled', description }
  report.lose(
    `Title "${shorten(line, 60)}"`,
    'it is longer than 500 characters; the description begins with the complete title',
  )
  const parts = [line, description].filter(Boolean)
  return { title: shorten(line, MAX_TITLE), description: parts.join('\n\n') }
}

/** A description or comment. A longer one is cut. */
export function limitText(text: string, what: string, report: Report): string {
  if (text.length <= MAX_TEXT) return text
  report.lose(what, 'its text is longer than 1,048,576 characters; the end is missing')
  return text.slice(0, MAX_TEXT)
}
