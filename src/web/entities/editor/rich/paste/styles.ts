import type { Element, ElementContent } from 'hast'
import { h, isElement, styleOf } from './tree.ts'

const BOLD = /font-weight:\s*(bold|[6-9]00)/i
const NOT_BOLD = /font-weight:\s*(normal|400)/i
const ITALIC = /font-style:\s*italic/i
const NOT_ITALIC = /font-style:\s*normal/i
const STRUCK = /text-decoration(-line)?:[^;]*line-through/i
const MONOSPACE =
  /font-family:[^;]*(monospace|courier|consolas|menlo|monaco|roboto mono|source code)/i

/** Editors write bold, italic and code text as styles of a span. */
export function readStyle(node: Element): ElementContent[] {
  const style = styleOf(node)
  if (isElement(node, 'b', 'strong') && NOT_BOLD.test(style)) return node.children
  if (isElement(node, 'i', 'em') && NOT_ITALIC.test(style)) return node.children
  if (!isElement(node, 'span', 'font')) return [node]
  let children = node.children
  if (MONOSPACE.test(style)) children = [h('code', children)]
  if (STRUCK.test(style)) children = [h('del', children)]
  if (ITALIC.test(style)) children = [h('em', children)]
  if (BOLD.test(style)) children = [h('strong', children)]
  return children
}

/** Code editors copy lines in a monospace font, with their white space. */
export const isCode = (node: Element): boolean =>
  MONOSPACE.test(styleOf(node)) && /white-space:\s*pre/i.test(styleOf(node))
