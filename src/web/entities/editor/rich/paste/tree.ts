import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast'

export type Parent = Root | Element
type Child = RootContent | ElementContent

export const isElement = (node: Nodes | undefined, ...tags: string[]): node is Element =>
  node?.type === 'element' && (!tags.length || tags.includes(node.tagName))

export const styleOf = ({ properties }: Element): string => `${properties.style ?? ''}`

export const hasClass = ({ properties }: Element, pattern: RegExp): boolean =>
  pattern.test([properties.className].flat().join(' '))

export const textOf = (node: Nodes): string => {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

export const h = (tagName: string, children: Child[], properties = {}): Element => ({
  ...{ type: 'element', tagName, properties },
  children: children as ElementContent[],
})

/** Replaces each node by those that a function returns, from the innermost ones outwards. */
export function mapTree(parent: Parent, map: (node: Child, parent: Parent) => Child[]) {
  for (const child of parent.children) if (isElement(child)) mapTree(child, map)
  parent.children = parent.children.flatMap((child) => map(child, parent)) as ElementContent[]
}
