import type { WriteContext } from '../../../../kernel/caller.ts'
import type { Task } from '../../tasks/model/index.ts'
import { Edit } from './edit.ts'
import { save } from './update.ts'

/**
 * Archives a task like `update`, but does not open the next occurrence of a repeating one: nobody
 * finished it.
 */
export async function archiveTask(ctx: WriteContext, task: Task): Promise<Task> {
  const edit = new Edit(ctx, task)
  edit.put('status', 'Archive')
  return save(edit)
}
