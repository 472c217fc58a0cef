import type { Writer } from '../../kernel/caller.ts'
import type { Task } from './address.ts'
import { Edit } from './edit.ts'
import { save } from './update.ts'

/** Puts a task away as `update` does, but for its rule: what nobody finished does not go on. */
export async function archiveTask(ctx: Writer, task: Task): Promise<Task> {
  const edit = new Edit(ctx, task)
  edit.put('status', 'Archive')
  return save(edit)
}
