import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { findTask } from './store.ts'

interface Filters {
  user_id: number | string | undefined
  project_id: number | string | undefined
  task_identifier: number | string | undefined
}

/** Resolves the filters of a list or report. The caller must be able to see board and task. */
export async function resolveFilters(
  ctx: Context,
  { user_id, project_id, task_identifier }: Filters,
) {
  const actor_id = user_id === 'me' ? ctx.caller.actor_id : parseId('user_id', user_id)
  const board = parseId('project_id', project_id)
  if (board !== undefined) await findProject(ctx, board)
  const task =
    task_identifier === undefined
      ? undefined
      : await findTask(ctx, {
          task_identifier,
          ...(board !== undefined && { project_id: board }),
        })
  return { actor_id, board, task }
}

function parseId(field: string, value: number | string | undefined): number | undefined {
  if (value === undefined || typeof value === 'number') return value
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  const hint = field === 'user_id' ? 'Send a number, or "me"' : 'Send a number'
  throw fault.invalid(field, 'invalid_format', `${field} is not a number`, value, hint)
}
