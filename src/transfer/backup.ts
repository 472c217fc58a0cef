import { getTableColumns, isNull, or, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { actors } from '../features/people/index.ts'
import { teams } from '../features/teams/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/outside.ts'
import { published, publishedActors } from '../store/imported.ts'
import { type Kind, kindOf, packed } from '../store/kinds.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { Unusable } from '../store/unusable.ts'
import { nameOf, type Row, rowsIn, walk } from '../store/walk.ts'
import { bytesIn, countFiles, type FileRecord, filesOf, keepBytes } from './files.ts'
import { ofTeams, saved } from './inventory.ts'
import { damaged, type Line, readFile } from './lines.ts'

const FORMAT = 'corkboard-backup'
const VERSION = 2
/** Rows of one line, by the length of their texts, so that no line grows without bound. */
const FULL = 256 * 1024

export interface Layout {
  name: string
  columns: { name: string; kind: Kind }[]
  rows: number
}

/** The first line of a backup. */
export interface Manifest {
  format: typeof FORMAT
  version: number
  cork: string
  engine: Snapshot['engine']
  created_at: string
  migrations: string[]
  /** The key that signs tokens and cookies, in base64url. */
  signing_key: string
  sequences: Record<string, number>
  tables: Layout[]
  /** How many attached files follow the rows. */
  files?: number
}

export interface Taken {
  snapshot: Snapshot
  signing_key: string
  cork: string
  now: Date
}

export async function manifestOf({ snapshot, signing_key, cork, now }: Taken): Promise<Manifest> {
  const tables: Layout[] = []
  for (const table of saved) {
    const columns = columnsOf(table).map(({ name, kind }) => ({ name, kind }))
    tables.push({
      name: nameOf(table),
      columns,
      rows: await rowsIn(snapshot.tx, table, shown(snapshot.tx, table)),
    })
  }
  return {
    format: FORMAT,
    version: VERSION,
    cork,
    engine: snapshot.engine,
    created_at: now.toISOString(),
    migrations: snapshot.migrations,
    signing_key,
    sequences: snapshot.sequences,
    tables,
    files: await countFiles(snapshot.tx),
  }
}

/** Leaves out what is being imported. */
function shown(tx: Tx, table: PgTable): SQL | undefined {
  if (table === actors) return publishedActors(tx, actors.actor_id)
  if (table === teams) return published(tx, teams.team_id)
  if (!ofTeams.includes(table)) return undefined
  const team_id = getTableColumns(table).team_id as PgColumn
  return team_id.notNull ? published(tx, team_id) : or(isNull(team_id), published(tx, team_id))
}

const columnsOf = (table: PgTable) =>
  Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.name,
    kind: kindOf(column),
  }))

export interface Source {
  snapshot: Snapshot
  files: FileStore
  manifest: Manifest
}

/** Everything that the database holds, a table after the other, and then the attached files. */
export async function* linesOf(
  { snapshot: { tx }, files, manifest }: Source,
  told: (rows: number) => void,
  lost: (sha256: string) => void,
): AsyncGenerator<Line> {
  yield { ...manifest }
  let done = 0
  for (const table of saved)
    for await (const rows of walk(tx, table, shown(tx, table))) {
      yield* bundled(table, rows)
      done += rows.length
      told(done)
    }
  for await (const file of filesOf(tx, files)) {
    if (file.data === null) lost(file.sha256)
    yield { file }
  }
}

function* bundled(table: PgTable, rows: Row[]): Generator<Line> {
  const name = nameOf(table)
  const columns = columnsOf(table)
  let bundle: unknown[][] = []
  let size = 0
  for (const row of rows) {
    const values = columns.map(({ key }) => packed(row[key]))
    for (const value of values) size += typeof value === 'string' ? value.length : 10
    bundle.push(values)
    if (size < FULL) continue
    yield { table: name, rows: bundle }
    bundle = []
    size = 0
  }
  if (bundle.length) yield { table: name, rows: bundle }
}

export interface Bundle {
  layout: Layout
  rows: unknown[][]
}

/**
 * What a backup holds, checked as it is read; it counts only once all of it was. Files are kept on
 * the way: bytes that nothing refers to in the end do no harm.
 */
export async function readBackup(
  path: string,
  files: FileStore,
): Promise<{ manifest: Manifest; bundles: AsyncGenerator<Bundle> }> {
  const lines = readFile(path)
  const first = await lines.next()
  if (first.done) throw damaged(path, 'it is empty')
  const manifest = checked(path, first.value.line)
  return { manifest, bundles: bundles(path, manifest, lines, files) }
}

function checked(path: string, line: Line): Manifest {
  const manifest = line as unknown as Manifest
  if (manifest.format !== FORMAT)
    throw new Unusable(
      `${path} is no backup made by "cork backup". A team that was exported is taken in by "cork import".`,
    )
  if (manifest.version > VERSION)
    throw new Unusable(
      `${path} was made by a newer cork (${manifest.cork}). Restore it with that version.`,
    )
  return manifest
}

async function* bundles(
  path: string,
  { tables, files: many = 0 }: Manifest,
  lines: ReturnType<typeof readFile>,
  files: FileStore,
): AsyncGenerator<Bundle> {
  const layouts = new Map(tables.map((layout) => [layout.name, layout]))
  const left = new Map(tables.map(({ name, rows }) => [name, rows]))
  let kept = 0
  for await (const { number, line } of lines) {
    if (line.file) {
      await takeIn(path, line.file as FileRecord, files)
      kept++
      continue
    }
    const { table, rows } = line as { table?: string; rows?: unknown[][] }
    const layout = layouts.get(String(table))
    if (!layout || !Array.isArray(rows) || rows.some((row) => !fits(row, layout)))
      throw damaged(path, `line ${number} holds no rows of a table it names at its beginning`)
    left.set(layout.name, left.get(layout.name)! - rows.length)
    yield { layout, rows }
  }
  const wrong = [...left].find(([, rows]) => rows !== 0)
  if (wrong) throw damaged(path, `the rows of its table ${wrong[0]} are not all there`)
  if (kept !== many) throw damaged(path, `it should hold ${many} files, and holds ${kept}`)
}

async function takeIn(path: string, file: FileRecord, files: FileStore): Promise<void> {
  const bytes = bytesIn(file)
  if (typeof bytes === 'string') throw damaged(path, bytes)
  if (bytes) await keepBytes(files, bytes)
}

const fits = (row: unknown, { columns }: Layout) =>
  Array.isArray(row) && row.length === columns.length
