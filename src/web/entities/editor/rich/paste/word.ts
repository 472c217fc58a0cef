import type { Element, ElementContent } from 'hast'
import { h, hasClass, isElement, mapTree, type Parent, styleOf, textOf } from './tree.ts'

const LEVEL = /mso-list:\s*l\d+\s+level(\d+)/i

interface Item {
  level: number
  isOrdered: boolean
  content: ElementContent[]
}

/** Word writes list items as paragraphs. Their mark is text that is to be ignored. */
function itemOf(node: Element): Item | undefined {
  const level = Number(LEVEL.exec(styleOf(node))?.[1])
  if (!level) return undefined
  let mark = ''
  mapTree(node, (child) => {
    if (!isElement(child) || !/mso-list:\s*ignore/i.test(styleOf(child))) return [child]
    mark = textOf(child)
    return []
  })
  return { level, isOrdered: /^\s*[\p{L}\p{N}]+[.)]/u.test(mark), content: node.children }
}

/** Builds the lists of items that follow each other. */
function listOf(items: readonly Item[]): Element[] {
  const lists: Element[] = []
  let at = 0
  while (at < items.length) {
    const { level, isOrdered, content } = items[at]!
    let end = at + 1
    while (end < items.length && items[end]!.level > level) end += 1
    const nested = listOf(items.slice(at + 1, end))
    const item = h('li', [...content, ...nested])
    const tag = isOrdered ? 'ol' : 'ul'
    const last = lists.at(-1)
    if (last?.tagName === tag) last.children.push(item)
    else lists.push(h(tag, [item]))
    at = end
  }
  return lists
}

/** Turns the paragraphs of Word into lists, titles and quotes. */
export function readWord(parent: Parent) {
  const children: Parent['children'] = []
  let items: Item[] = []
  const finish = () => {
    children.push(...listOf(items))
    items = []
  }
  for (const child of parent.children) {
    const item = isElement(child, 'p', 'div') ? itemOf(child) : undefined
    if (item) items.push(item)
    // White space between items does not end their list.
    else if (!items.length || child.type !== 'text' || child.value.trim()) {
      finish()
      if (isElement(child)) readWord(child)
      children.push((isElement(child) ? styled(child) : child) as ElementContent)
    }
  }
  finish()
  parent.children = children as ElementContent[]
}

function styled(node: Element): Element {
  if (!isElement(node, 'p')) return node
  if (hasClass(node, /^MsoTitle/)) return h('h1', node.children)
  if (hasClass(node, /^MsoSubtitle/)) return h('h2', node.children)
  if (hasClass(node, /Quote/)) return h('blockquote', [h('p', node.children)])
  return node
}
