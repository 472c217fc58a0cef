import { FittingTypes } from './field-types.ts'
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
    this.labels = new Set(board.labels.map(({ name }) => name))
    this.fields = new Map(
      board.fields.map((field) => [field.name, { values: 0, types: new FittingTypes(field) }]),
    )
  }

  addTask({ title, column, labels = [], fields = [] }: Task): void {
    this.tasks++
    this.records++
    this.columns.set(column, this.columns.get(column)! + 1)
    for (const label of labels) this.labels.add(label)
    for (const { name, value } of fields) {
      const field = this.fields.get(name)
      if (!field)
        throw new ImportProblem(
          `The task "${title}" has a value of "${name}", but its board has no such field`,
          'Please report this message',
          { field: 'fields' },
        )
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
