import { fault } from '../kernel/fault.ts'
import type { Cleaned, Converter, Format } from './content.ts'
import { detect } from './detect.ts'
import { literalHtml } from './literal.ts'
import { asMarkdown } from './markdown.ts'
import { tooManyParts } from './parse.ts'
import { MAX_PARSED_LENGTH } from './parts.ts'
import { plainOf } from './plain.ts'
import { renderMarkdown } from './render.ts'
import { oneLine, sanitizedTree, toHtmlText } from './sanitize.ts'

const MAX_STORED = 1_048_576
const MAX_MARKS = 65_536
const VISIBLE = /<(img|hr|input|table)\b/

function toTree(text: string, format: Format, field: string, removed = new Set<string>()) {
  const { html, isTooMuch = false } =
    format === 'markdown' ? renderMarkdown(text) : { html: literalHtml(text, removed) }
  if (html === undefined || (isTooMuch && html.length <= MAX_PARSED_LENGTH))
    throw tooManyParts(field)
  return sanitizedTree(html, field, removed)
}

const isVisible = (html: string) => VISIBLE.test(html) || plainOf(html, 'html') !== ''

/** Cleans a text. Markdown stays as it was written, but must be convertible to HTML. */
function clean(text: string, format: Format = detect(text), field = 'text'): Cleaned {
  const removed = new Set<string>()
  const html = toHtmlText(toTree(text, format, field, removed))
  const result = { format, removed: format === 'markdown' ? [] : [...removed] }
  if (!isVisible(html)) return { ...result, text: '' }
  if (format === 'markdown') return { ...result, text }
  if (html.length <= MAX_STORED) return { ...result, text: html }
  const message = `${field} has more than ${MAX_STORED} characters after cleaning`
  throw fault.invalid(field, 'too_long', message)
}

/** Converts a text to HTML that is safe to show. */
const html = (text: string, format: Format, field = 'text'): string =>
  toHtmlText(toTree(text, format, field))

/**
 * Converts a text to markdown. HTML with too many characters to escape stays HTML, which is valid
 * markdown too.
 */
function markdown(text: string, format: Format, field = 'text'): string {
  if (format === 'markdown') return text
  const root = toTree(text, format, field)
  return markCountOf(text) > MAX_MARKS ? `<div>${oneLine(root)}</div>\n` : asMarkdown(root)
}

/** Counts the characters that may need escaping; checking each of them is slow. */
function markCountOf(text: string): number {
  if (text.length <= MAX_MARKS) return 0
  let marks = 0
  for (const _ of text.matchAll(/[*_`[!~|\\]/g)) marks += 1
  return marks
}

export const converter: Converter = { clean, html, markdown }
