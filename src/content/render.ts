import { literalMarkdown } from './literal.ts'
import { MOST_LETTERS } from './parts.ts'
import { schema } from './schema.ts'

/**
 * Markdown as HTML. Of its raw HTML, only elements that are whole and allowed are markup. `isTooMuch`
 * of what no parser should be given; raw HTML in it is as it was written.
 */
export function rendered(markdown: string): { html: string; isTooMuch: boolean } {
  const html = withoutSchemes(Bun.markdown.html(legible(markdown), { autolinks: true }))
  const literal = html.length > MOST_LETTERS ? undefined : literalMarkdown(html)
  return { html: literal ?? html, isTooMuch: literal === undefined }
}

/** Markdown takes `<xs:element/>` and `<custom:1>` for links, and hides the brackets. */
const withoutSchemes = (html: string) =>
  html.replace(/<a href="[^"]*">(([a-z][a-z\d+.-]{1,31}):[^\s<]*)<\/a>/gi, (link, text, scheme) =>
    LINKED.has(scheme.toLowerCase()) ? link : `&lt;${text}&gt;`,
  )
const LINKED = new Set(schema.protocols?.href)

const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})([^`]*)$/
const DEFINITION = /^[\s>]{0,40}\[([^[\]]{1,200})\]:[ \t]*(\S*)/
const DELIMITERS = /^[\s>]{0,40}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const ADDRESS = /[/:]|^[#<]|\.(?:html?|md|pdf|png|jpe?g|gif|svg|txt)$/i

/**
 * Marks up what markdown would swallow: a line like "[error]: timeout" is a link definition, which
 * shows nothing, and a cell that a table has no column for is dropped.
 */
function legible(markdown: string): string {
  if (!/\]:|\|/.test(markdown)) return markdown
  const lines = markdown.split('\n')
  const used = labelsIn(markdown)
  let fence: string | undefined
  let columns = 0
  const made = lines.map((line, at) => {
    const mark = FENCE.exec(line)
    if (fence !== undefined) {
      if (mark && mark[1]!.startsWith(fence) && !mark[2]!.trim()) fence = undefined
      return line
    }
    if (mark) fence = mark[1]
    if (/^ {4}|^\t/.test(line) && columns === 0) return line
    columns = columnsAt(lines, at, columns)
    return columns > 0 ? withoutSurplus(line, columns) : withoutDefinition(line, used)
  })
  return made.join('\n')
}

/** The labels that a text refers to, other than where it defines them. */
function labelsIn(markdown: string): Set<string> {
  const labels = new Set<string>()
  for (const [, label] of markdown.matchAll(/\[([^[\]]{1,200})\](?!:)/g))
    labels.add(label!.trim().toLowerCase())
  return labels
}

function withoutDefinition(line: string, used: ReadonlySet<string>): string {
  const [, label, target] = DEFINITION.exec(line) ?? []
  if (label === undefined) return line
  const isLink = used.has(label.trim().toLowerCase()) && ADDRESS.test(target!)
  return isLink ? line : line.replace('[', '\\[')
}

/** How many columns the table has that a line belongs to; none outside of tables. */
function columnsAt(lines: readonly string[], at: number, before: number): number {
  const next = lines[at + 1]
  if (before > 0) return /[^\s>]/.test(lines[at]!) ? before : 0
  if (!lines[at]!.includes('|') || !next?.includes('-') || !DELIMITERS.test(next)) return 0
  const separators = cellsIn(next).length
  return cellsIn(lines[at]!).length === separators ? separators + 1 : 0
}

/** Where the cells of a row are separated, not counting the bars at its ends. */
function cellsIn(row: string): number[] {
  const bars = [...row.matchAll(/(?<!\\)(?:\\\\)*\|/g)].map(
    ({ index, 0: bar }) => index + bar.length - 1,
  )
  const begin = row.search(/[^\s>]/)
  const end = row.trimEnd().length - 1
  return bars.filter((bar) => bar !== begin && bar !== end)
}

function withoutSurplus(row: string, columns: number): string {
  const surplus = cellsIn(row).slice(columns - 1)
  let made = ''
  let at = 0
  for (const bar of surplus) {
    made += `${row.slice(at, bar)}\\|`
    at = bar + 1
  }
  return made + row.slice(at)
}
