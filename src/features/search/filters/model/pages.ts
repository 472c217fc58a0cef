import { eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { PageInfo, Paging } from '../../../../kernel/list.ts'
import { multiSortPage } from '../../../../store/multi-sort.ts'
import { pageOf } from '../../../../store/page.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { TaskSelection } from './filters.ts'
import { customSort } from './sorts.ts'

const sorts = {
  createdAt: { key: tasks.created_at },
  updatedAt: { key: tasks.updated_at },
  dueDate: {
    key: tasks.due_at,
    emptyLast: { none: isNull(tasks.due_at), some: isNotNull(tasks.due_at) },
  },
  priority: {
    key: tasks.priority,
    emptyLast: { none: eq(tasks.priority, 0), some: gt(tasks.priority, 0) },
  },
  title: { key: tasks.title },
}

/** The ids of a page of the selected tasks, in the requested order. */
export async function pageOfTasks(
  ctx: Context,
  input: Paging,
  chosen: TaskSelection,
): Promise<{ ids: number[]; page: PageInfo }> {
  const query = { from: tasks, columns: { task_id: tasks.task_id }, ...chosen, id: 'task_id' }
  const keys = await customSort(ctx, input)
  const { rows, page } = keys
    ? await multiSortPage(ctx.tx, input, { ...query, name: `tasks by ${input.sort}`, keys })
    : await pageOf(ctx.tx, input, { ...query, name: 'tasks', sorts })
  return { ids: rows.map(({ task_id }) => task_id), page }
}
