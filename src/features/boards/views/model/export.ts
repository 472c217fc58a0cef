import { setImmediate } from 'node:timers/promises'
import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { multiSortPage } from '../../../../store/multi-sort.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { fieldsOf } from '../../custom_fields/model/index.ts'
import { type Project, ProjectId } from '../../projects/model/index.ts'
import { Role, type Section, SectionId, sectionsOf } from '../../sections/model/index.ts'
import { DEFAULTS } from './draft.ts'
import { queryOfView, shownColumns, type ViewRules } from './tasks.ts'

/** Rows per query; other requests run in between. */
const BATCH_SIZE = 1000
/** In an order that no index has, every query reads the whole list. */
const UNINDEXED_BATCH_SIZE = 5000

export const exportFormat = {
  format: t.Optional(
    t.Union(
      ['markdown', 'csv', 'json', 'ics'].map((format) => t.Literal(format)),
      { description: 'Returns a file; without it: the numbers of the tasks' },
    ),
  ),
  full: t.Optional(
    t.Boolean({ description: 'For markdown: also descriptions and comments; default false' }),
  ),
}

export const ExportPlan = t.Object(
  {
    project_id: ProjectId,
    key: t.String({ description: 'Key of the board' }),
    title: t.String({ description: 'Title of the board, or of the board and the view' }),
    custom_fields: t.Array(t.Object({ field_id: t.String(), name: t.String() })),
    columns: t.Array(
      t.Object({
        section_id: SectionId,
        title: t.String(),
        role: Role,
        done: t.Boolean({ description: 'Its tasks are completed' }),
        task_ids: t.Array(t.Integer(), { description: 'In order; subtasks after their parent' }),
      }),
    ),
  },
  { files: ['text/markdown', 'text/csv', 'text/calendar'] },
)
export type ExportPlan = Static<typeof ExportPlan>

/** The order in which the tasks of a board, or of one of its views, are exported. */
export async function planExport(
  ctx: Context,
  project: Project,
  view?: ViewRules & { title: string },
): Promise<ExportPlan> {
  const sections = await sectionsOf(ctx.tx, project)
  const everyId = sections.map(({ section_id }) => section_id)
  const rules = view ?? { ...DEFAULTS, visible_section_ids: everyId }
  const rowsBySection = await rowsOf(ctx, project, rules, sections)
  const fields = await fieldsOf(ctx.tx, project)
  const { project_id, key, title } = project
  return {
    project_id,
    key,
    title: view ? `${title}: ${view.title}` : title,
    custom_fields: fields.map(({ field_id, name }) => ({ field_id, name })),
    columns: shownColumns(rules, sections).map(({ section_id, title, role, done }) => {
      const rows = rowsBySection.get(section_id) ?? []
      return { section_id, title, role, done, task_ids: subtasksAfterParents(rows) }
    }),
  }
}

type Row = Pick<typeof tasks.$inferSelect, 'task_id' | 'parent_task_id' | 'section_id'>

async function rowsOf(
  ctx: Context,
  project: Project,
  view: ViewRules,
  sections: readonly Section[],
): Promise<Map<number, Row[]>> {
  const { task_id, parent_task_id, section_id } = tasks
  const query = {
    ...(await queryOfView(ctx, { view, project }, sections)),
    name: 'export',
    columns: { task_id, parent_task_id, section_id },
    total: async () => 0,
  }
  const limit = query.blocks ? BATCH_SIZE : UNINDEXED_BATCH_SIZE
  const rowsBySection = new Map<number, Row[]>()
  const seen = new Set<number>()
  let cursor: string | null | undefined
  do {
    const { rows, page } = await multiSortPage(ctx.tx, { limit, ...(cursor && { cursor }) }, query)
    for (const row of rows) {
      // A task that moves meanwhile may be in two batches.
      if (seen.has(row.task_id)) continue
      seen.add(row.task_id)
      const rows = rowsBySection.get(row.section_id)
      if (rows) rows.push(row)
      else rowsBySection.set(row.section_id, [row])
    }
    cursor = page.next_cursor
    await setImmediate()
  } while (cursor)
  return rowsBySection
}

/** Moves each task after its parent, if both are in the same column. */
function subtasksAfterParents(rows: readonly Row[]): number[] {
  const children = rows.filter(({ parent_task_id }) => parent_task_id !== null)
  if (!children.length) return rows.map(({ task_id }) => task_id)
  const ids = new Set(rows.map(({ task_id }) => task_id))
  const isNested = ({ parent_task_id }: Row) => parent_task_id !== null && ids.has(parent_task_id)
  const childrenOf = Map.groupBy(children.filter(isNested), (row) => row.parent_task_id)
  const ordered: number[] = []
  const add = ({ task_id }: Row) => {
    ordered.push(task_id)
    for (const child of childrenOf.get(task_id) ?? []) add(child)
  }
  for (const row of rows) if (!isNested(row)) add(row)
  return ordered
}
