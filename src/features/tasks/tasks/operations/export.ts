import { type Static, Type as t } from '@sinclair/typebox'
import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { MAX_ROWS } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { byteLength, countThatFits } from '../../../../store/paginate.ts'
import { outputValue, valuesOn } from '../../../boards/custom_fields/model/index.ts'
import { findProject, type Project, ProjectId } from '../../../boards/projects/model/index.ts'
import { type Repeat, repeatsOf } from '../../../time/calendar/model/index.ts'
import { convertTexts } from '../../descriptions/model/index.ts'
import { TaskRow, taskRows } from '../../records/model/index.ts'
import { RelationRow, relationsOfTasks } from '../../relations/model/index.ts'
import { TaskId } from '../model/schema.ts'
import { tasks } from '../model/tables.ts'

const ExportedTask = t.Object({
  ...TaskRow.properties,
  description: t.Union([t.String(), t.Null()]),
  parent: t.Union([t.String(), t.Null()], { description: 'Key of the parent task' }),
  relations: t.Array(t.Pick(RelationRow, ['relation_type', 'ticket_number', 'title'])),
  repeat: t.Unsafe<Repeat | null>({ description: 'Its repeat rule as iCalendar writes it' }),
})
type ExportedTask = Static<typeof ExportedTask>

/** Used by exports, which read the tasks in the order that `projects.export` returns. */
export const readExport = operation({
  name: 'tasks.read_export',
  summary: 'The next tasks of an export, with everything that a file shows of them',
  needs: 'tasks:read',
  dependsOn: ['task'],
  // Each is read once.
  uncached: true,
  on: {},
  input: t.Object({
    project_id: ProjectId,
    task_ids: t.Array(TaskId, { minItems: 1, maxItems: MAX_ROWS }),
  }),
  output: t.Object({
    tasks: t.Array(ExportedTask),
    read: t.Integer({ description: 'Number of ids that were read: as many as their texts allow' }),
  }),
  async run({ project_id, task_ids }, ctx) {
    const project = await findProject(ctx, project_id)
    const sizes = await textSizes(ctx, project, task_ids)
    const read = countThatFits(task_ids.map((task_id) => sizes.get(task_id) ?? 0))
    // Tasks that were deleted or moved to another board since the export began are left out.
    const found = task_ids.slice(0, read).filter((task_id) => sizes.has(task_id))
    return { tasks: await exportedTasks(ctx, project, found), read }
  },
})

/** The sizes of the descriptions of those of these tasks that are on the board. */
async function textSizes({ tx }: Context, { project_id }: Project, ids: readonly number[]) {
  const rows = await tx
    .select({ task_id: tasks.task_id, bytes: byteLength(tasks.description) })
    .from(tasks)
    .where(
      and(
        isOneOf(tasks.task_id, ids),
        eq(tasks.project_id, project_id),
        ne(tasks.status, 'Deleted'),
      ),
    )
  return new Map(rows.map(({ task_id, bytes }) => [task_id, bytes]))
}

async function exportedTasks(
  ctx: Context,
  { team_id }: Project,
  ids: readonly number[],
): Promise<ExportedTask[]> {
  const stored = await taskRows(ctx, ids, { withText: true })
  const rows = convertTexts(ctx, stored, 'markdown')
  const relations = await relationsOfTasks(ctx, team_id, ids)
  const repeats = await repeatsOf(ctx, ids)
  const parents = await keysOf(
    ctx,
    rows.flatMap(({ parent_task_id }) => parent_task_id ?? []),
  )
  const exported: ExportedTask[] = []
  for (const row of rows)
    exported.push({
      ...row,
      description: row.description ?? null,
      custom_fields: await fullValues(ctx, team_id, row),
      parent: parents.get(row.parent_task_id) ?? null,
      relations: (relations.get(row.task_id) ?? []).map(({ task_id: _, ...rest }) => rest),
      repeat: repeats.get(row.task_id) ?? null,
    })
  return exported
}

async function keysOf({ tx }: Context, ids: readonly number[]) {
  const { task_id, ticket_number } = tasks
  const rows = ids.length
    ? await tx.select({ task_id, ticket_number }).from(tasks).where(isOneOf(task_id, ids))
    : []
  return new Map<number | null, string>(rows.map((row) => [row.task_id, row.ticket_number]))
}

/** The custom fields of a task. Rows have only the beginning of long texts. */
async function fullValues({ tx }: Context, team_id: number, { task_id, custom_fields }: TaskRow) {
  if (!custom_fields.some(({ clipped }) => clipped)) return custom_fields
  const values = await valuesOn(tx, { team_id, task_id })
  return values.map((value) => outputValue(value))
}
