import type { Element, ElementContent } from 'hast'
import { h, isElement } from './tree.ts'

const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del' }
const MARKS = ['strong', 'em', 'del', 'code']
const JOINED = new Set([...MARKS, 'ul'])

const withSameName = (node: ElementContent): ElementContent =>
  isElement(node) && SAME[node.tagName] ? h(SAME[node.tagName]!, node.children) : node

/** Whether two neighbors are parts of one text, one mark or one list. */
function belongTogether(one: ElementContent | undefined, two: ElementContent): boolean {
  if (one?.type === 'text') return two.type === 'text'
  return isElement(one) && isElement(two, one.tagName) && JOINED.has(one.tagName)
}

/** Joins neighbors that belong together, and moves the space at the ends of marks out of them. */
export function joinNeighbors(children: readonly ElementContent[]): ElementContent[] {
  const joined: ElementContent[] = []
  for (const child of withoutGaps(children.map(withSameName))) {
    const last = joined.at(-1)
    if (!belongTogether(last, child)) joined.push(child)
    else if (last?.type === 'text' && child.type === 'text') last.value += child.value
    else if (isElement(last) && isElement(child)) last.children.push(...child.children)
  }
  return joined.flatMap((node) => (isElement(node, ...MARKS) ? withoutOuterSpace(node) : [node]))
}

const BLOCKS = 'p h1 h2 h3 h4 h5 h6 ul ol table blockquote div pre'.split(' ')

const isGap = (node: ElementContent) =>
  isElement(node, 'br') || (node.type === 'text' && !node.value.trim())

/** Between blocks, line breaks and white space say nothing. */
const withoutGaps = (children: readonly ElementContent[]) =>
  children.some((node) => isElement(node, ...BLOCKS))
    ? children.filter((node, at) => !isGap(node) || !isBesideBlock(children, at))
    : children

const isBesideBlock = (children: readonly ElementContent[], at: number) =>
  isElement(children[at - 1], ...BLOCKS) || isElement(children[at + 1], ...BLOCKS)

function withoutOuterSpace(mark: Element): ElementContent[] {
  const before = takeSpace(mark, 0, /^\s+/)
  const after = takeSpace(mark, mark.children.length - 1, /\s+$/)
  const isEmpty = !mark.children.some((node) => node.type !== 'text' || node.value)
  return [...before, ...(isEmpty ? [] : [mark]), ...after]
}

function takeSpace({ children }: Element, at: number, pattern: RegExp): ElementContent[] {
  const node = children[at]
  if (node?.type !== 'text') return []
  const space = pattern.exec(node.value)?.[0]
  if (!space) return []
  node.value = node.value.replace(pattern, '')
  return [{ type: 'text', value: space }]
}
