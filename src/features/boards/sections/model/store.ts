import { and, asc, eq, inArray } from 'drizzle-orm'
import { generateKeyBetween } from 'fractional-indexing'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import {
  cleanName,
  foldName,
  type Project,
  placeOf,
  touchProject,
  urlOf,
} from '../../projects/model/index.ts'
import { guessDone, guessRoleOfAdded, type SectionRole } from './rules.ts'
import { MAX_COLUMNS, type SectionReceipt, type SectionRow } from './schema.ts'
import { sections } from './tables.ts'

export type Section = typeof sections.$inferSelect
type Board = Pick<Project, 'team_id' | 'project_id'>

export interface SectionDraft {
  title: string
  role?: SectionRole
  is_done?: boolean | null
  hidden?: boolean
  wip_limit?: number | null
  color?: string | null
  /** Null places it first, undefined last. */
  after_section_id?: number | null
}

const statements = prepared((tx) => ({
  one: tx
    .select()
    .from(sections)
    .where(
      and(
        eq(sections.team_id, param('team_id')),
        eq(sections.project_id, param('project_id')),
        eq(sections.section_id, param('section_id')),
      ),
    )
    .prepare('section_by_id'),
  alone: tx
    .select()
    .from(sections)
    .where(eq(sections.section_id, param('section_id')))
    .prepare('section_by_number'),
  all: tx
    .select()
    .from(sections)
    .where(
      and(eq(sections.team_id, param('team_id')), eq(sections.project_id, param('project_id'))),
    )
    .orderBy(asc(sections.rank), asc(sections.section_id))
    .prepare('sections_of'),
}))

/** Loads a section; throws not_found if it belongs to another board. */
export async function findSection(
  { tx }: Pick<Context, 'tx'>,
  { team_id, project_id }: Board,
  section_id: number,
  field = 'section_id',
): Promise<Section> {
  const [section] = await statements(tx).one.execute({ team_id, project_id, section_id })
  if (!section) throw sectionNotFound(section_id, field)
  return section
}

const sectionNotFound = (section_id: number, field: string) =>
  fault.notFound(
    field,
    `This board has no column ${section_id}`,
    section_id,
    'List its columns: svc_sections list, or GET /api/v1/projects/{project_id}/sections',
  )

const sectionCache = cachedLoader<number, Section>({
  key: (section_id) => section_id,
  dependsOn: [sections],
  async load(tx, ids) {
    const [section_id, ...others] = new Set(ids)
    const hasId = inArray(sections.section_id, [section_id!, ...others])
    const rows = others.length
      ? await tx.select().from(sections).where(hasId)
      : await statements(tx).alone.execute({ section_id })
    return new Map(rows.map((row) => [row.section_id, row]))
  },
})

/** Sections of any boards by id. It checks no permissions. */
export const sectionsById = (tx: Tx, ids: readonly number[]) => sectionCache.getMany(tx, ids)

/** All sections of a board from left to right, hidden ones included. */
export const sectionsOf = (tx: Tx, { team_id, project_id }: Board): Promise<Section[]> =>
  statements(tx).all.execute({ team_id, project_id })

/**
 * The default section for new tasks: the first that is neither done nor hidden, else the first of
 * all.
 */
export async function firstOpenSection(tx: Tx, project: Board): Promise<Section> {
  const columns = await sectionsOf(tx, project)
  const section = columns.find(({ done, hidden }) => !done && !hidden) ?? columns[0]
  if (section) return section
  throw fault.conflict(
    'This board has no columns',
    { field: 'section_id' },
    'Create one first: svc_sections create',
  )
}

export async function createSection(
  ctx: Context,
  project: Project,
  draft: SectionDraft,
): Promise<Section> {
  const { team_id, project_id } = project
  const { title: requestedTitle, role, is_done = null, hidden = false, after_section_id } = draft
  await touchProject(ctx.tx, project, ctx.now)
  const columns = await sectionsOf(ctx.tx, project)
  if (columns.length >= MAX_COLUMNS)
    throw fault.conflict(`A board has at most ${MAX_COLUMNS} columns`, { field: 'title' })
  const title = uniqueTitle(columns, requestedTitle)
  const position =
    after_section_id === undefined ? columns.length : positionAfter(columns, after_section_id)
  const finalRole = role ?? guessRoleOfAdded(title, position, columns.length + 1)
  const [section] = await ctx.tx
    .insert(sections)
    .values({
      team_id,
      project_id,
      title,
      is_done,
      hidden,
      role: finalRole,
      done: is_done ?? guessDone(title, finalRole),
      auto_assign: null,
      wip_limit: draft.wip_limit ?? null,
      color: draft.color?.toLowerCase() ?? null,
      rank: rankAt(columns, position),
      created_at: ctx.now,
    })
    .returning()
  const { section_id, done } = section!
  ctx.emit('section.created', placeOf(project), { section_id, title, role: finalRole, done })
  return section!
}

/** Normalizes a title, and refuses one that another section of the board has. */
export function uniqueTitle(columns: readonly Section[], requested: string, own?: number): string {
  const title = cleanName('title', requested)
  const existing = columns.find((column) => foldName(column.title) === foldName(title))
  if (!existing || existing.section_id === own) return title
  throw fault.conflict(
    `This board already has a column "${existing.title}"`,
    { field: 'title', value: title, section_id: existing.section_id },
    'Use another title, or that column',
  )
}

/** The position after a section; null stands for the left edge. */
export function positionAfter(
  columns: readonly Section[],
  after: number | null,
  field = 'after_section_id',
): number {
  if (after === null) return 0
  const index = columns.findIndex(({ section_id }) => section_id === after)
  if (index < 0) throw sectionNotFound(after, field)
  return index + 1
}

/** A rank for inserting a section at a position. */
export const rankAt = (columns: readonly Section[], position: number) =>
  generateKeyBetween(columns[position - 1]?.rank ?? null, columns[position]?.rank ?? null)

/** Converts sections to their output form, with their position on the board. */
export async function toSectionRows(
  tx: Tx,
  project: Board,
  rows: readonly Section[],
): Promise<SectionRow[]> {
  const orderedIds = (await sectionsOf(tx, project)).map(({ section_id }) => section_id)
  const actors = await actorsOf(
    tx,
    rows.flatMap(({ auto_assign }) => auto_assign ?? []),
  )
  return rows.map((row) => {
    const assignee = actors.get(row.auto_assign ?? 0)
    return {
      section_id: row.section_id,
      project_id: row.project_id,
      title: row.title,
      role: row.role,
      is_done: row.is_done,
      done: row.done,
      hidden: row.hidden,
      auto_assign: assignee ? asActor(assignee) : null,
      wip_limit: row.wip_limit,
      color: row.color,
      position: orderedIds.indexOf(row.section_id),
      created_at: row.created_at.toISOString(),
    }
  })
}

export async function receiptOf(
  ctx: Context,
  project: Board,
  section: Section,
  changed: string[],
): Promise<SectionReceipt> {
  const [row] = await toSectionRows(ctx.tx, project, [section])
  const { created_at: _, ...receipt } = row!
  return { ...receipt, changed, url: urlOf(ctx, project) }
}
