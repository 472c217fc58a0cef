import { fault } from '../kernel/fault.ts'
import type { Cleaned, Converter, Format } from './content.ts'
import { detect } from './detect.ts'
import { literalHtml } from './literal.ts'
import { asMarkdown } from './markdown.ts'
import { tooManyParts } from './parse.ts'
import { MOST_LETTERS as MOST_PARSED } from './parts.ts'
import { plainOf } from './plain.ts'
import { rendered } from './render.ts'
import { oneLine, safe, written } from './safe.ts'

const MOST_LETTERS = 1_048_576
const MOST_MARKS = 65_536
const SHOWN = /<(img|hr|input|table)\b/

function tree(text: string, format: Format, field: string, removed = new Set<string>()) {
  const { html, isTooMuch = false } =
    format === 'markdown' ? rendered(text) : { html: literalHtml(text, removed) }
  if (html === undefined || (isTooMuch && html.length <= MOST_PARSED)) throw tooManyParts(field)
  return safe(html, field, removed)
}

const shows = (html: string) => SHOWN.test(html) || plainOf(html, 'html') !== ''

/** Markdown is stored as it was written, but only if it can be shown. */
function clean(text: string, format: Format = detect(text), field = 'text'): Cleaned {
  const removed = new Set<string>()
  const html = written(tree(text, format, field, removed))
  const made = { format, removed: format === 'markdown' ? [] : [...removed] }
  if (!shows(html)) return { ...made, text: '' }
  if (format === 'markdown') return { ...made, text }
  if (html.length <= MOST_LETTERS) return { ...made, text: html }
  const message = `${field} has more than ${MOST_LETTERS} characters once it is cleaned`
  throw fault.invalid(field, 'too_long', message)
}

/** As HTML that is safe to show. */
const html = (text: string, format: Format, field = 'text'): string =>
  written(tree(text, format, field))

/**
 * As markdown. HTML with more marks than can be escaped in good time stays HTML, which is markdown
 * too.
 */
function markdown(text: string, format: Format, field = 'text'): string {
  if (format === 'markdown') return text
  const root = tree(text, format, field)
  return marksIn(text) > MOST_MARKS ? `<div>${oneLine(root)}</div>\n` : asMarkdown(root)
}

/** Each of them is looked at from all sides before it is escaped, which takes its time. */
function marksIn(text: string): number {
  if (text.length <= MOST_MARKS) return 0
  let marks = 0
  for (const _ of text.matchAll(/[*_`[!~|\\]/g)) marks += 1
  return marks
}

export const converter: Converter = { clean, html, markdown }
