import { getTableColumns, isNull, or, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { actors } from '../features/identity/people/model/index.ts'
import { teams } from '../features/identity/teams/model/index.ts'
import {
  countFiles,
  type FileRecord,
  filesOf,
  storeBytes,
  verifiedBytes,
} from '../features/tasks/files/model/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/services.ts'
import { type ColumnKind, kindOf, toJsonValue } from '../store/column-kinds.ts'
import { isPublished, isPublishedActor } from '../store/published.ts'
import { countRows, type Row, scanTable, tableName } from '../store/scan.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { UnusableError } from '../store/unusable.ts'
import { damagedFile, type Line, readFile } from './lines.ts'
import { savedTables, stagedTables } from './tables.ts'

const FORMAT = 'corkboard-backup'
const VERSION = 2
/** Length of the texts in one line, so that no line grows without bound. */
const MAX_BUNDLE_LENGTH = 256 * 1024

export interface Layout {
  name: string
  columns: { name: string; kind: ColumnKind }[]
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

export interface BackupInput {
  snapshot: Snapshot
  signing_key: string
  cork: string
  now: Date
}

export async function manifestOf({
  snapshot,
  signing_key,
  cork,
  now,
}: BackupInput): Promise<Manifest> {
  const tables: Layout[] = []
  for (const table of savedTables) {
    const columns = columnsOf(table).map(({ name, kind }) => ({ name, kind }))
    tables.push({
      name: tableName(table),
      columns,
      rows: await countRows(snapshot.tx, table, publishedOnly(snapshot.tx, table)),
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

/** Condition that leaves out rows of unpublished imports. */
function publishedOnly(tx: Tx, table: PgTable): SQL | undefined {
  if (table === actors) return isPublishedActor(tx, actors.actor_id)
  if (table === teams) return isPublished(tx, teams.team_id)
  if (!stagedTables.includes(table)) return undefined
  const team_id = getTableColumns(table).team_id as PgColumn
  return team_id.notNull ? isPublished(tx, team_id) : or(isNull(team_id), isPublished(tx, team_id))
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

/** The lines of a backup: the manifest, the rows table by table, then the attached files. */
export async function* linesOf(
  { snapshot: { tx }, files, manifest }: Source,
  onProgress: (rows: number) => void,
  onMissingFile: (sha256: string) => void,
): AsyncGenerator<Line> {
  yield { ...manifest }
  let rowCount = 0
  for (const table of savedTables)
    for await (const rows of scanTable(tx, table, publishedOnly(tx, table))) {
      yield* bundleRows(table, rows)
      rowCount += rows.length
      onProgress(rowCount)
    }
  for await (const file of filesOf(tx, files)) {
    if (file.data === null) onMissingFile(file.sha256)
    yield { file }
  }
}

function* bundleRows(table: PgTable, rows: Row[]): Generator<Line> {
  const name = tableName(table)
  const columns = columnsOf(table)
  let bundle: unknown[][] = []
  let size = 0
  for (const row of rows) {
    const values = columns.map(({ key }) => toJsonValue(row[key]))
    for (const value of values) size += typeof value === 'string' ? value.length : 10
    bundle.push(values)
    if (size < MAX_BUNDLE_LENGTH) continue
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
 * Reads a backup and checks it on the way; it is valid only once `bundles` has ended. Attached files
 * are stored on the way: a sweep removes bytes that no row refers to in the end.
 */
export async function readBackup(
  path: string,
  files: FileStore,
): Promise<{ manifest: Manifest; bundles: AsyncGenerator<Bundle> }> {
  const lines = readFile(path)
  const first = await lines.next()
  if (first.done) throw damagedFile(path, 'it is empty')
  const manifest = parseManifest(path, first.value.line)
  return { manifest, bundles: bundles(path, manifest, lines, files) }
}

function parseManifest(path: string, line: Line): Manifest {
  const manifest = line as unknown as Manifest
  if (manifest.format !== FORMAT)
    throw new UnusableError(
      `${path} is not a backup made by "cork backup". Import an exported team with "cork import".`,
    )
  if (manifest.version > VERSION)
    throw new UnusableError(
      `${path} was made by a newer cork (${manifest.cork}). Restore it with that version.`,
    )
  return manifest
}

async function* bundles(
  path: string,
  { tables, files: fileCount = 0 }: Manifest,
  lines: ReturnType<typeof readFile>,
  files: FileStore,
): AsyncGenerator<Bundle> {
  const layouts = new Map(tables.map((layout) => [layout.name, layout]))
  const missingRows = new Map(tables.map(({ name, rows }) => [name, rows]))
  let storedFiles = 0
  for await (const { number, line } of lines) {
    if (line.file) {
      await storeFile(path, line.file as FileRecord, files)
      storedFiles++
      continue
    }
    const { table, rows } = line as { table?: string; rows?: unknown[][] }
    const layout = layouts.get(String(table))
    if (!layout || !Array.isArray(rows) || rows.some((row) => !fits(row, layout)))
      throw damagedFile(path, `line ${number} has no rows of the tables listed at its beginning`)
    missingRows.set(layout.name, missingRows.get(layout.name)! - rows.length)
    yield { layout, rows }
  }
  const incomplete = [...missingRows].find(([, rows]) => rows !== 0)
  if (incomplete) throw damagedFile(path, `the rows of its table ${incomplete[0]} are incomplete`)
  if (storedFiles !== fileCount)
    throw damagedFile(path, `it should contain ${fileCount} files, but contains ${storedFiles}`)
}

async function storeFile(path: string, file: FileRecord, files: FileStore): Promise<void> {
  const bytes = verifiedBytes(file)
  if (typeof bytes === 'string') throw damagedFile(path, bytes)
  if (bytes) await storeBytes(files, bytes)
}

const fits = (row: unknown, { columns }: Layout) =>
  Array.isArray(row) && row.length === columns.length
