import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { PageInfo, Paging } from '../../../../kernel/list.ts'
import { pageOf } from '../../../../store/page.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { countsOf, tasks } from '../../tasks/model/index.ts'
import { taskRows } from './rows.ts'
import type { TaskRow } from './schema.ts'

export const inSection = ({ team_id, section_id }: Section) =>
  and(eq(tasks.team_id, team_id), eq(tasks.section_id, section_id))

/** A page of the section's tasks from top to bottom. */
export async function tasksOfSection(
  ctx: Context,
  section: Section,
  paging: Pick<Paging, 'cursor' | 'limit' | 'offset'>,
): Promise<{ items: TaskRow[]; page: PageInfo }> {
  const { rows, page } = await pageOf(ctx.tx, paging, {
    name: `section ${section.section_id}`,
    from: tasks,
    columns: { task_id: tasks.task_id },
    where: and(inSection(section), eq(tasks.status, 'Normal')),
    sorts: {},
    manualSort: { key: tasks.rank },
    total: async () => (await countsOf(ctx.tx, section)).get(section.section_id) ?? 0,
    id: 'task_id',
  })
  const ids = rows.map(({ task_id }) => task_id)
  return { items: await taskRows(ctx, ids), page }
}
