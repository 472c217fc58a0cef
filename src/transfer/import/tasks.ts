import { eq } from 'drizzle-orm'
import type { Format } from '../../content/index.ts'
import { foldName } from '../../features/projects/index.ts'
import {
  formerTickets,
  indexTextOf,
  isOpen,
  relations,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
} from '../../features/tasks/index.ts'
import { Inserter } from '../../store/bulk.ts'
import { indexTexts } from '../../store/fulltext.ts'
import type { StagedWriter } from '../../store/staged-writer.ts'
import type { ChildKind, RecordOf } from '../schema.ts'
import { type Children, countsOf, insertChildren, noChildren } from './children.ts'

/** An inserted board with the ids that its tasks refer to. */
export interface ImportedBoard {
  team_id: number
  project_id: number
  section_ids: readonly number[]
  /** By name in lower case. */
  label_ids: ReadonlyMap<string, number>
  /** By name, folded. */
  field_ids: ReadonlyMap<string, number>
}

interface PendingTask {
  record: RecordOf<'task'>
  board: ImportedBoard
  children: Children
}

const BATCH = 100
/** Limits of one transaction, which writes tasks with their texts: the index never lacks one. */
const TRANSACTION_LIMIT = { tasks: 20, characters: 100_000 }
/** Limits the texts of a batch, children included, to bound its memory. */
const MAX_BATCH_CHARACTERS = 4_000_000
const toDate = (text: string) => new Date(text)
const toDateOrNull = (text: string | null) => (text === null ? null : new Date(text))

/** Inserts tasks in batches and maps each ticket key to the id of its row. */
export class TaskImporter {
  count = 0
  /** The lowest and the highest id of the inserted tasks. */
  first = 0
  last = 0
  private batch: PendingTask[] = []
  private characters = 0
  private readonly inserter: Inserter
  private readonly ids = new Map<string, number>()
  /** Tasks whose parent was not inserted yet when they were; `finish` sets their parents. */
  private readonly orphans: [child: number, parent: string][] = []
  private readonly relations: RecordOf<'relation'>[] = []
  private team_id = 0

  constructor(
    private readonly stage: StagedWriter,
    private readonly actorOf: (who: string) => number,
    private readonly clean: (text: string, format: Format) => string,
    private readonly onProgress: (tasks: number) => void,
    private readonly now: Date,
  ) {
    this.inserter = new Inserter(stage.tx, stage.ensureTransaction)
  }

  async addTask(record: RecordOf<'task'>, board: ImportedBoard): Promise<void> {
    if (this.batch.length >= BATCH || this.characters > MAX_BATCH_CHARACTERS)
      await this.writeBatch()
    this.characters += record.description?.length ?? 0
    this.team_id = board.team_id
    this.batch.push({ record, board, children: noChildren() })
  }

  /** Adds a record that belongs to the last added task. */
  async addChild<K extends ChildKind>(kind: K, record: RecordOf<K>): Promise<void> {
    this.characters += JSON.stringify(record).length
    this.batch.at(-1)!.children[kind].push(record)
  }

  /** Adds a relation between two tasks of the file. */
  addRelation(record: RecordOf<'relation'>): void {
    this.relations.push(record)
  }

  idOf(ticket: string): number {
    return this.ids.get(ticket)!
  }

  async finish(): Promise<void> {
    await this.writeBatch()
    for (const [task_id, parent] of this.orphans) {
      await this.inserter.beforeStatement()
      await this.stage.tx
        .update(tasks)
        .set({ parent_task_id: this.ids.get(parent)! })
        .where(eq(tasks.task_id, task_id))
    }
    await this.inserter.insert(
      relations,
      this.relations.map((relation) => this.relationRow(relation)),
    )
  }

  /** A row of kind `related` has the lower task id first, and ids differ between servers. */
  private relationRow({ kind, first, second, created_by, created_at }: RecordOf<'relation'>) {
    const task_ids = [this.ids.get(first)!, this.ids.get(second)!]
    if (kind === 'related') task_ids.sort((a, b) => a - b)
    const [first_id, second_id] = task_ids as [number, number]
    return {
      ...{ team_id: this.team_id, kind, first_id, second_id },
      created_by: this.actorOf(created_by),
      created_at: toDate(created_at),
    }
  }

  private async writeBatch(): Promise<void> {
    const batch = this.batch
    this.batch = []
    this.characters = 0
    if (!batch.length) return
    // Splitting texts into words needs no open transaction.
    await this.stage.commit()
    const drafts = batch.map((draft) => {
      const row = this.rowOf(draft)
      return { row, text: indexTextOf({ ...row, task_id: 0 }) }
    })
    for (const chunk of chunksOf(drafts)) await this.insertChunk(chunk)
    for (const { record } of batch)
      if (record.parent !== null && !this.isWritten(batch, record.parent))
        this.orphans.push([this.ids.get(record.ticket_number)!, record.parent])
    await this.insertRelated(batch)
    await this.stage.commit()
    this.count += batch.length
    this.onProgress(this.count)
  }

  private async insertChunk(chunk: readonly TaskDraft[]): Promise<void> {
    const rows = chunk.map(({ row }) => row)
    const written = await this.inserter.insert(tasks, rows, ['task_id', 'ticket_number'])
    for (const { task_id, ticket_number } of written) {
      // Not every engine returns the rows in the order of the insert.
      this.ids.set(ticket_number, task_id)
      this.first = Math.min(this.first || task_id, task_id)
      this.last = Math.max(this.last, task_id)
    }
    const texts = chunk.map(({ row, text }) => ({ ...text, id: this.ids.get(row.ticket_number)! }))
    await indexTexts(this.stage.tx, texts)
  }

  /** Whether the task was inserted before this batch, so that a row of the batch can refer to it. */
  private isWritten(batch: readonly PendingTask[], ticket: string): boolean {
    return this.ids.has(ticket) && !batch.some(({ record }) => record.ticket_number === ticket)
  }

  rowOf({ record, board, children }: PendingTask) {
    const { team_id, project_id, section_ids } = board
    const {
      board: _,
      section,
      parent,
      labels: __,
      assignees: ___,
      former_tickets: ____,
      fields: _____,
      ...own
    } = record
    return {
      ...own,
      ...{ team_id, project_id },
      section_id: section_ids[section]!,
      parent_task_id: parent === null ? null : (this.ids.get(parent) ?? null),
      start_date: toDateOrNull(own.start_date),
      due_at: toDateOrNull(own.due_at),
      recurrence: own.recurrence ?? null,
      repeats_from: own.repeats_from ?? null,
      starts_from: own.starts_from ?? null,
      reminded: own.reminded ?? this.defaultReminded(own.due_at),
      snoozed_until: toDateOrNull(own.snoozed_until ?? null),
      created_by: this.actorOf(own.created_by),
      created_at: toDate(own.created_at),
      updated_at: toDate(own.updated_at),
      completed_at: toDateOrNull(own.completed_at),
      section_changed_at: toDateOrNull(own.section_changed_at),
      ...countsOf(children),
    }
  }

  /** Older files lack `reminded`: tasks that were due before the import get no reminder. */
  private defaultReminded(due_at: string | null): 0 | 2 {
    return due_at !== null && toDate(due_at) < this.now ? 2 : 0
  }

  /** Inserts labels, assignees, former tickets, custom fields and children of a batch. */
  private async insertRelated(batch: readonly PendingTask[]): Promise<void> {
    const rowsFor = <R>(
      rows: (draft: PendingTask, ids: { team_id: number; task_id: number }) => R[],
    ) =>
      batch.flatMap((draft) => {
        const task_id = this.ids.get(draft.record.ticket_number)!
        return rows(draft, { team_id: draft.board.team_id, task_id })
      })
    const labelRows = rowsFor(({ record, board }, ids) =>
      record.labels.map((name) => ({ ...ids, label_id: board.label_ids.get(name.toLowerCase())! })),
    )
    const assigneeRows = rowsFor(({ record }, ids) =>
      record.assignees.map((who) => ({
        ...ids,
        actor_id: this.actorOf(who),
        open: isOpen(record),
      })),
    )
    const formerTicketRows = rowsFor(({ record }, ids) =>
      record.former_tickets.map((ticket_number) => ({ ...ids, ticket_number })),
    )
    const fieldRows = rowsFor(({ record, board }, ids) =>
      record.fields.map(({ name, ...value }) => ({
        ...{ ...ids, ...value },
        custom_field_id: board.field_ids.get(foldName(name))!,
      })),
    )
    await this.inserter.insert(taskLabels, labelRows)
    await this.inserter.insert(taskAssignees, assigneeRows)
    await this.inserter.insert(formerTickets, formerTicketRows)
    await this.inserter.insert(taskFields, fieldRows)
    const children = rowsFor(({ children }, ids) => [{ ids, children }])
    const { inserter, actorOf, clean, stage } = this
    await insertChildren({ inserter, actorOf, clean, commit: stage.commit }, children)
  }
}

type TaskDraft = { row: ReturnType<TaskImporter['rowOf']>; text: ReturnType<typeof indexTextOf> }

function* chunksOf(drafts: readonly TaskDraft[]): Generator<TaskDraft[]> {
  let chunk: TaskDraft[] = []
  let characters = 0
  for (const draft of drafts) {
    const length = draft.row.description?.length ?? 0
    const isFull =
      chunk.length === TRANSACTION_LIMIT.tasks || characters + length > TRANSACTION_LIMIT.characters
    if (chunk.length && isFull) {
      yield chunk
      chunk = []
      characters = 0
    }
    chunk.push(draft)
    characters += length
  }
  if (chunk.length) yield chunk
}
