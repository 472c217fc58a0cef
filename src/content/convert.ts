import { fault } from '../kernel/fault.ts'
import type { Converter, Format } from './content.ts'
import { asMarkdown } from './markdown.ts'
import { plainOf } from './plain.ts'
import { safe, written } from './safe.ts'

const MOST_LETTERS = 1_048_576
const MOST_MARKS = 65_536
const SHOWN = /<(img|hr|input|table)\b/

/** Raw HTML in markdown comes out as it went in, so all of it is sanitised. */
const tree = (text: string, format: Format, field: string) =>
  safe(format === 'markdown' ? Bun.markdown.html(text, { autolinks: true }) : text, field)

const shows = (html: string) => SHOWN.test(html) || plainOf(html, 'html') !== ''

export const converter: Converter = {
  clean(text, given, field = 'text') {
    const format = given ?? 'html'
    // Markdown is kept as it is, but only if it can be shown.
    const html = written(tree(text, format, field))
    if (!shows(html)) return { text: '', format, removed: [] }
    if (format === 'markdown') return { text, format, removed: [] }
    if (html.length <= MOST_LETTERS) return { text: html, format, removed: [] }
    const message = `${field} has more than ${MOST_LETTERS} characters once it is cleaned`
    throw fault.invalid(field, 'too_long', message)
  },
  html: (text, format, field = 'text') => written(tree(text, format, field)),
  markdown(text, format, field = 'text') {
    if (format === 'markdown') return text
    checkMarks(text, field)
    return asMarkdown(tree(text, format, field))
  },
}

/** Each of them is looked at from all sides before it is escaped, which takes its time. */
function checkMarks(text: string, field: string): void {
  if (text.length <= MOST_MARKS) return
  let marks = 0
  for (const _ of text.matchAll(/[*_`[!~|\\]/g)) marks += 1
  if (marks > MOST_MARKS)
    throw fault.invalid(
      field,
      'too_long',
      `${field} holds ${marks} characters that mean something in markdown, more than can be escaped`,
      undefined,
      'Ask for it as html',
    )
}
