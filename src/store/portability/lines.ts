import type { Static, TArray, TObject, TProperties, TSchema } from '@sinclair/typebox'
import { and, eq, inArray } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../../kernel/caller.ts'
import type { FileStore } from '../../kernel/services.ts'
import type { Inserter } from '../bulk.ts'
import type { CheckedBoard, FileCheck } from './check.ts'
import type { Clean } from './clean.ts'
import { type Ids, Key, type Names, strict, Ticket } from './fields.ts'
import type { Content, Fields, PortableRows, Properties } from './rows.ts'

/** A kind of line in an exported team. */
export interface LineKind<K extends string = string, P extends TProperties = TProperties> {
  kind: K
  type: TObject<P>
  /** The tables that lines of this kind export. */
  rows: readonly PortableRows[]
  /** Cleans the texts of a record, because a file may come from anywhere. */
  clean?(record: Static<TObject<P>>, clean: Clean): Static<TObject<P>>
  /** Throws if the record contradicts other lines. */
  check(record: Static<TObject<P>>, file: FileCheck): void
  /** Checks what only the whole file shows. */
  checkFile?(file: FileCheck): void
}
export type RecordOf<L extends { type: TObject }> = Static<L['type']>

export interface ExportedBoard {
  project_id: number
  key: string
}

/** A team that is exported. */
export interface TeamExport {
  tx: Tx
  files: FileStore
  now: Date
  team_id: number
  /** By key. */
  boards: readonly ExportedBoard[]
  /** Every actor that a row of the team refers to. */
  actor_ids: readonly number[]
  names: Names
}

/** An imported board with the ids that its tasks refer to. */
export interface ImportedBoard {
  team_id: number
  project_id: number
  section_ids: readonly number[]
  /** By name in lower case. */
  label_ids: ReadonlyMap<string, number>
  /** By name, folded. */
  field_ids: ReadonlyMap<string, number>
  /** For the records of the board. */
  ids: Ids
}

/** A team that is imported and not yet published. */
export interface TeamImport {
  team_id: number
  now: Date
  inserter: Inserter
  /** Commits the open transaction before slow work, so that other writers need not wait. */
  commit(): Promise<void>
  clean: Clean
  actors: Map<string, number>
  boards: Map<string, ImportedBoard>
  /** For records that belong to no board. */
  ids: Ids
  taskOf(ticket: string): number | undefined
  /** Emails of people with an account on this server, and of those who get one. */
  known: string[]
  created: string[]
  /** The actor of the changes that publish the team. */
  owner_id: number
}

/** A change to write to the log when an import is published. */
export interface NewChange {
  type: string
  data: Record<string, unknown>
  project_id?: number
}

/** Lines that stand for themselves. */
export interface TeamLines<
  K extends string = string,
  P extends TProperties = TProperties,
  S = unknown,
> extends LineKind<K, P> {
  export(team: TeamExport): AsyncIterable<Static<TObject<P>>>
  /** Writes a record without publishing it. */
  stage(record: Static<TObject<P>>, team: TeamImport): Promise<S>
  /** Writes what needs the tasks of all boards. `staged` are the results of `stage`. */
  complete?(staged: readonly S[], team: TeamImport): Promise<void>
  /** Writes what others can see, in the transaction that publishes the team. */
  publish?(staged: readonly S[], team: TeamImport, tx: Tx): Promise<NewChange[]>
}

/** The identity function, for the inferred types of a declaration. */
export const standaloneLines = <K extends string, P extends TProperties, S>(
  lines: TeamLines<K, P, S>,
): TeamLines<K, P, S> => lines

/** A batch of tasks. One query per table loads the children of all of them. */
export interface TaskBatch extends Pick<TeamExport, 'tx' | 'team_id' | 'now' | 'names'> {
  task_ids: number[]
  /** Keeps the positions of the rows of one task. */
  number(kind: string, ids: readonly number[]): void
}

/** A task that is imported, with the records that follow it. */
export interface ImportedTask {
  place: { team_id: number; task_id: number }
  recordsOf<P extends TProperties>(
    lines: Pick<LineKind<string, P>, 'kind' | 'type'>,
  ): Static<TObject<P>>[]
  ids: Ids
  /** Keeps the ids of inserted rows, which come in the order of their lines. */
  number(kind: string, ids: readonly number[]): void
}

type Children<R> = Iterable<R> | AsyncIterable<R>

/** Lines that follow the task they belong to. `task` is their first field. */
export interface ChildLines<K extends string = string, P extends TProperties = TProperties>
  extends LineKind<K, P> {
  /** What a line is, at the beginning of a sentence. */
  what: string
  /** Loads the rows of several tasks, and returns the records of one of them. */
  load(batch: TaskBatch): Promise<(task_id: number) => Children<Omit<Static<TObject<P>>, 'task'>>>
  insert(tasks: readonly ImportedTask[], team: TeamImport): Promise<void>
  /** Columns of the task that are derived from its children. */
  taskColumns?(records: readonly Static<TObject<P>>[]): Record<string, unknown>
}

export const childLines = <K extends string, P extends TProperties>(
  lines: ChildLines<K, P>,
): ChildLines<K, P> => lines

/** The rows of the tasks of a batch, by task. */
export async function selectChildren<T extends ChildTable>(
  { tx, team_id, task_ids }: TaskBatch,
  table: T,
  orderBy: readonly PgColumn[],
): Promise<Map<number, T['$inferSelect'][]>> {
  const rows = await tx
    .select()
    .from(table as PgTable)
    .where(and(eq(table.team_id, team_id), inArray(table.task_id, task_ids)))
    .orderBy(...orderBy)
  return Map.groupBy(rows as T['$inferSelect'][], (row) => (row as { task_id: number }).task_id)
}
type ChildTable = PgTable & Record<'team_id' | 'task_id', PgColumn>

type Row<T extends PgTable> = T['$inferSelect']
type TaskProperties<F extends Fields> = Properties<F> & { task: typeof Ticket }
type BoardProperties<F extends Fields> = Properties<F> & { board: typeof Key }
type Optional<L, N extends keyof L> = Omit<L, N> & Partial<Pick<L, N>>

interface RowLines<T extends PgTable, F extends Fields> {
  rows: PortableRows<T, F>
  orderBy: readonly PgColumn[]
}
interface TaskRowLines<T extends PgTable, F extends Fields> extends RowLines<T, F> {
  /** The primary key, if other lines refer to the rows by position. */
  id?: keyof Row<T> & string
  /** Changes a row before it is exported. */
  exported?(row: Row<T>, now: Date): Row<T>
}

/** Lines of one row each that follow a task. */
export function taskRowLines<
  K extends string,
  T extends ChildTable,
  F extends Fields,
  P extends TProperties = TaskProperties<F>,
>({
  rows,
  orderBy,
  id,
  exported = (row) => row,
  check,
  ...own
}: TaskRowLines<T, F> &
  Optional<Omit<ChildLines<K, P>, 'type' | 'rows' | 'load' | 'insert'>, 'check'>): ChildLines<
  K,
  P
> {
  const { kind } = own as { kind: K }
  const { table } = rows
  const type = strict({ task: Ticket, ...rows.properties }) as unknown as TObject<P>
  return {
    ...(own as unknown as Pick<ChildLines<K, P>, 'kind' | 'what'>),
    ...{ type, rows: [rows as never] },
    check(record, file) {
      file.actor(...rows.actorsIn(record as never))
      check?.(record, file)
    },
    async load(batch) {
      const byTask = await selectChildren(batch, table, orderBy)
      if (id) for (const group of byTask.values()) batch.number(kind, idsIn(group, id))
      return (task_id) =>
        (byTask.get(task_id) ?? []).map((row) =>
          rows.write(exported(row, batch.now) as never, batch.names),
        ) as never
    },
    async insert(tasks, { inserter }) {
      const rowsOf = ({ place, ids, recordsOf }: ImportedTask) =>
        recordsOf({ kind, type }).map((record) => ({
          ...{ ...place, ...rows.read(record as never, ids) },
        })) as Row<T>[]
      if (!id) return void (await inserter.insert(table, tasks.flatMap(rowsOf)))
      for (const task of tasks)
        task.number(kind, idsIn(await inserter.insert(table, rowsOf(task), [id]), id))
    },
  }
}

const idsIn = (rows: readonly object[], id: string) =>
  rows.map((row) => (row as Record<string, number>)[id]!)

const boardOf = (record: object) => (record as { board: string }).board

/** Lines of one row each that belong to a board. */
export function boardRowLines<
  K extends string,
  T extends PgTable & Record<'team_id' | 'project_id', PgColumn>,
  F extends Fields,
  P extends TProperties = BoardProperties<F>,
>({
  rows,
  orderBy,
  more,
  check,
  ...own
}: RowLines<T, F> & {
  /** What a line is, at the beginning of a sentence. */
  what: string
  /** Columns that are derived from the record. */
  more?(record: Content<F>): Partial<Row<T>>
} & Optional<
    Omit<TeamLines<K, P>, 'type' | 'rows' | 'export' | 'stage' | 'complete' | 'publish'>,
    'check'
  >): TeamLines<K, P> {
  const { kind, what, clean } = own as unknown as LineKind<K, P> & { what: string }
  const { table } = rows
  return {
    ...{ kind, ...(clean && { clean }) },
    type: strict({ board: Key, ...rows.properties }) as unknown as TObject<P>,
    rows: [rows as never],
    check(record, file) {
      file.board(what, boardOf(record))
      file.actor(...rows.actorsIn(record as never))
      check?.(record, file)
    },
    async *export({ tx, team_id, boards, names }) {
      for (const { project_id, key: board } of boards) {
        const found = await tx
          .select()
          .from(table as PgTable)
          .where(and(eq(table.team_id, team_id), eq(table.project_id, project_id)))
          .orderBy(...orderBy)
        for (const row of found) yield { board, ...rows.write(row as never, names) } as never
      }
    },
    async stage(record, { inserter, boards }) {
      const { team_id, project_id, ids } = boards.get(boardOf(record))!
      const row = { ...rows.read(record as never, ids), ...more?.(record as never) }
      await inserter.insert(table, [{ team_id, project_id, ...row } as Row<T>])
    },
  }
}

/** A list in the line of a board, which holds the rows of one table. */
export interface BoardPart<N extends string = string, T extends TSchema = TSchema> {
  field: N
  type: TArray<T>
  rows: PortableRows
  /** Also adds the names of the rows to those of the file. */
  export(team: TeamExport, board: ExportedBoard): Promise<Static<T>[]>
  /** Returns the ids of the inserted rows. */
  stage(
    items: readonly Static<T>[],
    board: ImportedBoard,
    team: TeamImport,
  ): Promise<Partial<ImportedBoard>>
  check(items: readonly Static<T>[], board: CheckedBoard, file: FileCheck): void
  publish?(items: readonly Static<T>[], board: ImportedBoard, tx: Tx): Promise<void>
}

export const boardPart = <N extends string, T extends TSchema>(
  part: BoardPart<N, T>,
): BoardPart<N, T> => part
