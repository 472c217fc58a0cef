import type { Board, Column, CustomField, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import { guessedType, valueAs } from './field-types.ts'
import { compact } from './json.ts'
import { cut, shortName, type TaskDraft, type TypedValue } from './task-limits.ts'

const MAX_COLUMNS = 50
const MAX_OPTIONS = 100
const COLOR = /^#?([0-9a-f]{6})$/i
const DONE = /^(?:done|completed?|closed|finished|erledigt|fertig|terminé|hecho|fatto|concluído)$/i

/** Tasks in such a column are closed, but not because they were completed. */
const NOT_DONE = /cancel|won't|duplicate|archive/i

/** The options of a select field, or the values by which the type is guessed. */
interface FieldDraft {
  name: string
  type: TypedValue['type']
  options: TypedValue['value'][]
}

/** A board whose columns, labels and fields come from its tasks. */
export class BoardDraft {
  private readonly columns = new Map<string, Column>()
  private readonly labels = new Map<string, string | undefined>()
  private readonly fields = new Map<string, FieldDraft>()

  constructor(
    readonly id: string,
    readonly title: string,
    private readonly report: Report,
    readonly about: Pick<Board, 'key' | 'description'>,
  ) {}

  /** Adds a column, unless there is one with that title; returns its title. */
  column(title: string, more: Omit<Column, 'title'> = {}): string {
    const name = cut(title.replace(/\s+/g, ' ').trim() || 'To do', 200)
    const known = this.columns.get(name)
    if (known) {
      if (more.done !== undefined) known.done = more.done
      return name
    }
    if (this.columns.size >= MAX_COLUMNS - (more.done ? 0 : 1)) {
      this.report.lose(`Column ${name}`, 'A board has at most 50 columns')
      return [...this.columns.keys()].at(-1)!
    }
    this.columns.set(name, { title: name, ...more })
    return name
  }

  isDone(title: string): boolean {
    return this.columns.get(title)?.done === true
  }

  /** The column of completed tasks: one with such a title, else one that is done, else a new one. */
  doneColumn(): string {
    const columns = [...this.columns.values()]
    const done =
      columns.find(({ title, done: isDone }) => isDone !== false && DONE.test(title)) ??
      columns.findLast((column) => column.done && !NOT_DONE.test(column.title))
    return this.column(done?.title ?? 'Done', { done: true })
  }

  /** Adds a label, unless there is one with that name; returns its name. */
  label(name: string, color = ''): string | undefined {
    const short = shortName(name)
    if (!short) return undefined
    const [, hex] = COLOR.exec(color) ?? []
    if (hex || !this.labels.has(short)) this.labels.set(short, hex && `#${hex.toLowerCase()}`)
    return short
  }

  /** The options of a select field in their order, also those without a task. */
  declare(name: string, options: readonly string[]): void {
    for (const value of options) this.addField({ name, type: 'select', value })
  }

  addNamesOf({ labels = [], fields = [] }: TaskDraft): void {
    for (const label of labels) if (!this.labels.has(label)) this.label(label)
    for (const field of fields) this.addField(field)
  }

  private addField({ name, type, value }: TypedValue): void {
    const short = shortName(name)
    if (!short || value === '') return
    const known = this.fields.get(short) ?? { name: short, type, options: [] }
    this.fields.set(short, known)
    if (known.type !== type) known.type = 'text'
    if (known.type !== 'select') return void (known.type || known.options.push(value))
    const option = shortName(String(value))
    const isNew = !known.options.includes(option)
    if (isNew && (String(value).length > 100 || known.options.length >= MAX_OPTIONS))
      known.type = 'text'
    else if (isNew) known.options.push(option)
  }

  /** The values of a task's fields, in the type that the board has for them. */
  valuesOf({ fields = [] }: TaskDraft): NonNullable<Task['fields']> {
    const values = new Map<string, TypedValue['value']>()
    for (const { name, value } of fields) {
      const field = this.fields.get(shortName(name))
      if (field && !values.has(field.name)) values.set(field.name, valueAs(field.type, value))
    }
    return [...values].map(([name, value]) => ({ name, value }))
  }

  private fieldsOf(): CustomField[] {
    for (const field of this.fields.values()) field.type ??= guessedType(field.options)
    return [...this.fields.values()].slice(0, 1000).map(({ name, type, options }) => ({
      name,
      type: type!,
      ...(type === 'select' && { options: options.map(String) }),
    }))
  }

  finish(): Board {
    if (!this.columns.size) this.column('To do')
    this.doneColumn()
    return {
      id: this.id,
      title: this.title,
      ...compact(this.about),
      columns: [...this.columns.values()].map((column) => ({
        ...column,
        done: column.done ?? false,
      })),
      labels: [...this.labels].slice(0, 10_000).map(([name, color]) => ({
        name,
        ...(color && { color }),
      })),
      fields: this.fieldsOf(),
    }
  }
}
