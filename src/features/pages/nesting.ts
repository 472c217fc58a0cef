import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type { Task } from '../tasks/index.ts'
import { MOST_LEVELS, misfit } from './rules.ts'
import { type Page, pageCalled, pagesOf, type Ref } from './store.ts'

/** The number of the page that one can be nested under. Whoever asks holds the task. */
export async function parentFor(
  ctx: Context,
  task: Task,
  named: Ref | null,
  page?: Page,
): Promise<number | null> {
  if (named === null) return null
  const live = (await pagesOf(ctx.tx, task)).filter(({ archived_at }) => !archived_at)
  const parent = (await pageCalled(ctx, named))?.page_id
  if (parent === undefined || !live.some(({ page_id }) => page_id === parent))
    throw fault.invalid(
      'parent_page_id',
      'not_found',
      `${task.ticket_number} has no page ${named}`,
      named,
      'A page is nested under one of the same task: svc_pages list',
    )
  const wrong = misfit(live, page?.page_id, parent)
  if (wrong === 'cycle')
    throw fault.invalid(
      'parent_page_id',
      'conflict',
      `Page ${parent} is page ${page!.page_id} or nested in it`,
      parent,
      'Choose a page outside it, or null for the top',
    )
  if (wrong)
    throw fault.invalid(
      'parent_page_id',
      'out_of_range',
      `Pages are nested at most ${MOST_LEVELS} deep`,
      parent,
      'Choose a page further up',
    )
  return parent
}
