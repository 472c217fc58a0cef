import type { Column } from '../../record.ts'
import type { Report } from '../../source.ts'
import { cut } from '../shared/task-limits.ts'
import type { Category, Issue } from './issue.ts'
import { categoryRank, guessCategory } from './statuses.ts'

export interface Columns {
  list: Column[]
  of(status: string): Column
}

const MAX_COLUMNS = 50

interface Status {
  name: string
  category: Category
}

/** The statuses of a project as columns: those not begun first, those that are done last. */
export function columnsOf(
  issues: readonly Issue[],
  known: readonly { name: string; category?: Category }[] = [],
  report: Report,
): Columns {
  const statuses = new Map<string, Status>()
  const used = issues.map(({ status, category }) => ({ name: status, category }))
  for (const { name, category } of [...known, ...used])
    if (!statuses.has(keyOf(name)))
      statuses.set(keyOf(name), { name, category: category ?? guessCategory(name) })
  const sorted = [...statuses.values()].toSorted(
    (a, b) => categoryRank(a.category) - categoryRank(b.category),
  )
  if (!sorted.some(({ category }) => category === 'done'))
    sorted.push({ name: 'Done', category: 'done' })
  return withLimit(sorted, report)
}

const keyOf = (name: string) => cut(name, 200).toLowerCase()

function withLimit(sorted: readonly Status[], report: Report): Columns {
  const columns = new Map<string, Column>()
  const byCategory = new Map<Category, Column>()
  for (const { name, category } of sorted) {
    const isFull = new Set(columns.values()).size >= MAX_COLUMNS - 3 && byCategory.has(category)
    const column = { title: cut(name, 200), ...(category === 'done' && { done: true }) }
    if (isFull) report.lose(`Status ${name}`, 'A board has at most 50 columns')
    columns.set(keyOf(name), isFull ? byCategory.get(category)! : column)
    byCategory.set(category, columns.get(keyOf(name))!)
  }
  return {
    list: [...new Set(columns.values())],
    of: (status) => columns.get(keyOf(status))!,
  }
}
