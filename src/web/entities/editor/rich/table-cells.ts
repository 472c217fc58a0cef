import type { SyntaxNode } from '@lezer/common'
import { element } from './element.ts'
import { linkTarget } from './link-target.ts'
import { markdownParser } from './markdown-language.ts'

const TAGS: Readonly<Record<string, 'strong' | 'em' | 's' | 'code'>> = {
  StrongEmphasis: 'strong',
  Emphasis: 'em',
  Strikethrough: 's',
  InlineCode: 'code',
}

/** Renders the inline Markdown of a cell. */
export function renderInline(source: string): Node[] {
  const paragraph = markdownParser.parse(source).topNode.firstChild
  return paragraph?.name === 'Paragraph' ? nodesIn(paragraph, source) : [new Text(source)]
}

function nodesIn(parent: SyntaxNode, source: string): Node[] {
  const nodes: Node[] = []
  let at = parent.from
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.from > at) nodes.push(new Text(source.slice(at, child.from)))
    nodes.push(...nodesOf(child, source))
    at = child.to
  }
  if (at < parent.to) nodes.push(new Text(source.slice(at, parent.to)))
  return nodes
}

function nodesOf(node: SyntaxNode, source: string): Node[] {
  const { name, from, to } = node
  const tag = TAGS[name]
  if (tag) return [element(tag, {}, ...nodesIn(node, source))]
  if (/Mark$/.test(name)) return []
  if (name === 'Escape') return [new Text(source.slice(from + 1, to))]
  if (name === 'HTMLTag' && /^<br\s*\/?>$/i.test(source.slice(from, to))) return [element('br')]
  if (name === 'Link') return [linkOf(node, source)]
  return [new Text(source.slice(from, to))]
}

function linkOf(node: SyntaxNode, source: string): Node {
  const [open, close] = node.getChildren('LinkMark')
  const url = node.getChild('URL')
  if (!open || !close || !url) return new Text(source.slice(node.from, node.to))
  const target = linkTarget(source.slice(url.from, url.to))
  const text = source.slice(open.to, close.from)
  return element('span', { class: 'cm-link', 'data-url': target }, text)
}
