import { and, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import type { Key } from '../../store/stack.ts'
import { criterion, keysOf, rulesOf, type Scope } from '../tasks/index.ts'
import { conditionsOf, keptConditions, MANUAL, sortingIn } from '../views/index.ts'
import type { Asked } from './schema.ts'
import type { View } from './tables.ts'

/** The caller's tasks, wherever they are. */
export const scopeOfMine = ({ caller }: Context): Scope => ({
  teams: [...caller.teams.keys()],
  few: true,
})

/** What is asked for by hand counts before what a view keeps. */
export async function filterOf(ctx: Context, asked: Asked, view?: View): Promise<SQL | undefined> {
  const scope = scopeOfMine(ctx)
  const { board_filters, match } = asked
  const conditions = board_filters
    ? await conditionsOf(ctx, scope, board_filters)
    : board_filters === undefined && view?.board_filters
      ? await keptConditions(ctx, scope, view.board_filters)
      : []
  const isAny = (match ?? (board_filters ? undefined : view?.match)) === 'ANY'
  const rules: SQL[] = []
  for (const [named, rule] of rulesOf(asked)) rules.push(await criterion(ctx, scope, rule, named))
  return and(isAny ? or(...conditions) : and(...conditions), ...rules)
}

/** By what their groups are sorted; by nothing where nobody said so. */
export async function keysOfMine(ctx: Context, asked: Asked, view?: View): Promise<Key[]> {
  const scope = scopeOfMine(ctx)
  const { sorting_mode, sorting_order, sorting_stack } = asked
  const given = { sorting_mode, sorting_order, sorting_stack }
  const stack = await sortingIn(ctx, scope, view?.sorting ?? [MANUAL], given)
  // Boards have no order in common that people gave by hand.
  const modes = stack.map((one) => (one.mode === MANUAL.mode ? { ...one, mode: 'DueDate' } : one))
  return keysOf(ctx, scope, modes)
}
