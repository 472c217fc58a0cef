import { literalMarkdown } from './literal.ts'
import { MAX_PARSED_LENGTH } from './parts.ts'
import { schema } from './schema.ts'
import { markRaw, unmarkRaw } from './tags.ts'

/**
 * Renders markdown as HTML. Only complete, allowed elements of its raw HTML stay markup. `isTooMuch`
 * means that the result is too large to parse and its raw HTML is unchanged.
 */
export function renderMarkdown(markdown: string): { html: string; isTooMuch: boolean } {
  const lines = markdown.replace(/\r\n?/g, '\n').replace(RESERVED, '\ufffd')
  const { text, infos } = protectText(markRaw(lines))
  const html = withoutSchemeLinks(Bun.markdown.html(text, { autolinks: true }))
  const literal = html.length > MAX_PARSED_LENGTH ? undefined : literalMarkdown(html)
  const restored = restore(unmarkRaw(literal ?? html), infos)
  const isMarksOnly = literal !== undefined && showsNothing(markdown, restored)
  return {
    html: isMarksOnly ? `<p>${markdown.trim()}</p>\n` : restored,
    isTooMuch: literal === undefined,
  }
}

/** Whether the text is markup without content, such as `-` or `#`, which is shown as text. */
const showsNothing = (markdown: string, html: string) =>
  markdown.length <= MAX_MARKS &&
  /\S/.test(markdown) &&
  !/[<&]/.test(markdown) &&
  !/<(?:hr|img|input|table)\b/.test(html) &&
  !/\S/.test(html.replace(/<[^>]*>/g, ''))
const MAX_MARKS = 200

/** Markdown takes `<xs:element/>` and `<custom:1>` for links; this turns them back into text. */
const withoutSchemeLinks = (html: string) =>
  html.replace(/<a href="[^"]*">(([a-z][a-z\d+.-]{1,31}):[^\s<]*)<\/a>/gi, (link, text, scheme) =>
    LINK_SCHEMES.has(scheme.toLowerCase()) ? link : `&lt;${text}&gt;`,
  )
const LINK_SCHEMES = new Set(schema.protocols?.href)

/** Noncharacters that replace characters with a meaning in markdown until it is rendered. */
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
 * Protects text that markdown would drop by replacing characters with noncharacters, which `restore`
 * turns back: a line like "[error]: timeout" (a link definition), cells beyond the last column of a
 * table, and words after the language of a code block. Lines in code come back unchanged, so this
 * need not know where code begins and ends.
 */
function protectText(markdown: string): { text: string; infos: string[] } {
  const infos: string[] = []
  if (!/\]:|\||`{3}|~{3}/.test(markdown)) return { text: markdown, infos }
  const lines = markdown.split('\n')
  const usedLabels = labelsIn(markdown)
  let columns = 0
  const protectedLines = lines.map((line, index) => {
    columns = columnsAt(lines, index, columns)
    if (columns > 0) return withoutSurplus(line, columns)
    return withoutInfo(withoutDefinition(line, usedLabels), infos)
  })
  return { text: protectedLines.join('\n'), infos }
}

/** Moves the info string of a code block to `infos`, unless it is only a language. */
function withoutInfo(line: string, infos: string[]): string {
  const [, prefix, ticks, afterTicks, tildes, afterTildes] = FENCE.exec(line) ?? []
  const info = afterTicks ?? afterTildes
  if (info === undefined || LANGUAGE.test(info.trim())) return line
  return `${prefix}${ticks ?? tildes}${INFO}${infos.push(info.trimEnd()) - 1}${INFO}`
}

const INFO_MARK = new RegExp(`(<pre><code class="language-)?${INFO}(\\d+)${INFO}(">)?`, 'g')

function restore(html: string, infos: readonly string[]): string {
  const unprotected = html
    .replace(new RegExp(`${BRACKET}|${encodeURIComponent(BRACKET)}`, 'g'), '[')
    .replace(new RegExp(`${BAR}|${encodeURIComponent(BAR)}`, 'g'), '|')
  if (!infos.length) return unprotected
  return unprotected.replace(INFO_MARK, (whole, open, index, close) => {
    const info = infos[Number(index)]
    if (info === undefined) return whole
    return open && close ? codeBlockStart(info) : `${open ?? ''}${escapeHtml(info)}${close ?? ''}`
  })
}

/** The beginning of a code block, with the words after its language in a line before it. */
function codeBlockStart(info: string): string {
  const [first = ''] = info.split(/\s/, 1)
  const language = LANGUAGE.test(first) ? first : ''
  const words = info.slice(language.length).trim()
  const name = language && ` class="language-${language}"`
  return `<p><code>${escapeHtml(words)}</code></p>\n<pre><code${name}>`
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The link labels that a text uses, apart from their definitions. */
function labelsIn(markdown: string): Set<string> {
  const labels = new Set<string>()
  for (const [, label] of markdown.matchAll(/\[([^[\]]{1,200})\](?!:)/g))
    labels.add(label!.trim().toLowerCase())
  return labels
}

function withoutDefinition(line: string, usedLabels: ReadonlySet<string>): string {
  const [, label, target] = DEFINITION.exec(line) ?? []
  if (label === undefined) return line
  const isLink = usedLabels.has(label.trim().toLowerCase()) && ADDRESS.test(target!)
  return isLink ? line : line.replace('[', BRACKET)
}

/** The number of columns of the table that a line belongs to; 0 outside of tables. */
function columnsAt(lines: readonly string[], at: number, before: number): number {
  const next = lines[at + 1]
  if (before > 0) return /[^\s>]/.test(lines[at]!) ? before : 0
  if (!lines[at]!.includes('|') || !next?.includes('-') || !DELIMITERS.test(next)) return 0
  const separators = separatorsOf(next).length
  return separatorsOf(lines[at]!).length === separators ? separators + 1 : 0
}

/** The positions of the bars between the cells of a row, without the bars at its ends. */
function separatorsOf(row: string): number[] {
  const bars = [...row.matchAll(/(?<!\\)(?:\\\\)*\|/g)].map(
    ({ index, 0: bar }) => index + bar.length - 1,
  )
  const begin = row.search(/[^\s>]/)
  const end = row.trimEnd().length - 1
  return bars.filter((bar) => bar !== begin && bar !== end)
}

function withoutSurplus(row: string, columns: number): string {
  const surplus = separatorsOf(row).slice(columns - 1)
  let result = ''
  let at = 0
  for (const bar of surplus) {
    result += row.slice(at, bar) + BAR
    at = bar + 1
  }
  return result + row.slice(at)
}
