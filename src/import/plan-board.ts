import { FittingTypes } from './field-types.ts'
import { foldName } from './fold.ts'
import type { BoardPlan } from './plan-types.ts'
import { ImportProblem } from './problem.ts'
import type { Board, Task } from './record.ts'

/** Counts what is on one board. */
export class BoardPlanner {
  records = 0
  files = 0
  private tasks = 0
  private readonly columns: Map<string, number>
  private readonly labels: Set<string>
  private readonly fields: Map<string, { values: number; types: FittingTypes }>

  constructor(readonly board: Board) {
    this.columns = new Map(board.columns.map(({ title }) => [title, 0]))
    this.labels = new Set(board.labels.map(({ name }) => foldName(name)))
    this.fields = new Map(
      board.fields.map((field) => [field.name, { values: 0, types: new FittingTypes(field) }]),
    )
  }

  addTask({ title, column, labels = [], fields = [] }: Task): void {
    this.tasks++
    this.records++
    this.columns.set(column, this.columns.get(column)! + 1)
    for (const label of labels)
      if (!this.labels.has(foldName(label))) throw undeclared(title, `the label "${label}"`)
    for (const { name, value } of fields) {
      const field = this.fields.get(name)
      if (!field) throw undeclared(title, `the field "${name}"`)
      field.values++
      field.types.add(value)
    }
  }

  result(): BoardPlan {
    const { id, title, key, columns, fields } = this.board
    return {
      ...{ id, title, ...(key !== undefined && { key }) },
      ...{ tasks: this.tasks, records: this.records, files: this.files, labels: this.labels.size },
      columns: columns.map((column) => ({
        title: column.title,
        ...(column.done !== undefined && { done: column.done }),
        tasks: this.columns.get(column.title)!,
      })),
      fields: fields.map((field) => {
        const { values, types } = this.fields.get(field.name)!
        return { ...field, values, fits: types.all }
      }),
    }
  }
}

/** Servers would leave it out without a word. */
const undeclared = (task: string, what: string) =>
  new ImportProblem(
    `The task "${task.slice(0, 80)}" has ${what}, but its board does not`,
    'Please report this message',
  )
