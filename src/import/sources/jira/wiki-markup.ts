import {
  type InlineContext,
  inline,
  PLACEHOLDER,
  placeholder,
  type Verbatim,
  verbatimOf,
  type WikiContext,
} from './wiki-inline.ts'
import { isTableRow, tableOf } from './wiki-table.ts'

const VERBATIM = /(?<!\\)\{(code|noformat)(?::([^}\n]*))?\}([\s\S]*?)(?:\{\1\}|$)/g
const CONTAINERS = ['quote', 'panel', 'info', 'note', 'tip', 'warning', 'expand']
const HEADING = /^\s*h([1-6])\.\s+(.*)$/
const ITEM = /^\s*([*#]+|-|[*#][*#-]+|-[-]{0,2}(?=\s))\s+(\S.*)$/
const RULE = /^\s*-{4,}\s*$/
const QUOTE = /^\s*bq\.\s+(.*)$/

/** Converts the wiki markup of Jira to markdown. Only colors and anchors are left out. */
export function markdownOfWiki(text: string, context: WikiContext = {}): string {
  const verbatim: Verbatim[] = []
  const source = text
    .replace(/\r\n?/g, '\n')
    .replace(/[\uFDD0\uFDD1]/g, ' ')
    .replace(VERBATIM, (_, macro: string, parameters: string | undefined, content: string) => {
      verbatim.push(verbatimFrom(macro, parameters ?? '', content))
      return placeholder(verbatim.length - 1)
    })
  const markdown = blocksOf(source, { ...context, verbatim })
  // Code within other marks, such as monospace, is still a placeholder here.
  return markdown.replace(PLACEHOLDER, (token) => verbatimOf(token, verbatim).text)
}

function verbatimFrom(macro: string, parameters: string, content: string): Verbatim {
  const all = parameters.split('|')
  const named = (name: string) =>
    all.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  const language = all.find((parameter) => !parameter.includes('=')) || named('language')
  return {
    text: content.replace(/^[ \t]*\n|\n[ \t]*$/g, ''),
    language:
      macro === 'code'
        ? language
            .trim()
            .toLowerCase()
            .replace(/[^\w+#.-]/g, '')
        : '',
    title: named('title'),
  }
}

/** Searches only for those that end at all: the others would be searched to the end each time. */
function containersIn(text: string): Iterable<RegExpMatchArray & { index: number }> {
  const names = CONTAINERS.filter((name) => text.includes(`{${name}}`))
  if (!names.length) return []
  const pattern = `(?<!\\\\)\\{(${names.join('|')})(?::([^}\\n]*))?\\}([\\s\\S]*?)\\{\\1\\}`
  return text.matchAll(new RegExp(pattern, 'g'))
}

function blocksOf(text: string, context: InlineContext): string {
  const blocks: string[] = []
  let at = 0
  for (const match of containersIn(text)) {
    blocks.push(linesOf(text.slice(at, match.index), context))
    blocks.push(containerOf(match[1]!, match[2] ?? '', match[3]!, context))
    at = match.index + match[0].length
  }
  blocks.push(linesOf(text.slice(at), context))
  return blocks.filter(Boolean).join('\n\n')
}

function containerOf(
  macro: string,
  parameters: string,
  content: string,
  context: InlineContext,
): string {
  const named = /(?:^|\|)title=([^|]*)/.exec(parameters)?.[1]
  const title = named ?? (macro === 'expand' ? parameters : '')
  const inner = [title && `**${inline(title, context)}**`, blocksOf(content, context)]
  return quoted(inner.filter(Boolean).join('\n\n'))
}

const quoted = (text: string) => (text ? text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>') : '')

/** Consecutive lines of one kind. */
interface Block {
  kind: 'paragraph' | 'list' | 'table'
  lines: string[]
}

function linesOf(text: string, context: InlineContext): string {
  const blocks: string[] = []
  let open: Block | undefined
  const close = () => {
    if (open) blocks.push(rendered(open, context))
    open = undefined
  }
  for (const line of text.split('\n')) {
    const single = singleLine(line, context)
    const kind = kindOf(line, open)
    if (single !== undefined || kind === undefined || kind !== open?.kind) close()
    if (single !== undefined) blocks.push(single)
    else if (kind && open) open.lines.push(line)
    else if (kind) open = { kind, lines: [line] }
  }
  close()
  return blocks.filter(Boolean).join('\n\n')
}

function kindOf(line: string, open: Block | undefined): Block['kind'] | undefined {
  if (!line.trim()) return undefined
  if (isTableRow(line)) return 'table'
  if (open?.kind === 'table' && !open.lines.at(-1)!.trimEnd().endsWith('|')) return 'table'
  if (ITEM.test(line)) return 'list'
  return open?.kind === 'list' ? 'list' : 'paragraph'
}

/** A block of one line, if it is one. */
function singleLine(line: string, context: InlineContext): string | undefined {
  const [, level, title] = HEADING.exec(line) ?? []
  if (title !== undefined) return `${'#'.repeat(Number(level))} ${oneLine(inline(title, context))}`
  const [, quote] = QUOTE.exec(line) ?? []
  if (quote !== undefined) return quoted(hardBreaks(inline(quote, context)))
  return RULE.test(line) ? '---' : undefined
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim()

function rendered({ kind, lines }: Block, context: InlineContext): string {
  if (kind === 'table') return tableOf(lines, context)
  return kind === 'list' ? listOf(lines, context) : flowOf(lines.join('\n'), context)
}

/** A paragraph with the code blocks in it. */
function flowOf(text: string, context: InlineContext): string {
  const parts: string[] = []
  let at = 0
  const add = (part: string) => part.trim() && parts.push(hardBreaks(inline(part.trim(), context)))
  for (const match of text.matchAll(PLACEHOLDER)) {
    const code = verbatimOf(match[0], context.verbatim)
    const rest = text.slice(match.index + match[0].length).split('\n')[0]!
    const isAlone = /(^|\n)[ \t]*$/.test(text.slice(0, match.index)) && !rest.trim()
    if (!isAlone && !code.text.includes('\n')) continue
    add(text.slice(at, match.index))
    parts.push(fenced(code, context))
    at = match.index + match[0].length
  }
  add(text.slice(at))
  return parts.join('\n\n')
}

function fenced({ text, language, title }: Verbatim, context: InlineContext): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const code = `${fence}${language}\n${text}\n${fence}`
  return title ? `**${oneLine(inline(title, context))}**\n\n${code}` : code
}

/** Line breaks of Jira are visible; those of markdown only behind a backslash. */
function hardBreaks(text: string): string {
  return text
    .split('\n')
    .map((line) => safeStart(line.trim()))
    .filter((line, at, all) => line || (at > 0 && at < all.length - 1))
    .join('\\\n')
}

/** Escapes what would make a line of text a heading, a quote, a list or a rule. */
const safeStart = (line: string) =>
  line.replace(/^(?=(?:#{1,6}|[>+-])(?:\s|$)|>|=+$|-{2,}$|\|)/, '\\')

interface Item {
  markers: string
  text: string
}

function listOf(lines: readonly string[], context: InlineContext): string {
  const items: Item[] = []
  for (const line of lines) {
    const [, markers, text] = ITEM.exec(line) ?? []
    if (markers) items.push({ markers, text: text! })
    else items.at(-1)!.text += `\n${line}`
  }
  let depth = 0
  const open: string[] = []
  const rows = items.map(({ markers, text }) => {
    depth = Math.min(markers.length, depth + 1)
    open.length = Math.min(open.length, depth - 1)
    const indent = ' '.repeat(open.join('').length)
    const bullet = markers.at(-1) === '#' ? '1. ' : '- '
    open.push(bullet)
    const inner = ' '.repeat(open.join('').length)
    return indent + bullet + flowOf(text, context).replace(/\n(?!\n|$)/g, `\n${inner}`)
  })
  return rows.join('\n')
}
