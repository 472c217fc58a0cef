import { and, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { SortKey } from '../../../../store/multi-sort.ts'
import {
  groupConditions,
  MANUAL,
  resolveSorting,
  savedConditions,
} from '../../../boards/views/model/index.ts'
import {
  filterRules,
  ruleCondition,
  type Scope,
  sortKeysOf,
} from '../../../search/filters/model/index.ts'
import type { ListRequest } from './schema.ts'
import type { View } from './tables.ts'

/** The scope of the caller's tasks on all boards. */
export const myTasksScope = ({ caller }: Context): Scope => ({
  teams: [...caller.teams.keys()],
  isSmall: true,
})

/** The filter condition. Filters of the request replace those of the view. */
export async function filterCondition(
  ctx: Context,
  request: ListRequest,
  view?: View,
): Promise<SQL | undefined> {
  const scope = myTasksScope(ctx)
  const { board_filters, match } = request
  const conditions = board_filters
    ? await groupConditions(ctx, scope, board_filters)
    : board_filters === undefined && view?.board_filters
      ? await savedConditions(ctx, scope, view.board_filters)
      : []
  const isAny = (match ?? (board_filters ? undefined : view?.match)) === 'ANY'
  const rules: SQL[] = []
  for (const [field, rule] of filterRules(request))
    rules.push(await ruleCondition(ctx, scope, rule, field))
  return and(isAny ? or(...conditions) : and(...conditions), ...rules)
}

/** The sort keys within the groups; none if neither request nor view sets a sorting. */
export async function sortKeysOfMyTasks(
  ctx: Context,
  request: ListRequest,
  view?: View,
): Promise<SortKey[]> {
  const scope = myTasksScope(ctx)
  const { sorting_mode, sorting_order, sorting_stack } = request
  const sorting = { sorting_mode, sorting_order, sorting_stack }
  const stack = await resolveSorting(ctx, scope, view?.sorting ?? [MANUAL], sorting)
  // There is no manual order across boards, so the manual mode sorts by due date.
  const modes = stack.map((sort) =>
    sort.mode === MANUAL.mode ? { ...sort, mode: 'DueDate' } : sort,
  )
  return sortKeysOf(ctx, scope, modes)
}
