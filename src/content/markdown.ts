import type { Element, Root } from 'hast'
import { defaultHandlers, type Handle, type State, toMdast } from 'hast-util-to-mdast'
import type { Html, Nodes, PhrasingContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown } from 'mdast-util-to-markdown'
import { oneLine } from './sanitize.ts'
import { isPlainTable } from './tables.ts'

/** Converts the tree to markdown. Elements that markdown cannot express stay HTML. */
export function asMarkdown(tree: Root): string {
  const markdown = toMdast(tree, { handlers }) as Nodes
  return toMarkdown(markdown, options)
}

const options: Options = {
  bullet: '-',
  emphasis: '*',
  fences: true,
  listItemIndent: 'one',
  rule: '-',
  // Aligned columns would make every row of a table as wide as its longest cell.
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
}

const html = (value: string): Html => ({ type: 'html', value })
const inlineHtml = (value: string): Html => ({
  ...html(value),
  data: { hName: 'span' } as Html['data'],
})

const asHtmlBlock: Handle = (_, node: Element) => html(oneLine(node))

/** Keeps the tags as HTML and converts the content between them. */
const keepTags: Handle = (state, node: Element) => {
  const [open, close] = tagsOf(node)
  return [inlineHtml(open), ...(state.all(node) as PhrasingContent[]), inlineHtml(close)]
}

/** A link without an address becomes its text. */
const a: Handle = (state, node: Element) =>
  node.properties.href === undefined ? state.all(node) : defaultHandlers.a(state, node)

const details: Handle = (state, node: Element) => {
  const summary = node.children.find(isElement('summary'))
  const rest = { ...node, children: node.children.filter((child) => child !== summary) }
  const [open, close] = tagsOf(node)
  return [
    html(open + (summary ? oneLine(summary) : '')),
    ...state.toFlow(state.all(rest)),
    html(close),
  ] as ReturnType<State['all']>
}

const table: Handle = (state, node: Element) =>
  isPlainTable(node) ? defaultHandlers.table(state, node) : html(oneLine(node))

/** A table row must stay on one line, so a break in it stays HTML. */
const br: Handle = (state, node: Element) =>
  state.inTable ? inlineHtml('<br>') : defaultHandlers.br(state, node)

const isElement =
  (tag: string) =>
  (node: Element['children'][number]): node is Element =>
    node.type === 'element' && node.tagName === tag

function tagsOf(node: Element): [string, string] {
  const close = `</${node.tagName}>`
  return [oneLine({ ...node, children: [] }).slice(0, -close.length), close]
}

const INLINE = 'abbr bdi bdo cite dfn ins kbd mark q ruby rp rt samp small sub sup time u var'

const handlers: Record<string, Handle> = {
  ...Object.fromEntries(INLINE.split(' ').map((tag) => [tag, keepTags])),
  a,
  br,
  details,
  dl: asHtmlBlock,
  figure: asHtmlBlock,
  table,
}
