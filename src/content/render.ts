import { literalMarkdown } from './literal.ts'
import { MOST_LETTERS } from './parts.ts'
import { schema } from './schema.ts'
import { markRaw, unmarkRaw } from './tags.ts'

/**
 * Markdown as HTML. Of its raw HTML, only elements that are whole and allowed are markup. `isTooMuch`
 * of what no parser should be given; raw HTML in it is as it was written.
 */
export function rendered(markdown: string): { html: string; isTooMuch: boolean } {
  const lines = markdown.replace(/\r\n?/g, '\n').replace(RESERVED, '\ufffd')
  const { text, infos } = legible(markRaw(lines))
  const html = withoutSchemes(Bun.markdown.html(text, { autolinks: true }))
  const literal = html.length > MOST_LETTERS ? undefined : literalMarkdown(html)
  const restored = restore(unmarkRaw(literal ?? html), infos)
  const isMarksAlone = literal !== undefined && showsNothing(markdown, restored)
  return {
    html: isMarksAlone ? `<p>${markdown.trim()}</p>\n` : restored,
    isTooMuch: literal === undefined,
  }
}

/** Marks without content, such as `-`, `#` or an empty code block. They are shown as text. */
const showsNothing = (markdown: string, html: string) =>
  markdown.length <= MOST_MARKS &&
  /\S/.test(markdown) &&
  !/[<&]/.test(markdown) &&
  !/<(?:hr|img|input|table)\b/.test(html) &&
  !/\S/.test(html.replace(/<[^>]*>/g, ''))
const MOST_MARKS = 200

/** Markdown takes `<xs:element/>` and `<custom:1>` for links, and hides the brackets. */
const withoutSchemes = (html: string) =>
  html.replace(/<a href="[^"]*">(([a-z][a-z\d+.-]{1,31}):[^\s<]*)<\/a>/gi, (link, text, scheme) =>
    LINKED.has(scheme.toLowerCase()) ? link : `&lt;${text}&gt;`,
  )
const LINKED = new Set(schema.protocols?.href)

/** Noncharacters that stand for characters which have a meaning in markdown, until it is rendered. */
const BRACKET = '\ufdd0'
const BAR = '\ufdd1'
const INFO = '\ufdd2'
const RESERVED = /[\ufdd0-\ufdd2]/g

const PREFIX = /(?:[\s>]|(?:[-*+]|\d{1,9}[.)])\s){0,60}/.source
const FENCE = new RegExp(
  `^(${PREFIX})(?:(\`{3,})[ \\t]*([^\\s\`][^\`]*)|(~{3,})[ \\t]*(\\S.*))$`,
  's',
)
const LANGUAGE = /^[\w+#.-]{1,40}$/
const DEFINITION = /^[\s>]{0,40}\[([^[\]]{1,200})\]:[ \t]*(\S*)/
const DELIMITERS = /^[\s>]{0,40}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const ADDRESS = /[/:]|^[#<]|\.(?:html?|md|pdf|png|jpe?g|gif|svg|txt)$/i

/**
 * Replaces what markdown would swallow by noncharacters, which `restore` turns back: a line like
 * "[error]: timeout" is a link definition, which shows nothing, a cell that a table has no column for
 * is dropped, and so are the words after the language of a code block. In code the same lines come
 * back as they were, so nothing here depends on where code begins and ends.
 */
function legible(markdown: string): { text: string; infos: string[] } {
  const infos: string[] = []
  if (!/\]:|\||`{3}|~{3}/.test(markdown)) return { text: markdown, infos }
  const lines = markdown.split('\n')
  const used = labelsIn(markdown)
  let columns = 0
  const made = lines.map((line, at) => {
    columns = columnsAt(lines, at, columns)
    if (columns > 0) return withoutSurplus(line, columns)
    return withoutInfo(withoutDefinition(line, used), infos)
  })
  return { text: made.join('\n'), infos }
}

/** Puts what a code block begins with aside, unless it is a language and nothing else. */
function withoutInfo(line: string, infos: string[]): string {
  const [, prefix, ticks, afterTicks, tildes, afterTildes] = FENCE.exec(line) ?? []
  const info = afterTicks ?? afterTildes
  if (info === undefined || LANGUAGE.test(info.trim())) return line
  return `${prefix}${ticks ?? tildes}${INFO}${infos.push(info.trimEnd()) - 1}${INFO}`
}

const MARKED = new RegExp(`(<pre><code class="language-)?${INFO}(\\d+)${INFO}(">)?`, 'g')

function restore(html: string, infos: readonly string[]): string {
  const written = html
    .replace(new RegExp(`${BRACKET}|${encodeURIComponent(BRACKET)}`, 'g'), '[')
    .replace(new RegExp(`${BAR}|${encodeURIComponent(BAR)}`, 'g'), '|')
  if (!infos.length) return written
  return written.replace(MARKED, (all, open, at, close) => {
    const info = infos[Number(at)]
    if (info === undefined) return all
    return open && close ? opened(info) : `${open ?? ''}${escaped(info)}${close ?? ''}`
  })
}

/** The beginning of a code block, with the words after its language in a line before it. */
function opened(info: string): string {
  const [first = ''] = info.split(/\s/, 1)
  const language = LANGUAGE.test(first) ? first : ''
  const words = info.slice(language.length).trim()
  const name = language && ` class="language-${language}"`
  return `<p><code>${escaped(words)}</code></p>\n<pre><code${name}>`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

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
  return isLink ? line : line.replace('[', BRACKET)
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
    made += row.slice(at, bar) + BAR
    at = bar + 1
  }
  return made + row.slice(at)
}
