import type { Column } from '../../record.ts'
import type { Report } from '../../source.ts'
import { counted } from './counted.ts'
import { uniqueNames } from './names.ts'

const MAX_COLUMNS = 50
const DONE = new Set([
  ...['done', 'complete', 'completed', 'finished', 'closed', 'resolved', 'shipped', 'released'],
  ...['erledigt', 'fertig', 'terminé', 'hecho', 'feito', 'concluído', 'klaar', 'gereed', 'fatto'],
  ...['готово', '完成', '完了'],
])

/** Whether a column of that name holds what is done. */
export const isDoneName = (name: string): boolean =>
  DONE.has(name.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))

export interface SourceColumn {
  id: string
  name: string
  isDone?: boolean
  isHidden?: boolean
  limit?: number
}

/** The columns of a board, and their titles by the ids of the source. */
export class BoardColumns {
  readonly columns: Column[] = []
  readonly titles = new Map<string, string>()
  private readonly done = new Set<string>()
  private readonly unique = uniqueNames(200)

  constructor(sources: readonly SourceColumn[], report: Report) {
    for (const source of sources) this.add(source)
    const left = sources.length - MAX_COLUMNS + 1
    if (left > 1)
      report.lose(counted(left, 'column'), 'a board has at most 50; one column holds their tasks')
  }

  /** Room for 50 columns: further ones share a column, and one place is left for Done. */
  private add({ id, name, isDone, isHidden, limit }: SourceColumn): void {
    const last = this.columns.at(-1)
    if (this.columns.length >= MAX_COLUMNS - 1 && last) return void this.titles.set(id, last.title)
    const done = isDone ?? isDoneName(name)
    const title = this.unique(name)
    const hasLimit = limit !== undefined && Number.isInteger(limit) && limit > 0 && limit <= 10_000
    this.columns.push({
      title,
      ...(done && { done }),
      ...(isHidden && { hidden: true }),
      ...(hasLimit && { wip_limit: limit }),
    })
    this.titles.set(id, title)
    if (done) this.done.add(title)
  }

  isDone(title: string): boolean {
    return this.done.has(title)
  }

  /** The first column for what is done; it is added if there is none. */
  doneColumn(): string {
    const [first] = this.done
    if (first !== undefined) return first
    const title = this.unique('Done')
    this.columns.push({ title, done: true })
    this.done.add(title)
    return title
  }

  /** A column for tasks whose own column is missing. */
  fallback(): string {
    if (!this.columns.length) this.columns.push({ title: this.unique('To do') })
    return this.columns[0]!.title
  }
}
