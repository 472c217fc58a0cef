import type { Report } from '../../source.ts'

const MAX_TITLE = 500
const MAX_TEXT = 1_048_576

/** A title that fits, and the description, which begins with the full title if it was cut. */
export function fitTitle(title: string, description: string) {
  const line = title.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_TITLE) return { title: line, description }
  return {
    title: `${cut(line, MAX_TITLE - 1)}…`,
    description: `**${line}**\n\n${description}`.trim(),
  }
}

export function fitText(text: string, what: string, report: Report): string {
  if (text.length <= MAX_TEXT) return text
  report.lose(what, `Only its first ${MAX_TEXT} characters are imported`)
  return cut(text, MAX_TEXT)
}

/** Cuts between characters, never within a surrogate pair. */
export const cut = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
