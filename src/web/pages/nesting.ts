import type { PageRow } from './data.ts'

/** A page where it stands among the others. */
export interface Node {
  page: PageRow
  level: number
  /** Its place among those beside it, from 1, and how many they are. */
  place: number
  count: number
  hasChildren: boolean
  isOpen: boolean
}

/** The pages that are seen, from above: those in a closed page are not. */
export function nodesOf(pages: readonly PageRow[], closed: ReadonlySet<number>): Node[] {
  const here = new Set(pages.map(({ page_id }) => page_id))
  const under = Map.groupBy(pages, ({ parent_page_id: parent }) =>
    parent !== null && here.has(parent) ? parent : null,
  )
  const nodes: Node[] = []
  const walk = (parent: number | null, level: number) => {
    const some = under.get(parent) ?? []
    for (const [at, page] of some.entries()) {
      const hasChildren = under.has(page.page_id)
      const isOpen = hasChildren && !closed.has(page.page_id)
      nodes.push({ page, level, place: at + 1, count: some.length, hasChildren, isOpen })
      if (isOpen) walk(page.page_id, level + 1)
    }
  }
  walk(null, 1)
  return nodes
}

/** The pages that one is nested in, the outermost first. */
export function above(pages: readonly PageRow[], parent: number | null): PageRow[] {
  const path: PageRow[] = []
  for (let next = parent; next !== null; ) {
    const page = pages.find(({ page_id }) => page_id === next)
    if (!page || path.includes(page)) break
    path.unshift(page)
    next = page.parent_page_id
  }
  return path
}

/** The page and all that is nested in it. */
export function within(pages: readonly PageRow[], page_id: number): Set<number> {
  const found = new Set([page_id])
  for (const one of found)
    for (const { page_id: child, parent_page_id } of pages)
      if (parent_page_id === one) found.add(child)
  return found
}

/** Where an arrow leads in a tree; nothing where it leads nowhere. */
export function stepIn(nodes: readonly Node[], at: number, key: string): Step | undefined {
  const node = nodes[at]!
  const to = (next: number): Step | undefined => (nodes[next] ? { to: next } : undefined)
  const { hasChildren, isOpen, level } = node
  if (key === 'ArrowDown') return to(at + 1)
  if (key === 'ArrowUp') return to(at - 1)
  if (key === 'Home') return to(0)
  if (key === 'End') return to(nodes.length - 1)
  if (key === 'ArrowRight') return isOpen ? to(at + 1) : hasChildren ? { turn: true } : undefined
  if (key !== 'ArrowLeft') return undefined
  if (isOpen) return { turn: true }
  return to(nodes.findLastIndex((one, place) => place < at && one.level < level))
}
type Step = { to: number } | { turn: true }
