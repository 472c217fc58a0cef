import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type { Task } from '../tasks/index.ts'
import { MOST_LEVELS, misfit } from './rules.ts'
import { type Page, pagesOf } from './store.ts'

/** Refuses a parent that a page cannot be nested under. Whoever asks holds the task. */
export async function checkParent(
  { tx }: Context,
  task: Task,
  parent: number,
  page?: Page,
): Promise<void> {
  const live = (await pagesOf(tx, task)).filter(({ archived_at }) => !archived_at)
  if (!live.some(({ page_id }) => page_id === parent))
    throw fault.invalid(
      'parent_page_id',
      'not_found',
      `${task.ticket_number} has no page ${parent}`,
      parent,
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
}
