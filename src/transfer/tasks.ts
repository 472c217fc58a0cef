import { eq } from 'drizzle-orm'
import type { Format } from '../content/index.ts'
import { folded } from '../features/projects/index.ts'
import {
  formerTickets,
  isOpen,
  relations,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
  textOf,
} from '../features/tasks/index.ts'
import { Inserter } from '../store/bulk.ts'
import { keepTexts } from '../store/fulltext.ts'
import type { Stage } from '../store/stage.ts'
import { countsOf, hang, noPieces, type Pieces } from './hung.ts'
import type { PieceKind, RecordOf } from './schema.ts'

/** A board in its new place: the rows that its tasks refer to. */
export interface Placed {
  team_id: number
  project_id: number
  section_ids: readonly number[]
  /** By name in lower case. */
  label_ids: ReadonlyMap<string, number>
  /** By name, folded. */
  field_ids: ReadonlyMap<string, number>
}

interface Draft {
  given: RecordOf<'task'>
  board: Placed
  pieces: Pieces
}

const BATCH = 100
/** Written with their texts in one transaction, so that the index never lacks one of them. */
const TOGETHER = { tasks: 20, letters: 100_000 }
/** Of descriptions and the texts before them. */
const MOST_LETTERS = 4_000_000
const moment = (text: string) => new Date(text)
const orNull = (text: string | null) => (text === null ? null : new Date(text))

/** Writes tasks many at a time, and knows by then which row has which ticket key. */
export class Tasks {
  count = 0
  /** The lowest and the highest number that one was given. */
  first = 0
  last = 0
  private batch: Draft[] = []
  private letters = 0
  private readonly inserter: Inserter
  private readonly ids = new Map<string, number>()
  /** Whose parent had not come yet when they were written. */
  private readonly orphans: [child: number, parent: string][] = []
  private readonly relations: RecordOf<'relation'>[] = []
  private team_id = 0

  constructor(
    private readonly stage: Stage,
    private readonly actorOf: (who: string) => number,
    private readonly clean: (text: string, format: Format) => string,
    private readonly told: (tasks: number) => void,
    private readonly now: Date,
  ) {
    this.inserter = new Inserter(stage.tx, stage.breathe)
  }

  async task(given: RecordOf<'task'>, board: Placed): Promise<void> {
    if (this.batch.length >= BATCH || this.letters > MOST_LETTERS) await this.write()
    this.letters += given.description?.length ?? 0
    this.team_id = board.team_id
    this.batch.push({ given, board, pieces: noPieces() })
  }

  /** What hangs on the task that came last. */
  async piece<K extends PieceKind>(kind: K, record: RecordOf<K>): Promise<void> {
    this.letters += JSON.stringify(record).length
    this.batch.at(-1)!.pieces[kind].push(record)
  }

  /** A tie between two tasks that are here, wherever in the file they stand. */
  relation(relation: RecordOf<'relation'>): void {
    this.relations.push(relation)
  }

  numberOf(ticket: string): number {
    return this.ids.get(ticket)!
  }

  async finish(): Promise<void> {
    await this.write()
    for (const [task_id, parent] of this.orphans) {
      await this.inserter.ready()
      await this.stage.tx
        .update(tasks)
        .set({ parent_task_id: this.ids.get(parent)! })
        .where(eq(tasks.task_id, task_id))
    }
    await this.inserter.insert(
      relations,
      this.relations.map((one) => this.tied(one)),
    )
  }

  /** Of two related tasks the one with the lower number stands first, and it has another here. */
  private tied({ kind, first, second, created_by, created_at }: RecordOf<'relation'>) {
    const ends = [this.ids.get(first)!, this.ids.get(second)!]
    if (kind === 'related') ends.sort((a, b) => a - b)
    const [first_id, second_id] = ends as [number, number]
    return {
      ...{ team_id: this.team_id, kind, first_id, second_id },
      created_by: this.actorOf(created_by),
      created_at: moment(created_at),
    }
  }

  private async write(): Promise<void> {
    const batch = this.batch
    this.batch = []
    this.letters = 0
    if (!batch.length) return
    // Taking texts apart needs no lock.
    await this.stage.commit()
    const drafts = batch.map((draft) => {
      const row = this.rowOf(draft)
      return { row, text: textOf({ ...row, task_id: 0 }) }
    })
    for (const some of together(drafts)) await this.insert(some)
    for (const { given } of batch)
      if (given.parent !== null && !this.isWritten(batch, given.parent))
        this.orphans.push([this.ids.get(given.ticket_number)!, given.parent])
    await this.around(batch)
    await this.stage.commit()
    this.count += batch.length
    this.told(this.count)
  }

  private async insert(some: readonly Written[]): Promise<void> {
    const rows = some.map(({ row }) => row)
    const written = await this.inserter.insert(tasks, rows, ['task_id', 'ticket_number'])
    for (const { task_id, ticket_number } of written) {
      // Not every engine promises to answer in the order of the rows.
      this.ids.set(ticket_number, task_id)
      this.first = Math.min(this.first || task_id, task_id)
      this.last = Math.max(this.last, task_id)
    }
    const texts = some.map(({ row, text }) => ({ ...text, id: this.ids.get(row.ticket_number)! }))
    await keepTexts(this.stage.tx, texts)
  }

  /** Before this batch, so that its row could name it. */
  private isWritten(batch: readonly Draft[], ticket: string): boolean {
    return this.ids.has(ticket) && !batch.some(({ given }) => given.ticket_number === ticket)
  }

  rowOf({ given, board, pieces }: Draft) {
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
    } = given
    return {
      ...own,
      ...{ team_id, project_id },
      section_id: section_ids[section]!,
      parent_task_id: parent === null ? null : (this.ids.get(parent) ?? null),
      start_date: orNull(own.start_date),
      due_at: orNull(own.due_at),
      recurrence: own.recurrence ?? null,
      repeats_from: own.repeats_from ?? null,
      starts_from: own.starts_from ?? null,
      reminded: own.reminded ?? this.toldOf(own.due_at),
      snoozed_until: orNull(own.snoozed_until ?? null),
      created_by: this.actorOf(own.created_by),
      created_at: moment(own.created_at),
      updated_at: moment(own.updated_at),
      completed_at: orNull(own.completed_at),
      section_changed_at: orNull(own.section_changed_at),
      ...countsOf(pieces),
    }
  }

  /** Older files do not say: of what was due before it came here, everybody knows. */
  private toldOf(due_at: string | null): 0 | 2 {
    return due_at !== null && moment(due_at) < this.now ? 2 : 0
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
      given.assignees.map((who) => ({ ...ids, actor_id: this.actorOf(who), open: isOpen(given) })),
    )
    const former = of(({ given }, ids) =>
      given.former_tickets.map((ticket_number) => ({ ...ids, ticket_number })),
    )
    const held = of(({ given, board }, ids) =>
      given.fields.map(({ name, ...value }) => ({
        ...{ ...ids, ...value },
        custom_field_id: board.field_ids.get(folded(name))!,
      })),
    )
    await this.inserter.insert(taskLabels, labelled)
    await this.inserter.insert(taskAssignees, assigned)
    await this.inserter.insert(formerTickets, former)
    await this.inserter.insert(taskFields, held)
    const hung = of(({ pieces }, ids) => [{ ids, pieces }])
    const { inserter, actorOf, clean, stage } = this
    await hang({ inserter, actorOf, clean, commit: stage.commit }, hung)
  }
}

type Written = { row: ReturnType<Tasks['rowOf']>; text: ReturnType<typeof textOf> }

function* together(drafts: readonly Written[]): Generator<Written[]> {
  let some: Written[] = []
  let letters = 0
  for (const draft of drafts) {
    const more = draft.row.description?.length ?? 0
    const isFull = some.length === TOGETHER.tasks || letters + more > TOGETHER.letters
    if (some.length && isFull) {
      yield some
      some = []
      letters = 0
    }
    some.push(draft)
    letters += more
  }
  if (some.length) yield some
}
