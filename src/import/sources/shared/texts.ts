import type { Report } from '../../source.ts'

const MAX_TITLE = 500
const MAX_TEXT = 1_048_576

export type ContentType = 'html' | 'markdown'

/** A text cut at a length; a character of two units is not cut in half. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${end}…`
}

export function fitText(text: string, of: string, report: Report): string {
  if (text.length <= MAX_TEXT) return text
  report.lose(`The end of a text of ${of}`, 'A text has at most 1,048,576 characters')
  return cut(text, MAX_TEXT)
}

/** Cuts a title that is too long, and keeps all of it at the top of the description. */
export function fitTitle(
  title: string,
  description: string,
  contentType: ContentType,
): { title: string; description: string } {
  const line = title.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_TITLE) return { title: line || 'Untitled', description }
  const full = contentType === 'html' ? `<p>${escapeHtml(line)}</p>` : `${line}\n\n`
  return { title: cut(line, MAX_TITLE), description: full + description }
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The file name at the end of an address. */
export function fileNameOf(url: string): string {
  const last = url.split(/[?#]/)[0]!.split('/').findLast(Boolean) ?? ''
  try {
    return cut(decodeURIComponent(last), 255) || 'file'
  } catch {
    return cut(last, 255)
  }
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&' }

/** The text of HTML without its formatting, for what is stored as plain text or markdown. */
export const plainText = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
