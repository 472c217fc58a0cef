import { eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import type { PageInfo, Paging } from '../../../kernel/list.ts'
import { pageOf } from '../../../store/page.ts'
import { stackedPage } from '../../../store/stack.ts'
import { listed } from '../columns.ts'
import type { Listed } from '../records.ts'
import { tasks } from '../tables.ts'
import type { Chosen } from './filters.ts'
import { customSort } from './sorts.ts'

const sorts = {
  createdAt: { key: tasks.created_at },
  updatedAt: { key: tasks.updated_at },
  dueDate: {
    key: tasks.due_at,
    last: { none: isNull(tasks.due_at), some: isNotNull(tasks.due_at) },
  },
  priority: {
    key: tasks.priority,
    last: { none: eq(tasks.priority, 0), some: gt(tasks.priority, 0) },
  },
  title: { key: tasks.title },
}

/** A page of the chosen tasks in the order asked for. */
export async function pageOfTasks(
  ctx: Context,
  input: Paging,
  chosen: Chosen,
  withText: boolean,
): Promise<{ rows: Listed[]; page: PageInfo }> {
  const name = withText ? 'tasks_with_text' : 'tasks'
  const columns = withText ? { ...listed, description: tasks.description } : listed
  const wanted = { from: tasks, columns, ...chosen, id: 'task_id' }
  const keys = await customSort(ctx, input)
  return keys
    ? stackedPage(ctx.tx, input, { ...wanted, name: `${name} by ${input.sort}`, keys })
    : pageOf(ctx.tx, input, { ...wanted, name, sorts })
}
