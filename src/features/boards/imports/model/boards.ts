import { eq } from 'drizzle-orm'
import type { Board, Column, CustomField } from '../../../../import/record.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { addToBoard } from '../../../identity/members/model/index.ts'
import { createField, fieldsOf } from '../../custom_fields/model/index.ts'
import { createLabel, labelsOf } from '../../labels/model/index.ts'
import {
  findProject,
  foldName,
  insertProject,
  type Project,
  projectById,
  projects,
  setProjectStatus,
  wantedKeys,
} from '../../projects/model/index.ts'
import { createSection, guessRoles, sectionsOf } from '../../sections/model/index.ts'
import type { ImportedRow, KnownRows, SourceImport } from './store.ts'

type BoardRecord = Board & { project_id?: number }

/** The id under which a part of a board is known. */
export const partId = (board: string, name: string) => `${board} ${foldName(name)}`

/**
 * Creates the board of a record, or takes the one that it names, and adds the columns, labels and
 * fields that no earlier import has added. Parts that were deleted here stay deleted.
 */
export async function importBoard(
  ctx: Context,
  source: SourceImport,
  known: KnownRows,
  record: BoardRecord,
  description: string | null,
): Promise<{ row: ImportedRow; problems: string[] }> {
  const { id, columns, labels, fields } = record
  await known.load('board', [id])
  const before = known.get('board', id)
  const project = before
    ? (await projectById(ctx.tx, before.row_id))!
    : await targetProject(ctx, source, record, description)
  if (!before) {
    const created = record.project_id === undefined
    await known.add('board', [
      { source_id: id, row_id: project.project_id, created, digests: null },
    ])
  } else if (source.state !== 'running') await setProjectStatus(ctx, project, 'Normal')
  const problems = [
    ...(await addColumns(ctx, project, known, id, columns)),
    ...(await addLabels(ctx, project, known, id, labels)),
    ...(await addFields(ctx, project, known, id, fields)),
  ]
  return { row: known.get('board', id)!, problems }
}

async function targetProject(
  ctx: Context,
  { team_id, source, title }: SourceImport,
  record: BoardRecord,
  description: string | null,
): Promise<Project> {
  if (record.project_id !== undefined) return findProject(ctx, record.project_id)
  const { key } = record
  const source_summary = `Imported from ${source}: ${title}`
  const draft = { title: record.title, key, description, source_summary }
  const project = await insertProject(ctx, team_id, draft)
  await addToBoard(ctx.tx, project, ctx.caller.person_id, ctx.now)
  return project
}

async function addColumns(
  ctx: Context,
  project: Project,
  known: KnownRows,
  board: string,
  columns: readonly Column[],
): Promise<string[]> {
  await known.load(
    'column',
    columns.map(({ title }) => partId(board, title)),
  )
  const roles = guessRoles(columns.map(({ title, done }) => ({ title, is_done: done ?? null })))
  for (const [at, { title, done, hidden, wip_limit }] of columns.entries()) {
    const source_id = partId(board, title)
    if (known.get('column', source_id)) continue
    const existing = (await sectionsOf(ctx.tx, project)).find(
      (section) => foldName(section.title) === foldName(title),
    )
    const draft = { title, hidden, wip_limit, role: roles[at]!, is_done: done ?? null }
    const section = existing ?? (await createSection(ctx, project, draft))
    const row = { source_id, row_id: section.section_id, created: !existing, digests: null }
    await known.add('column', [row])
  }
  return []
}

async function addLabels(
  ctx: Context,
  project: Project,
  known: KnownRows,
  board: string,
  labels: Board['labels'],
): Promise<string[]> {
  await known.load(
    'label',
    labels.map(({ name }) => partId(board, name)),
  )
  const missing = new Map(
    labels
      .map((label) => [partId(board, label.name), label] as const)
      .filter(([id]) => !known.get('label', id)),
  )
  if (!missing.size) return []
  const existing = new Map(
    (await labelsOf(ctx.tx, project)).map((label) => [foldName(label.name), label]),
  )
  for (const [source_id, draft] of missing) {
    const before = existing.get(foldName(draft.name))
    const { label_id } = before ?? (await createLabel(ctx, project, draft))
    await known.add('label', [{ source_id, row_id: label_id, created: !before, digests: null }])
  }
  return []
}

async function addFields(
  ctx: Context,
  project: Project,
  known: KnownRows,
  board: string,
  fields: readonly CustomField[],
): Promise<string[]> {
  await known.load(
    'field',
    fields.map(({ name }) => partId(board, name)),
  )
  const problems: string[] = []
  for (const { name, type, options = [] } of fields) {
    const source_id = partId(board, name)
    if (known.get('field', source_id)) continue
    const existing = await fieldsOf(ctx.tx, project)
    const same = existing.find((field) => field.folded === foldName(name) && field.type === type)
    const isTaken = existing.some((field) => field.folded === foldName(name))
    try {
      const newOptions = options.map((label) => ({ option_id: Bun.randomUUIDv7(), label }))
      const draft = { name: isTaken ? `${name} (${type})` : name, type, options: newOptions }
      const { custom_field_id } = same ?? (await createField(ctx, project, draft))
      const row = { source_id, row_id: custom_field_id, created: !same, digests: null }
      await known.add('field', [row])
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      problems.push(`Field ${name}: ${error.message}`)
    }
  }
  return problems
}

interface PreviewedBoard {
  id: string
  title: string
  key?: string
}

/** The boards that an earlier import made, and the keys that new ones would get. */
export async function matchBoards(
  tx: Tx,
  team_id: number,
  boards: readonly PreviewedBoard[],
  known: KnownRows | undefined,
) {
  await known?.load(
    'board',
    boards.map(({ id }) => id),
  )
  const { project_id, key } = projects
  const rows = await tx
    .select({ project_id, key })
    .from(projects)
    .where(eq(projects.team_id, team_id))
  const keys = new Map(rows.map((row) => [row.project_id, row.key]))
  const taken = new Set(keys.values())
  return boards.map(({ id, title, key }) => {
    const project_id = known?.get('board', id)?.row_id ?? null
    const free = Iterator.from(wantedKeys(key, title)).find((one) => !taken.has(one)) ?? ''
    if (project_id === null) taken.add(free)
    return { id, project_id, key: project_id === null ? free : keys.get(project_id)! }
  })
}
