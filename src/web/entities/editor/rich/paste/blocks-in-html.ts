import type { Element, ElementContent } from 'hast'
import { h, isElement, type Parent, textOf } from './tree.ts'

const isAnyElement = (node: ElementContent): node is Element => isElement(node)
const isList = (node: ElementContent): node is Element => isElement(node, 'ul', 'ol')

/** Google Docs puts nested lists beside their item. They belong into it. */
export function nestLists(list: Element): Element {
  const items: ElementContent[] = []
  for (const child of list.children) {
    const last = items.at(-1)
    if (isList(child) && isElement(last, 'li')) last.children.push(child)
    else if (isList(child)) items.push(h('li', [child]))
    else items.push(child)
  }
  return { ...list, children: items }
}

/** Google Docs puts the text of an item into a paragraph, which would loosen the list. */
export function tightItem(item: Element): Element {
  const paragraphs = item.children.filter((node) => isElement(node, 'p'))
  if (paragraphs.length !== 1) return item
  const children = item.children.flatMap((node) => (isElement(node, 'p') ? node.children : [node]))
  return { ...item, children }
}

/** Check boxes are roles in Google Docs, and text in the lists of Notion. */
export function readCheckbox(item: Element): Element {
  const { role, ariaChecked } = item.properties
  const children = item.children.filter((node) => role !== 'checkbox' || !isElement(node, 'img'))
  const typed = /^\s*\[( |x)?\]\s+/i.exec(textOf(item))
  if (role !== 'checkbox' && !typed) return item
  if (typed) removeStart({ ...item, children }, typed[0].length)
  const isChecked = typed ? typed[1]?.toLowerCase() === 'x' : `${ariaChecked}` === 'true'
  const box = h('input', [], { type: 'checkbox', checked: isChecked })
  const first = children.find((node) => isElement(node, 'p'))
  // The box belongs into the first paragraph, as in GitHub's markup.
  if (isElement(first)) first.children.unshift(box, { type: 'text', value: ' ' })
  else children.unshift(box, { type: 'text', value: ' ' })
  return { ...item, children, properties: {} }
}

function removeStart(node: Parent, length: number): number {
  let rest = length
  for (const child of node.children) {
    if (!rest) return 0
    if (child.type === 'text') {
      const removed = Math.min(rest, child.value.length)
      child.value = child.value.slice(removed)
      rest -= removed
    } else if (isElement(child)) rest = removeStart(child, rest)
  }
  return rest
}

const rowsOf = (node: Element): Element[] =>
  node.children.flatMap((child) =>
    isElement(child, 'tr') ? [child] : isElement(child) ? rowsOf(child) : [],
  )

const cellsOf = (row: Element) => row.children.filter((node) => isElement(node, 'td', 'th'))

/** The text of a cell on one line: its paragraphs are separated by line breaks. */
function inlineContent(cell: Element): ElementContent[] {
  const lines = cell.children.flatMap((node): ElementContent[][] => {
    if (!isElement(node)) return [[node]]
    const { tagName, children } = node
    if (/^[uo]l$/.test(tagName)) return children.filter(isAnyElement).map(inlineContent)
    return /^(p|div|li)$/.test(tagName) ? [inlineContent(node)] : [[node]]
  })
  const isBlock = cell.children.some((node) => isElement(node, 'p', 'div', 'ul', 'ol'))
  if (!isBlock) return cell.children
  const filled = lines.filter((line) =>
    line.some((node) => textOf(node).trim() || isElement(node, 'img')),
  )
  return filled.flatMap((line, at) => (at ? [h('br', []), ...line] : line))
}

/** A merged cell spreads over empty cells, because Markdown has no merged ones. */
function spread(cell: Element): Element[] {
  const span = Math.min(Number(cell.properties.colSpan) || 1, 50)
  return [h('td', inlineContent(cell)), ...Array.from({ length: span - 1 }, () => h('td', []))]
}

/** The first row becomes the header. A table with one cell only is layout. */
export function readTable(table: Element): ElementContent[] {
  const rows = rowsOf(table)
    .map((row) => cellsOf(row).flatMap((cell) => spread(cell as Element)))
    .filter((cells) => cells.length)
  const [head, ...others] = rows
  if (!head) return []
  if (!others.length && head.length === 1) return head[0]!.children
  const columns = Math.max(...rows.map(({ length }) => length))
  const fill = (cells: Element[], tag: string) => [
    ...cells.map(({ children }) => h(tag, children)),
    ...Array.from({ length: columns - cells.length }, () => h(tag, [])),
  ]
  return [
    h('table', [
      h('thead', [h('tr', fill(head, 'th'))]),
      h(
        'tbody',
        others.map((cells) => h('tr', fill(cells, 'td'))),
      ),
    ]),
  ]
}

const LANGUAGE = /\b(?:language|lang|highlight-source)-([\w+#-]+)/

/** Keeps the language of a code block, wherever its page puts it. */
export function readPre(pre: Element, parent: Parent): Element {
  const names = [pre, ...pre.children, ...(isElement(parent as Element) ? [parent] : [])]
    .filter((node) => isElement(node as Element))
    .flatMap((node) => [(node as Element).properties.className].flat().join(' '))
    .join(' ')
  const language = LANGUAGE.exec(names)?.[1]
  const code = { type: 'text' as const, value: lineText(pre) }
  return h('pre', [h('code', [code], language ? { className: [`language-${language}`] } : {})])
}

/** The text of a code block. A block element or a break ends a line. */
function lineText(node: Element): string {
  return node.children
    .map((child) => {
      if (child.type === 'text') return child.value
      if (!isElement(child)) return ''
      if (child.tagName === 'br') return '\n'
      return lineText(child) + (isElement(child, 'div', 'p') ? '\n' : '')
    })
    .join('')
    .replace(/\u00a0/g, ' ')
}
