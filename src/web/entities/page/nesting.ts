import type { PageRow } from './data.ts'

/** A page with its position in the tree. */
export interface TreeNode {
  page: PageRow
  level: number
  /** Its position among its siblings, from 1, and their number. */
  position: number
  count: number
  hasChildren: boolean
  isOpen: boolean
}

/** The visible pages in order; pages nested in a closed page are left out. */
export function visibleNodes(pages: readonly PageRow[], closed: ReadonlySet<number>): TreeNode[] {
  const ids = new Set(pages.map(({ page_id }) => page_id))
  const childrenOf = Map.groupBy(pages, ({ parent_page_id: parent }) =>
    parent !== null && ids.has(parent) ? parent : null,
  )
  const nodes: TreeNode[] = []
  const addChildren = (parent: number | null, level: number) => {
    const children = childrenOf.get(parent) ?? []
    for (const [index, page] of children.entries()) {
      const hasChildren = childrenOf.has(page.page_id)
      const isOpen = hasChildren && !closed.has(page.page_id)
      nodes.push({ page, level, position: index + 1, count: children.length, hasChildren, isOpen })
      if (isOpen) addChildren(page.page_id, level + 1)
    }
  }
  addChildren(null, 1)
  return nodes
}

/** The ancestors of a page, the outermost first. */
export function ancestorsOf(pages: readonly PageRow[], parent: number | null): PageRow[] {
  const path: PageRow[] = []
  for (let next = parent; next !== null; ) {
    const page = pages.find(({ page_id }) => page_id === next)
    if (!page || path.includes(page)) break
    path.unshift(page)
    next = page.parent_page_id
  }
  return path
}

/** The ids of a page and of all pages nested in it. */
export function subtreeOf(pages: readonly PageRow[], page_id: number): Set<number> {
  const ids = new Set([page_id])
  for (const id of ids)
    for (const { page_id: child, parent_page_id } of pages)
      if (parent_page_id === id) ids.add(child)
  return ids
}

/** The effect of an arrow key in the tree; undefined for none. */
export function treeStep(nodes: readonly TreeNode[], index: number, key: string): Step | undefined {
  const node = nodes[index]!
  const to = (next: number): Step | undefined => (nodes[next] ? { to: next } : undefined)
  const { hasChildren, isOpen, level } = node
  if (key === 'ArrowDown') return to(index + 1)
  if (key === 'ArrowUp') return to(index - 1)
  if (key === 'Home') return to(0)
  if (key === 'End') return to(nodes.length - 1)
  if (key === 'ArrowRight')
    return isOpen ? to(index + 1) : hasChildren ? { toggles: true } : undefined
  if (key !== 'ArrowLeft') return undefined
  if (isOpen) return { toggles: true }
  return to(nodes.findLastIndex((node, position) => position < index && node.level < level))
}
type Step = { to: number } | { toggles: true }
