import { eq } from 'drizzle-orm'
import {
  descriptionVersions,
  formerTickets,
  taskAssignees,
  taskLabels,
  tasks,
} from '../features/tasks/index.ts'
import type { Change, Tx } from '../kernel/caller.ts'
import { Inserter } from '../store/bulk.ts'
import type { RecordOf } from './schema.ts'

/** A board in its new place: the rows that its tasks refer to. */
export interface Placed {
  team_id: number
  project_id: number
  section_ids: readonly number[]
  /** By name in lower case. */
  label_ids: ReadonlyMap<string, number>
}

type Made = Pick<Change, 'place' | 'data'>
interface Draft {
  given: RecordOf<'task'>
  board: Placed
  versions: RecordOf<'version'>[]
}

const BATCH = 100
/** Of descriptions and the texts before them. */
const MOST_LETTERS = 4_000_000
const moment = (text: string) => new Date(text)
const orNull = (text: string | null) => (text === null ? null : new Date(text))

/** Writes tasks many at a time, and knows by then which row has which ticket key. */
export class Tasks {
  count = 0
  private batch: Draft[] = []
  private letters = 0
  private readonly inserter: Inserter
  private readonly ids = new Map<string, number>()
  /** Whose parent had not come yet when they were written. */
  private readonly orphans: [child: number, parent: string][] = []

  constructor(
    private readonly tx: Tx,
    private readonly actorOf: (who: string) => number,
    private readonly told: (tasks: number) => void,
  ) {
    this.inserter = new Inserter(tx)
  }

  /** Answers those that are written by now. */
  async task(given: RecordOf<'task'>, board: Placed): Promise<Made[]> {
    const full = this.batch.length >= BATCH || this.letters > MOST_LETTERS
    const made = full ? await this.write() : []
    this.letters += given.description?.length ?? 0
    this.batch.push({ given, board, versions: [] })
    return made
  }

  async version(version: RecordOf<'version'>): Promise<void> {
    this.letters += version.content.length
    this.batch.at(-1)!.versions.push(version)
  }

  async finish(): Promise<Made[]> {
    const made = await this.write()
    for (const [task_id, parent] of this.orphans)
      await this.tx
        .update(tasks)
        .set({ parent_task_id: this.ids.get(parent)! })
        .where(eq(tasks.task_id, task_id))
    return made
  }

  private async write(): Promise<Made[]> {
    const batch = this.batch
    this.batch = []
    this.letters = 0
    if (!batch.length) return []
    const written = await this.inserter.insert(
      tasks,
      batch.map((draft) => this.rowOf(draft)),
      ['task_id', 'ticket_number'],
    )
    // Not every engine promises to answer in the order of the rows.
    for (const { task_id, ticket_number } of written) this.ids.set(ticket_number, task_id)
    for (const { given } of batch)
      if (given.parent !== null && !this.isWritten(batch, given.parent))
        this.orphans.push([this.ids.get(given.ticket_number)!, given.parent])
    await this.around(batch)
    this.count += batch.length
    this.told(this.count)
    return batch.map((draft) => this.madeOf(draft))
  }

  /** Before this batch, so that its row could name it. */
  private isWritten(batch: readonly Draft[], ticket: string): boolean {
    return this.ids.has(ticket) && !batch.some(({ given }) => given.ticket_number === ticket)
  }

  private rowOf({ given, board }: Draft) {
    const { team_id, project_id, section_ids } = board
    const {
      board: _,
      section,
      parent,
      labels: __,
      assignees: ___,
      former_tickets: ____,
      ...own
    } = given
    return {
      ...own,
      ...{ team_id, project_id },
      section_id: section_ids[section]!,
      parent_task_id: parent === null ? null : (this.ids.get(parent) ?? null),
      start_date: orNull(own.start_date),
      due_at: orNull(own.due_at),
      created_by: this.actorOf(own.created_by),
      created_at: moment(own.created_at),
      updated_at: moment(own.updated_at),
      completed_at: orNull(own.completed_at),
    }
  }

  /** What belongs to the tasks of a batch. */
  private async around(batch: readonly Draft[]): Promise<void> {
    const of = <R>(rows: (draft: Draft, ids: { team_id: number; task_id: number }) => R[]) =>
      batch.flatMap((draft) => {
        const task_id = this.ids.get(draft.given.ticket_number)!
        return rows(draft, { team_id: draft.board.team_id, task_id })
      })
    const labelled = of(({ given, board }, ids) =>
      given.labels.map((name) => ({ ...ids, label_id: board.label_ids.get(name.toLowerCase())! })),
    )
    const assigned = of(({ given }, ids) =>
      given.assignees.map((who) => ({ ...ids, actor_id: this.actorOf(who) })),
    )
    const former = of(({ given }, ids) =>
      given.former_tickets.map((ticket_number) => ({ ...ids, ticket_number })),
    )
    const versions = of((draft, ids) =>
      draft.versions.map(({ task: _, author, created_at, ...one }) => ({
        ...{ ...ids, ...one },
        author_id: this.actorOf(author),
        created_at: moment(created_at),
      })),
    )
    await this.inserter.insert(taskLabels, labelled)
    await this.inserter.insert(taskAssignees, assigned)
    await this.inserter.insert(formerTickets, former)
    await this.inserter.insert(descriptionVersions, versions)
  }

  private madeOf({ given, board }: Draft): Made {
    const { team_id, project_id, section_ids } = board
    const { ticket_number, title, section } = given
    const task_id = this.ids.get(ticket_number)!
    return {
      place: { team_id, project_id, task_id },
      data: { ticket_number, title, section_id: section_ids[section]! },
    }
  }
}
