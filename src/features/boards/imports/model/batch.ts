import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { Inserter } from '../../../../store/bulk.ts'
import { type CustomField, fieldsById } from '../../custom_fields/model/index.ts'
import { labelsOf } from '../../labels/model/index.ts'
import { type Project, projectById } from '../../projects/model/index.ts'
import { type Section, sectionsOf } from '../../sections/model/index.ts'
import { partId } from './boards.ts'
import { createPlaceholder } from './people.ts'
import type { WrittenRecord } from './schema.ts'
import { KnownRows, type SourceImport } from './store.ts'

/** A board that tasks of a batch come to, with the parts that still exist. */
export interface TargetBoard {
  project: Project
  sections: readonly Section[]
  label_ids: ReadonlySet<number>
}

/** The id under which the person of records without an author is known. */
const UNKNOWN = 'unknown author'

/** A connection keeps the statements that it has prepared. */
const inserters = new WeakMap<Tx, Inserter>()

/** What the records of one request refer to. */
export class Batch {
  readonly known: KnownRows
  private readonly boards = new Map<string, TargetBoard>()
  private fields: ReadonlyMap<unknown, CustomField> = new Map()

  constructor(
    readonly ctx: Context,
    readonly source: SourceImport,
  ) {
    this.known = new KnownRows(ctx.tx, source)
  }

  /** Loads what the tasks refer to. Call it after the boards of the batch were written. */
  async loadFor(records: readonly WrittenRecord[]): Promise<void> {
    const { known } = this
    const tasks = records.flatMap(({ task }) => task ?? [])
    const boards = [...new Set(tasks.map(({ board }) => board))]
    await known.load('board', boards)
    for (const board of boards) await this.loadBoard(board)
    const partsOf = (names: (task: (typeof tasks)[number]) => readonly string[]) =>
      tasks.flatMap((task) => names(task).map((name) => partId(task.board, name)))
    await known.load(
      'column',
      partsOf(({ column }) => [column]),
    )
    await known.load(
      'label',
      partsOf(({ labels = [] }) => labels),
    )
    await known.load(
      'field',
      partsOf(({ fields = [] }) => fields.map(({ name }) => name)),
    )
    const field_ids = tasks.flatMap(({ board, fields = [] }) =>
      fields.flatMap(({ name }) => known.get('field', partId(board, name))?.row_id ?? []),
    )
    this.fields = await fieldsById.getMany(this.ctx.tx, field_ids)
    await known.load('task', records.flatMap(tasksIn))
    await known.load('person', records.flatMap(peopleIn))
    await known.load('comment', records.flatMap(commentsIn))
  }

  private async loadBoard(board: string): Promise<void> {
    const { tx } = this.ctx
    const row = this.known.get('board', board)
    const project = row && (await projectById(tx, row.row_id))
    if (!project) return
    const labels = await labelsOf(tx, project)
    this.boards.set(board, {
      project,
      sections: await sectionsOf(tx, project),
      label_ids: new Set(labels.map(({ label_id }) => label_id)),
    })
  }

  get inserter(): Inserter {
    const { tx } = this.ctx
    const inserter = inserters.get(tx) ?? new Inserter(tx)
    inserters.set(tx, inserter)
    return inserter
  }

  board(board: string, field: string): TargetBoard {
    const found = this.boards.get(board)
    if (found) return found
    throw missing(`${field}.board`, 'board', board)
  }

  field(board: string, name: string): CustomField | undefined {
    return this.fields.get(this.known.get('field', partId(board, name))?.row_id ?? 0)
  }

  taskId(id: string, field: string): number {
    const row = this.known.get('task', id)
    if (row) return row.row_id
    throw missing(field, 'task', id)
  }

  actorId(person: string, field: string): number {
    const row = this.known.get('person', person)
    if (row) return row.row_id
    throw missing(field, 'person', person)
  }

  /** A placeholder for the author of what the source has without one. */
  async unknownAuthor(): Promise<number> {
    await this.known.load('person', [UNKNOWN])
    const before = this.known.get('person', UNKNOWN)
    if (before) return before.row_id
    const { team_id, source } = this.source
    const name = `Unknown (${source})`
    const row_id = await createPlaceholder(this.ctx, team_id, { name })
    await this.known.add('person', [{ source_id: UNKNOWN, row_id, created: true, digests: null }])
    return row_id
  }
}

const missing = (field: string, what: string, id: string) =>
  fault.invalid(
    field,
    'not_found',
    `No ${what} ${id.slice(0, 100)} was imported before this record`,
    id,
    `Send the ${what} first, in this request or an earlier one`,
  )

const tasksIn = ({ task, comment, time_entry, relation }: WrittenRecord): string[] => [
  ...(task ? [task.id, ...(task.parent ? [task.parent] : [])] : []),
  ...(comment ? [comment.task] : []),
  ...(time_entry ? [time_entry.task] : []),
  ...(relation ? [relation.first, relation.second] : []),
]

const peopleIn = ({ task, comment, time_entry }: WrittenRecord): string[] => [
  ...(task?.assignees ?? []),
  ...(task?.created_by ? [task.created_by] : []),
  ...(comment?.author ? [comment.author] : []),
  ...(time_entry ? [time_entry.who] : []),
]

const commentsIn = ({ comment }: WrittenRecord): string[] =>
  comment ? [comment.id, ...(comment.reply_to ? [comment.reply_to] : [])] : []
