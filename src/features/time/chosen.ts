import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { findProject } from '../projects/index.ts'
import { taskOf } from './store.ts'

interface Filters {
  user_id: number | string | undefined
  project_id: number | string | undefined
  task_identifier: number | string | undefined
}

/** Whose time is asked for, on which board and which task; the caller sees both. */
export async function chosen(ctx: Context, { user_id, project_id, task_identifier }: Filters) {
  const actor_id = user_id === 'me' ? ctx.caller.actor_id : numberIn('user_id', user_id)
  const board = numberIn('project_id', project_id)
  if (board !== undefined) await findProject(ctx, board)
  const task =
    task_identifier === undefined
      ? undefined
      : await taskOf(ctx, {
          task_identifier,
          ...(board !== undefined && { project_id: board }),
        })
  return { actor_id, board, task }
}

function numberIn(field: string, given: number | string | undefined): number | undefined {
  if (given === undefined || typeof given === 'number') return given
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  const hint = field === 'user_id' ? 'Give a number, or "me"' : 'Give a number'
  throw fault.invalid(field, 'invalid_format', `${field} is not a number`, given, hint)
}
