import { and, asc, eq, inArray } from 'drizzle-orm'
import { generateKeyBetween } from 'fractional-indexing'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { folded, nameOf, type Project, placeOf, touchProject, urlOf } from '../projects/index.ts'
import { guessAdded, guessDone, type SectionRole } from './rules.ts'
import { MOST_COLUMNS, type SectionReceipt, type SectionRow } from './schema.ts'
import { sections } from './tables.ts'

export type Section = typeof sections.$inferSelect
type Board = Pick<Project, 'team_id' | 'project_id'>

export interface SectionDraft {
  title: string
  role?: SectionRole
  is_done?: boolean | null
  hidden?: boolean
  wip_limit?: number | null
  /** Null: first. Left out: last. */
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

/** A column of that board. */
export async function findSection(
  { tx }: Pick<Context, 'tx'>,
  { team_id, project_id }: Board,
  section_id: number,
  field = 'section_id',
): Promise<Section> {
  const [section] = await statements(tx).one.execute({ team_id, project_id, section_id })
  if (!section) throw noSection(section_id, field)
  return section
}

const noSection = (section_id: number, field: string) =>
  fault.notFound(
    field,
    `This board has no column ${section_id}`,
    section_id,
    'List its columns: svc_sections list, or GET /api/v1/projects/{project_id}/sections',
  )

const known = recall<number, Section>({
  key: (section_id) => section_id,
  from: [sections],
  async load(tx, ids) {
    const [section_id, ...others] = new Set(ids)
    const wanted = inArray(sections.section_id, [section_id!, ...others])
    const rows = others.length
      ? await tx.select().from(sections).where(wanted)
      : await statements(tx).alone.execute({ section_id })
    return new Map(rows.map((row) => [row.section_id, row]))
  },
})

/** Columns of any boards by their number, for what the caller may see anyway. */
export const sectionsById = (tx: Tx, ids: readonly number[]) => known.many(tx, ids)

/** Every column from left to right, hidden ones included. */
export const sectionsOf = (tx: Tx, { team_id, project_id }: Board): Promise<Section[]> =>
  statements(tx).all.execute({ team_id, project_id })

/** Where work goes that names no column. */
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
  const { title: given, role, is_done = null, hidden = false, after_section_id } = draft
  await touchProject(ctx.tx, project, ctx.now)
  const columns = await sectionsOf(ctx.tx, project)
  if (columns.length >= MOST_COLUMNS)
    throw fault.conflict(`A board has at most ${MOST_COLUMNS} columns`, { field: 'title' })
  const title = freeTitle(columns, given)
  const position =
    after_section_id === undefined ? columns.length : placeAfter(columns, after_section_id)
  const meant = role ?? guessAdded(title, position, columns.length + 1)
  const [section] = await ctx.tx
    .insert(sections)
    .values({
      ...{ team_id, project_id, title, is_done, hidden },
      role: meant,
      done: is_done ?? guessDone(title, meant),
      auto_assign: null,
      wip_limit: draft.wip_limit ?? null,
      rank: rankAt(columns, position),
      created_at: ctx.now,
    })
    .returning()
  const { section_id, done } = section!
  ctx.emit('section.created', placeOf(project), { section_id, title, role: meant, done })
  return section!
}

/** The title as it is kept; refused when another column reads the same. */
export function freeTitle(columns: readonly Section[], given: string, own?: number): string {
  const title = nameOf('title', given)
  const same = columns.find((column) => folded(column.title) === folded(title))
  if (!same || same.section_id === own) return title
  throw fault.conflict(
    `This board already has a column "${same.title}"`,
    { field: 'title', value: title, section_id: same.section_id },
    'Choose another title, or use that column',
  )
}

/** The place right of a column among these; null stands for the left edge. */
export function placeAfter(
  columns: readonly Section[],
  after: number | null,
  field = 'after_section_id',
): number {
  if (after === null) return 0
  const index = columns.findIndex(({ section_id }) => section_id === after)
  if (index < 0) throw noSection(after, field)
  return index + 1
}

/** An order key for what is put in at that place. */
export const rankAt = (columns: readonly Section[], position: number) =>
  generateKeyBetween(columns[position - 1]?.rank ?? null, columns[position]?.rank ?? null)

/** Columns as they are shown, with their place among all of the board's. */
export async function shownSections(
  tx: Tx,
  project: Board,
  rows: readonly Section[],
): Promise<SectionRow[]> {
  const places = (await sectionsOf(tx, project)).map(({ section_id }) => section_id)
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
      position: places.indexOf(row.section_id),
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
  const [shown] = await shownSections(ctx.tx, project, [section])
  const { created_at: _, ...receipt } = shown!
  return { ...receipt, changed, url: urlOf(ctx, project) }
}
