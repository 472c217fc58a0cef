import type { TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { Check } from '@sinclair/typebox/value'
import { isRealDate } from './dates.ts'
import { ImportProblem } from './problem.ts'
import {
  type Attachment,
  type Comment,
  type ImportRecord,
  Origin,
  RECORDS,
  type RecordKind,
  type Relation,
  type Task,
} from './record.ts'

/** The most levels of tasks and their subtasks that a server takes. */
const MAX_LEVELS = 20

const STAGES: Record<RecordKind | 'origin', number> = {
  ...{ origin: 0, person: 1, board: 2, task: 3, comment: 3, time_entry: 3, attachment: 3 },
  relation: 4,
}

/** Checks that records are valid, in order, and refer only to records that exist. */
export class RecordChecker {
  private stage = -1
  private readonly people = new Set<string>()
  private readonly columns = new Map<string, ReadonlySet<string>>()
  private readonly tasks = new Map<string, Pick<Task, 'board' | 'parent'>>()
  private readonly comments = new Map<string, string>()
  private readonly others = new Set<string>()

  constructor(private readonly title: string) {}

  check(record: ImportRecord): void {
    const [kind, content] = contentOf(record)
    this.checkForm(kind, content)
    const stage = STAGES[kind]
    if (this.stage < 0 ? kind !== 'origin' : stage < this.stage || kind === 'origin')
      throw this.invalid(record, undefined, 'it is in the wrong place')
    this.stage = stage
    this.checkReferences(record)
  }

  /** Checks what only the whole file shows. */
  finish(): void {
    if (this.stage < 0)
      throw new ImportProblem(`There is nothing of ${this.title} in the files`, REMEDY)
    for (const [id, task] of this.tasks) {
      if (task.parent === undefined) continue
      const parent = this.tasks.get(task.parent)
      const problem = parent
        ? parent.board !== task.board && 'its parent is on another board'
        : `its parent "${task.parent}" does not exist`
      if (problem) throw this.invalid({ task: { id } as Task }, 'parent', problem)
      this.checkDepth(id)
    }
  }

  private checkDepth(id: string): void {
    let levels = 1
    for (let at = this.tasks.get(id)?.parent; at !== undefined; at = this.tasks.get(at)?.parent)
      if (++levels > MAX_LEVELS) {
        const problem = `its parents are more than ${MAX_LEVELS} levels, or it is below itself`
        throw this.invalid({ task: { id } as Task }, 'parent', problem)
      }
  }

  private checkForm(kind: RecordKind | 'origin', content: object): void {
    const schema: TSchema = kind === 'origin' ? Origin : RECORDS[kind]
    const { bytes: _, ...plain } = content as Attachment
    if (!Check(schema, plain)) {
      const error = Errors(schema, plain).First()!
      const field = error.path.slice(1).replaceAll('/', '.')
      throw this.invalid({ [kind]: content } as never, field, error.message.toLowerCase())
    }
    this.checkNames({ [kind]: content } as never)
    for (const [name, value] of Object.entries(plain))
      if (/_date$|_at$|^day$/.test(name) && !isRealDate(String(value)))
        throw this.invalid({ [kind]: content } as never, name, `"${value}" is not a date`)
  }

  private checkNames(record: ImportRecord): void {
    for (const [field, name] of namesIn(record))
      if (!VISIBLE.test(name)) throw this.invalid(record, field, 'it has no visible character')
  }

  private checkReferences(record: ImportRecord): void {
    if ('person' in record) this.people.add(this.unique(record, this.people, record.person.id))
    else if ('board' in record) this.addBoard(record)
    else if ('task' in record) this.addTask(record)
    else if ('comment' in record) this.addComment(record)
    else if ('time_entry' in record) {
      const { id, task, who } = record.time_entry
      this.others.add(this.unique(record, this.others, `time ${id}`))
      this.known(record, 'task', this.tasks, task)
      this.known(record, 'who', this.people, who)
    } else if ('attachment' in record) this.addAttachment(record)
    else if ('relation' in record) this.checkRelation(record)
  }

  private addBoard(record: { board: { id: string; columns: { title: string }[] } }): void {
    const { id, columns } = record.board
    this.unique(record as ImportRecord, this.columns, id)
    this.columns.set(id, new Set(columns.map(({ title }) => title)))
  }

  private addTask(record: { task: Task }): void {
    const { id, board, parent, column, assignees = [], created_by } = record.task
    this.unique(record, this.tasks, id)
    this.tasks.set(id, { board, ...(parent !== undefined && { parent }) })
    this.known(record, 'board', this.columns, board)
    this.known(record, 'column', this.columns.get(board)!, column)
    for (const person of assignees) this.known(record, 'assignees', this.people, person)
    this.known(record, 'created_by', this.people, created_by)
  }

  private addComment(record: { comment: Comment }): void {
    const { id, task, author, reply_to } = record.comment
    this.unique(record, this.comments, id)
    this.known(record, 'task', this.tasks, task)
    this.known(record, 'author', this.people, author)
    if (reply_to !== undefined && this.comments.get(reply_to) !== task)
      throw this.invalid(record, 'reply_to', 'there is no such comment before it')
    this.comments.set(id, task)
  }

  private addAttachment(record: { attachment: Attachment }): void {
    const { id, task, comment, created_by, url, bytes } = record.attachment
    this.others.add(this.unique(record, this.others, `file ${id}`))
    this.known(record, 'task', this.tasks, task)
    this.known(record, 'comment', this.comments, comment)
    this.known(record, 'created_by', this.people, created_by)
    if (url === undefined && !bytes)
      throw this.invalid(record, 'url', 'the file has neither content nor an address')
  }

  private checkRelation(record: { relation: Relation }): void {
    const { first, second } = record.relation
    this.known(record, 'first', this.tasks, first)
    this.known(record, 'second', this.tasks, second)
    if (first === second) throw this.invalid(record, 'second', 'it relates a task to itself')
  }

  private unique(record: ImportRecord, ids: { has(id: string): boolean }, id: string): string {
    if (ids.has(id)) throw this.invalid(record, 'id', 'another one has the same id')
    return id
  }

  private known(
    record: ImportRecord,
    field: string,
    ids: { has(id: string): boolean },
    id: string | undefined,
  ): void {
    if (id !== undefined && !ids.has(id))
      throw this.invalid(record, field, `"${id}" does not exist`)
  }

  private invalid(record: ImportRecord, field: string | undefined, problem: string) {
    const what = `${describeRecord(record)} of ${this.title} cannot be imported: ${problem}`
    return new ImportProblem(what, REMEDY, field ? { field } : {})
  }
}

const REMEDY = 'Correct it there and export it again. If it is right, please report this message'

export const contentOf = (record: ImportRecord) =>
  Object.entries(record)[0] as [RecordKind | 'origin', { id?: string; title?: string }]

/** Such as: The task PROJ-12 "Draw the logo". */
function describeRecord(record: ImportRecord): string {
  const [kind, content] = contentOf(record)
  const { id, key, title, name, filename } = content as Record<string, unknown>
  const label = title ?? name ?? filename
  const parts = [key ?? id, typeof label === 'string' && `"${label.slice(0, 80)}"`]
  return [`The ${NAMES[kind]}`, ...parts.filter(Boolean)].join(' ')
}

/** A name without any of these is refused as empty. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

function namesIn(record: ImportRecord): (readonly [field: string, name: string])[] {
  if ('task' in record) return [['title', record.task.title]]
  if ('person' in record) return [['name', record.person.name]]
  if (!('board' in record)) return []
  const { title, columns, labels, fields } = record.board
  return [
    ['title', title],
    ...columns.map((column) => ['columns', column.title] as const),
    ...labels.map((label) => ['labels', label.name] as const),
    ...fields.map((field) => ['fields', field.name] as const),
  ]
}

const NAMES: Record<RecordKind | 'origin', string> = {
  ...{ origin: 'origin', person: 'person', board: 'board', task: 'task', comment: 'comment' },
  ...{ time_entry: 'time entry', attachment: 'file', relation: 'relation' },
}
