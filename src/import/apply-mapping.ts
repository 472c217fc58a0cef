import type { Origin, WireRecord } from './api.ts'
import { convertValue } from './field-types.ts'
import { foldName } from './fold.ts'
import type { BoardMapping, Mapping } from './mapping.ts'
import { ImportProblem } from './problem.ts'
import type { Attachment, Board, ImportRecord, Person, Task } from './record.ts'

/** What is sent. The bytes of a file are read when it is sent. */
export type MappedRecord = { origin: Origin } | WireRecord | { attachment: Attachment }

/**
 * Turns the records of a source into those to send. People come just before the first record that
 * names them, so that those who are named nowhere are not created.
 */
export async function* applyMapping(
  records: AsyncIterable<ImportRecord>,
  mapping: Mapping,
): AsyncGenerator<MappedRecord> {
  const applied = new AppliedMapping(mapping)
  for await (const record of records) yield* applied.convert(record)
}

class AppliedMapping {
  private readonly boards: Map<string, AppliedBoard>
  private readonly users: Map<string, number | 'placeholder'>
  private readonly priorities: Map<string | number, number>
  /** The people who are not sent yet. */
  private readonly waiting = new Map<string, Person>()
  /** The tasks of skipped boards. */
  private readonly skipped = new Set<string>()

  constructor({ boards, people, priorities }: Mapping) {
    this.boards = new Map(boards.map((board) => [board.id, new AppliedBoard(board)]))
    this.users = new Map(people.map(({ id, user_id }) => [id, user_id]))
    this.priorities = new Map(priorities.map(({ from, priority }) => [from, priority]))
  }

  *convert(record: ImportRecord): Generator<MappedRecord> {
    if ('person' in record) this.waiting.set(record.person.id, record.person)
    else if ('board' in record) yield* this.convertBoard(record.board)
    else if ('task' in record) yield* this.convertTask(record.task)
    else if ('comment' in record)
      yield* this.part(record, record.comment.task, record.comment.author)
    else if ('time_entry' in record)
      yield* this.part(record, record.time_entry.task, record.time_entry.who)
    else if ('attachment' in record)
      yield* this.part(record, record.attachment.task, record.attachment.created_by)
    else if ('relation' in record) {
      const { first, second } = record.relation
      if (!this.skipped.has(first) && !this.skipped.has(second)) yield record
    } else yield record
  }

  private *convertBoard(board: Board): Generator<MappedRecord> {
    const applied = this.boardOf(board.id, board.title)
    if (!applied.isSkipped) yield { board: applied.convertBoard(board) }
  }

  private *convertTask(task: Task): Generator<MappedRecord> {
    const board = this.boardOf(task.board, task.board)
    if (board.isSkipped) return void this.skipped.add(task.id)
    yield* this.introduce(...(task.assignees ?? []), task.created_by)
    const converted = board.convertTask(task)
    if (task.priority !== undefined)
      converted.priority = this.priorities.get(task.priority) ?? numberOf(task.priority)
    yield { task: converted }
  }

  /** Something of a task, with the person who made it. */
  private *part(
    record: MappedRecord,
    task: string,
    person: string | undefined,
  ): Generator<MappedRecord> {
    if (this.skipped.has(task)) return
    yield* this.introduce(person)
    yield record
  }

  private *introduce(...ids: (string | undefined)[]): Generator<MappedRecord> {
    for (const id of ids) {
      const person = id === undefined ? undefined : this.waiting.get(id)
      if (!person) continue
      this.waiting.delete(person.id)
      const user = this.users.get(person.id) ?? 'placeholder'
      yield { person: { ...person, user_id: user === 'placeholder' ? null : user } }
    }
  }

  private boardOf(id: string, title: string): AppliedBoard {
    const board = this.boards.get(id)
    if (board) return board
    throw new ImportProblem(
      `The mapping does not contain the board "${title}"`,
      'The files have changed since they were checked: start the import again',
    )
  }
}

const numberOf = (priority: string | number) => (typeof priority === 'number' ? priority : 0)

class AppliedBoard {
  readonly isSkipped: boolean
  private readonly columns: Map<string, BoardMapping['columns'][number]>
  private readonly fields: Map<string, BoardMapping['fields'][number]>

  constructor(private readonly mapping: BoardMapping) {
    this.isSkipped = mapping.skip === true
    this.columns = new Map(mapping.columns.map((column) => [column.from, column]))
    this.fields = new Map(mapping.fields.map((field) => [field.from, field]))
  }

  convertBoard({ columns, fields, key: _, ...board }: Board): Board & { project_id?: number } {
    const { title, key, project_id } = this.mapping
    const byTitle = new Map<string, Board['columns'][number]>()
    for (const column of columns) {
      const { title = column.title, done = column.done } = this.columns.get(column.title) ?? {}
      if (!byTitle.has(title))
        byTitle.set(title, { ...column, title, ...(done !== undefined && { done }) })
    }
    return {
      ...board,
      ...{ title, ...(key !== undefined && { key }) },
      ...(project_id !== undefined && { project_id }),
      columns: [...byTitle.values()],
      fields: fields.flatMap((field) => this.convertField(field)),
    }
  }

  private convertField({ options, ...field }: Board['fields'][number]): Board['fields'] {
    const { name = field.name, type = field.type, skip } = this.fields.get(field.name) ?? {}
    if (skip) return []
    if (type !== 'select') return [{ name, type }]
    const unique = new Map(options?.map((option) => [foldName(option), option]))
    return [{ name, type, options: [...unique.values()] }]
  }

  convertTask({ fields, ...task }: Task): Task {
    const column = this.columns.get(task.column)?.title ?? task.column
    const values = fields?.flatMap(({ name, value }) => {
      const field = this.fields.get(name)
      if (!field) return [{ name, value }]
      return field.skip ? [] : [{ name: field.name, value: convertValue(value, field.type) }]
    })
    return { ...task, column, ...(values && { fields: values }) }
  }
}
