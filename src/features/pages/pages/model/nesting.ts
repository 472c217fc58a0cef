import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { MAX_LEVELS, nestingProblem } from './rules.ts'
import { findPageByRef, type Page, pagesOf, type Ref } from './store.ts'

/**
 * Resolves the parent of a page and checks the nesting. The caller must hold the lock of the task.
 */
export async function parentFor(
  ctx: Context,
  task: Task,
  ref: Ref | null,
  page?: Page,
): Promise<number | null> {
  if (ref === null) return null
  const live = (await pagesOf(ctx.tx, task)).filter(({ archived_at }) => !archived_at)
  const parent = (await findPageByRef(ctx, ref))?.page_id
  if (parent === undefined || !live.some(({ page_id }) => page_id === parent))
    throw fault.invalid(
      'parent_page_id',
      'not_found',
      `${task.ticket_number} has no page ${ref}`,
      ref,
      'The parent must be a page of the same task: svc_pages list',
    )
  const problem = nestingProblem(live, page?.page_id, parent)
  if (problem === 'cycle')
    throw fault.invalid(
      'parent_page_id',
      'conflict',
      `Page ${parent} is page ${page!.page_id} itself or nested under it`,
      parent,
      'Use another page, or null for the top level',
    )
  if (problem)
    throw fault.invalid(
      'parent_page_id',
      'out_of_range',
      `Pages can be nested at most ${MAX_LEVELS} levels deep`,
      parent,
      'Use a page at a higher level',
    )
  return parent
}
