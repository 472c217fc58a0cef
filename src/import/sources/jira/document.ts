import { taskLink } from '../../source.ts'
import { codeSpan, escapeMarkdown, type WikiContext } from './wiki-inline.ts'

/** A node of the Atlassian Document Format. */
interface Node {
  type?: string
  text?: string
  content?: Node[]
  attrs?: Record<string, unknown>
  marks?: { type?: string; attrs?: Record<string, unknown> }[]
}

/** Converts a text in the Atlassian Document Format to markdown. */
export function markdownOfDocument(document: unknown, context: WikiContext = {}): string {
  if (typeof document === 'string') return document
  if (typeof document !== 'object' || document === null) return ''
  return blocksOf((document as Node).content ?? [], context)
}

const blocksOf = (nodes: readonly Node[], context: WikiContext): string =>
  nodes
    .map((node) => blockOf(node, context))
    .filter((block) => block.trim())
    .join('\n\n')

type Convert = (node: Node, context: WikiContext) => string

const attribute = ({ attrs }: Node, name: string): string => {
  const value = attrs?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const quoted = (text: string) => text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>')
const inner: Convert = ({ content = [] }, context) => blocksOf(content, context)
const quote: Convert = (node, context) => quoted(inner(node, context))

const BLOCKS: Record<string, Convert> = {
  paragraph: ({ content = [] }, context) => safeStart(inlineOf(content, context)),
  heading: (node, context) => {
    const level = Math.min(6, Math.max(1, Number(attribute(node, 'level')) || 1))
    const text = inlineOf(node.content ?? [], context).replace(/\\\n/g, ' ')
    return `${'#'.repeat(level)} ${text}`
  },
  blockquote: quote,
  panel: quote,
  expand: (node, context) => titled(node, context),
  nestedExpand: (node, context) => titled(node, context),
  rule: () => '---',
  codeBlock: (node) => {
    const text = plainOf(node)
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
    const fence = '`'.repeat(longest + 1)
    return `${fence}${attribute(node, 'language')}\n${text}\n${fence}`
  },
  bulletList: (node, context) => listOf(node, context, () => '- '),
  orderedList: (node, context) => {
    const start = Number(attribute(node, 'order')) || 1
    return listOf(node, context, (at) => `${start + at}. `)
  },
  taskList: (node, context) => listOf(node, context, () => '- '),
  decisionList: (node, context) => listOf(node, context, () => '- '),
  table: (node, context) => tableOf(node, context),
}

function blockOf(node: Node, context: WikiContext): string {
  const convert = BLOCKS[node.type ?? '']
  if (convert) return convert(node, context)
  const isInline = node.text !== undefined || INLINE[node.type ?? ''] !== undefined
  if (isInline) return inlineOf([node], context)
  return inner(node, context)
}

const titled: Convert = (node, context) => {
  const title = attribute(node, 'title')
  return quoted(
    [title && `**${escapeMarkdown(title)}**`, inner(node, context)].filter(Boolean).join('\n\n'),
  )
}

function listOf(node: Node, context: WikiContext, bullet: (at: number) => string): string {
  return (node.content ?? [])
    .map((item, at) => {
      if (item.type === 'taskList') return listOf(item, context, bullet).replace(/^(?=.)/gm, '  ')
      const mark = bullet(at)
      const box =
        item.type === 'taskItem' ? (attribute(item, 'state') === 'DONE' ? '[x] ' : '[ ] ') : ''
      const isFlat = item.type === 'taskItem' || item.type === 'decisionItem'
      const text = isFlat ? inlineOf(item.content ?? [], context) : tightOf(item, context)
      return mark + box + text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(mark.length)}`)
    })
    .join('\n')
}

/** Renders a list item. Nested lists follow its text without a blank line. */
const tightOf = ({ content = [] }: Node, context: WikiContext): string =>
  content.reduce((text, node) => {
    const block = blockOf(node, context)
    const isList = /List$/.test(node.type ?? '')
    return text && block ? `${text}${isList ? '\n' : '\n\n'}${block}` : text || block
  }, '')

function tableOf({ content = [] }: Node, context: WikiContext): string {
  const rows = content.map(({ content: cells = [] }) => ({
    isHead: cells.every(({ type }) => type === 'tableHeader'),
    cells: cells.map((cell) => cellOf(cell, context)),
  }))
  const width = Math.max(1, ...rows.map(({ cells }) => cells.length))
  const head = rows[0]?.isHead ? rows.shift()!.cells : []
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(width)}`, ...rows.map(({ cells }) => line(cells))].join(
    '\n',
  )
}

/** Blocks in a cell become lines, since a cell of markdown is a single line. */
const cellOf = (cell: Node, context: WikiContext) =>
  inner(cell, context)
    .replace(/\\?\n+/g, '<br>')
    .replace(/\|/g, '\\|')

const INLINE: Record<string, Convert> = {
  hardBreak: () => '\\\n',
  mention: (node, { person }) => {
    const name = person?.(attribute(node, 'id')) ?? attribute(node, 'text').replace(/^@/, '')
    return `@${escapeMarkdown(name || attribute(node, 'id'))}`
  },
  emoji: (node) => attribute(node, 'text') || attribute(node, 'shortName'),
  date: (node) => {
    const time = Number(attribute(node, 'timestamp'))
    return Math.abs(time) < 8e15 ? new Date(time).toISOString().slice(0, 10) : ''
  },
  status: (node) => `**${escapeMarkdown(attribute(node, 'text'))}**`,
  inlineCard: (node, context) => cardOf(node, context),
  blockCard: (node, context) => cardOf(node, context),
  embedCard: (node, context) => cardOf(node, context),
  media: (node, { attachment }) => {
    const name = attribute(node, 'alt') || attribute(node, '__fileName') || attribute(node, 'id')
    const url = attribute(node, 'url') || attachment?.(name)
    return url ? `![${escapeMarkdown(name)}](<${url}>)` : `*${escapeMarkdown(name)}*`
  },
}
INLINE.mediaInline = INLINE.media!

function cardOf(node: Node, { isImported }: WikiContext): string {
  const url = attribute(node, 'url')
  const key = /\/browse\/([A-Z][A-Z0-9_]+-\d+)/.exec(url)?.[1]
  return key && isImported?.(key) ? `[${key}](${taskLink(key)})` : url
}

const inlineOf = (nodes: readonly Node[], context: WikiContext): string =>
  nodes
    .map((node) => {
      if (node.text !== undefined) return markedText(node, context)
      const convert = INLINE[node.type ?? '']
      return convert ? convert(node, context) : inlineOf(node.content ?? [], context)
    })
    .join('')

const MARKS: Record<string, [string, string]> = {
  strong: ['**', '**'],
  em: ['*', '*'],
  strike: ['~~', '~~'],
  underline: ['<ins>', '</ins>'],
}

function markedText({ text = '', marks = [] }: Node, context: WikiContext): string {
  const isCode = marks.some(({ type }) => type === 'code')
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (!core) return text
  let result = isCode ? codeSpan(core) : escapeMarkdown(core)
  for (const { type = '', attrs = {} } of marks) {
    const [open, close] = type === 'subsup' ? subOrSup(attrs) : (MARKS[type] ?? ['', ''])
    result = open + result + close
    const key = /\/browse\/([A-Z][A-Z0-9_]+-\d+)/.exec(String(attrs.href ?? ''))?.[1]
    const href = key && context.isImported?.(key) ? taskLink(key) : String(attrs.href ?? '')
    if (type === 'link') result = href === text ? `<${href}>` : `[${result}](<${href}>)`
  }
  return before + result + after
}

const subOrSup = ({ type }: Record<string, unknown>): [string, string] =>
  type === 'sub' ? ['<sub>', '</sub>'] : ['<sup>', '</sup>']

const plainOf = ({ text = '', content = [] }: Node): string => text + content.map(plainOf).join('')

const safeStart = (text: string) => text.replace(/^(?=(?:#{1,6}|[>+-])(?:\s|$)|>|=+$|-{2,}$)/, '\\')
