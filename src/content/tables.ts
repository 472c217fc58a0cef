import type { Element, ElementContent } from 'hast'

const BLOCKS = new Set(
  'blockquote details div dl figure h1 h2 h3 h4 h5 h6 hr ol pre table ul'.split(' '),
)

/** Whether markdown can express the table: a header row, then plain rows, and no merged cells. */
export function isPlainTable(table: Element): boolean {
  const rows = rowsOf(table)
  const [head, ...others] = rows.map(elementsOf)
  return (
    !elementsOf(table).some(({ tagName }) => tagName === 'caption') &&
    head !== undefined &&
    head.every(({ tagName }) => tagName === 'th') &&
    others.flat().every(({ tagName }) => tagName === 'td') &&
    [head, ...others].flat().every(isPlainCell)
  )
}

const elementsOf = ({ children }: Element) => children.filter(isElement)
const isElement = (node: ElementContent): node is Element => node.type === 'element'

const rowsOf = (node: Element): Element[] =>
  elementsOf(node).flatMap((child) => (child.tagName === 'tr' ? [child] : rowsOf(child)))

function isPlainCell({ properties, children }: Element): boolean {
  const { colSpan = 1, rowSpan = 1 } = properties
  const [first, ...rest] = children
  // Editors put the text of every cell into a paragraph.
  const words = first && isElement(first) && first.tagName === 'p' && !rest.length ? [first] : []
  return colSpan === 1 && rowSpan === 1 && !(words[0]?.children ?? children).some(hasBlock)
}

const hasBlock = (node: ElementContent): boolean =>
  isElement(node) &&
  (BLOCKS.has(node.tagName) || node.tagName === 'p' || node.children.some(hasBlock))
