import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { requireTeamScope } from '../../../identity/teams/model/index.ts'
import { projectById } from '../../projects/model/index.ts'
import type { Counts, Import } from './schema.ts'
import { importedRows, type RowKind, sourceImports } from './tables.ts'

export type SourceImport = typeof sourceImports.$inferSelect
export type ImportedRow = typeof importedRows.$inferSelect

export const NO_COUNTS: Counts = {
  tasks: 0,
  comments: 0,
  attachments: 0,
  time_entries: 0,
  relations: 0,
}

/** Only owners and admins import, because imported texts name other people as their authors. */
export async function findImport(ctx: Context, import_id: number): Promise<SourceImport> {
  const found = ctx.tx.select().from(sourceImports).where(eq(sourceImports.import_id, import_id))
  const [row] = await (ctx.needs.endsWith(':read') ? found : forUpdate(found))
  const role = row && ctx.caller.teams.get(row.team_id)
  if (!row || (role !== 'owner' && role !== 'admin'))
    throw fault.notFound(
      'import_id',
      `There is no import ${import_id} that you may see`,
      import_id,
      'List them: GET /api/v1/imports; only owners and admins of a team import',
    )
  requireTeamScope(ctx, row.team_id)
  return row
}

export async function findByOrigin(
  tx: Tx,
  team_id: number,
  source: string,
  origin: string,
): Promise<SourceImport | undefined> {
  const [row] = await tx
    .select()
    .from(sourceImports)
    .where(
      and(
        eq(sourceImports.team_id, team_id),
        eq(sourceImports.source, source),
        eq(sourceImports.origin, origin),
      ),
    )
  return row
}

export async function toImports(tx: Tx, rows: readonly SourceImport[]): Promise<Import[]> {
  const ids = rows.map(({ import_id }) => import_id)
  const boards = new Map<number, Import['projects']>()
  for (const import_id of ids) boards.set(import_id, await boardsOf(tx, import_id))
  const authors = await actorsOf(
    tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map(({ import_id, source, title, state, counts, ...row }) => ({
    ...{ import_id, source, title, state, ...counts },
    projects: boards.get(import_id)!,
    created_by: asActor(authors.get(row.created_by)!),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}

async function boardsOf(tx: Tx, import_id: number): Promise<Import['projects']> {
  const rows = await tx
    .select({ project_id: importedRows.row_id })
    .from(importedRows)
    .where(and(eq(importedRows.import_id, import_id), eq(importedRows.kind, 'board')))
  const boards: Import['projects'] = []
  for (const { project_id } of rows) {
    const { key, title } = (await projectById(tx, project_id))!
    boards.push({ project_id, key, title })
  }
  return boards
}

/** The rows of records that were imported before, by kind and id of the source. */
export class KnownRows {
  private readonly rows = new Map<string, ImportedRow>()

  constructor(
    private readonly tx: Tx,
    private readonly source: Pick<SourceImport, 'team_id' | 'import_id'>,
  ) {}

  /** Loads rows; `get` returns only what was loaded or added. */
  async load(kind: RowKind, source_ids: Iterable<string>): Promise<void> {
    const { import_id } = this.source
    const missing = [...new Set(source_ids)].filter((id) => !this.get(kind, id))
    for (let from = 0; from < missing.length; from += MAX_IDS) {
      const found = await this.tx
        .select()
        .from(importedRows)
        .where(
          and(
            eq(importedRows.import_id, import_id),
            eq(importedRows.kind, kind),
            inArray(importedRows.source_id, missing.slice(from, from + MAX_IDS)),
          ),
        )
      for (const row of found) this.rows.set(keyOf(kind, row.source_id), row)
    }
  }

  get(kind: RowKind, source_id: string): ImportedRow | undefined {
    return this.rows.get(keyOf(kind, source_id))
  }

  async add(
    kind: RowKind,
    rows: readonly Pick<ImportedRow, 'source_id' | 'row_id' | 'created' | 'digests'>[],
  ): Promise<void> {
    const { team_id, import_id } = this.source
    const added = rows.map((row) => ({ team_id, import_id, kind, ...row }))
    if (added.length) await this.tx.insert(importedRows).values(added)
    for (const row of added) this.rows.set(keyOf(kind, row.source_id), row)
  }

  async update(
    row: ImportedRow,
    set: Partial<Pick<ImportedRow, 'row_id' | 'created' | 'digests'>>,
  ): Promise<void> {
    await this.tx.update(importedRows).set(set).where(this.isRow(row))
    Object.assign(row, set)
  }

  async remove(row: ImportedRow): Promise<void> {
    await this.tx.delete(importedRows).where(this.isRow(row))
    this.rows.delete(keyOf(row.kind, row.source_id))
  }

  private isRow({ kind, source_id }: ImportedRow) {
    return and(
      eq(importedRows.import_id, this.source.import_id),
      eq(importedRows.kind, kind),
      eq(importedRows.source_id, source_id),
    )
  }
}

const MAX_IDS = 200
const keyOf = (kind: RowKind, source_id: string) => `${kind} ${source_id}`
