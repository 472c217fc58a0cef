import {
  completeTasks,
  draftTask,
  insertTaskLists,
  insertTasks,
  setParent,
  type TaskDraft,
  type taskLines,
} from '../../features/tasks/edits/model/index.ts'
import type { Ids, ImportedTask, RecordOf, TeamImport } from '../../store/portability/index.ts'
import { childLines } from '../kinds.ts'

interface PendingTask {
  record: RecordOf<typeof taskLines>
  /** The records that follow it, by kind. */
  children: Map<string, object[]>
}

const BATCH = 100
/** Limits of one transaction, which writes tasks with their texts: the index never lacks one. */
const TRANSACTION_LIMIT = { tasks: 20, characters: 100_000 }
/** Limits the texts of a batch, children included, to bound its memory. */
const MAX_BATCH_CHARACTERS = 4_000_000

/** Inserts tasks in batches and maps each ticket key to the id of its row. */
export class TaskImporter {
  count = 0
  /** The lowest and the highest id of the inserted tasks. */
  first = 0
  last = 0
  private batch: PendingTask[] = []
  private characters = 0
  private readonly ids = new Map<string, number>()
  /** Tasks whose parent was not inserted yet when they were; `finish` sets their parents. */
  private readonly orphans: [child: number, parent: string][] = []

  constructor(
    private readonly team: TeamImport,
    private readonly onProgress: (tasks: number) => void,
  ) {}

  async addTask(record: PendingTask['record']): Promise<void> {
    if (this.batch.length >= BATCH || this.characters > MAX_BATCH_CHARACTERS)
      await this.writeBatch()
    this.characters += record.description?.length ?? 0
    this.batch.push({ record, children: new Map() })
  }

  /** Adds a record that belongs to the last added task. */
  addChild(kind: string, record: object): void {
    this.characters += JSON.stringify(record).length
    pushTo(this.batch.at(-1)!.children, kind, record)
  }

  idOf(ticket: string): number | undefined {
    return this.ids.get(ticket)
  }

  async finish(): Promise<void> {
    await this.writeBatch()
    for (const [task_id, parent] of this.orphans)
      await setParent(this.team, task_id, this.ids.get(parent)!)
    await completeTasks(this.team, this)
  }

  private async writeBatch(): Promise<void> {
    const batch = this.batch
    this.batch = []
    this.characters = 0
    if (!batch.length) return
    // Splitting texts into words needs no open transaction.
    await this.team.commit()
    const drafts = batch.map(({ record, children }) =>
      draftTask(record, this.team, derivedColumns(children)),
    )
    for (const chunk of chunksOf(drafts)) await this.insertChunk(chunk)
    for (const { record } of batch)
      if (record.parent !== null && !this.isWritten(batch, record.parent))
        this.orphans.push([this.ids.get(record.ticket_number)!, record.parent])
    const tasks = batch.map((pending) => this.importedTask(pending))
    await insertTaskLists(tasks, this.team)
    for (const lines of childLines) await lines.insert(tasks, this.team)
    await this.team.commit()
    this.count += batch.length
    this.onProgress(this.count)
  }

  private async insertChunk(chunk: readonly TaskDraft[]): Promise<void> {
    for (const [ticket, task_id] of await insertTasks(chunk, this.team)) {
      this.ids.set(ticket, task_id)
      this.first = Math.min(this.first || task_id, task_id)
      this.last = Math.max(this.last, task_id)
    }
  }

  /** Whether the task was inserted before this batch, so that a row of the batch can refer to it. */
  private isWritten(batch: readonly PendingTask[], ticket: string): boolean {
    return this.ids.has(ticket) && !batch.some(({ record }) => record.ticket_number === ticket)
  }

  private importedTask({ record, children }: PendingTask) {
    const rowIds = new Map<string, number[]>()
    const { ids } = this.team.boards.get(record.board)!
    const task_id = this.ids.get(record.ticket_number)!
    const idAt: Ids['idAt'] = (kind, position) => rowIds.get(kind)![position - 1]!
    const imported: ImportedTask = {
      place: { team_id: this.team.team_id, task_id },
      recordsOf: ({ kind }) => (children.get(kind) ?? []) as never,
      ids: { ...ids, idAt },
      number(kind, newIds) {
        for (const id of newIds) pushTo(rowIds, kind, id)
      },
    }
    return { ...imported, record }
  }
}

export function pushTo<V>(lists: Map<string, V[]>, kind: string, value: V): void {
  const list = lists.get(kind)
  if (list) list.push(value)
  else lists.set(kind, [value])
}

/** The columns of a task that are derived from its children. */
const derivedColumns = (children: PendingTask['children']): object =>
  Object.assign(
    {},
    ...childLines.map(({ kind, taskColumns }) =>
      taskColumns?.((children.get(kind) ?? []) as never),
    ),
  )

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
