import { and, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { type FieldCode, fault } from '../../kernel/fault.ts'
import { criterion, isField, ofNothing, type Rule, type Scope } from '../tasks/index.ts'
import type { BoardFilters } from './schema.ts'

/** Whoever writes a filter hears at once of a name that stands for nothing. */
const strict = (ctx: Context): Context => ({
  ...ctx,
  warn(field, code, message) {
    throw fault.invalid(field, code as FieldCode, message)
  },
})

export async function checkFilters(ctx: Context, scope: Scope, filters: BoardFilters) {
  for (const [at, { rules }] of filters.groups.entries())
    for (const [index, rule] of rules.entries())
      await criterion(strict(ctx), scope, rule, `board_filters.groups.${at}.rules.${index}`)
}

type Ask = (ctx: Context, scope: Scope, rule: Rule, named: string) => Promise<SQL>

/** What each group asks for. */
export const conditionsOf = gathered(criterion)

/** As `conditionsOf`, long after it was written: a field that is gone is warned of. */
export const keptConditions = gathered(async (ctx, scope, rule, named) => {
  if (await isField(ctx, scope, rule.field)) return criterion(ctx, scope, rule, named)
  const message = `${named}: the custom field ${rule.field} is gone; no task has a value in it`
  ctx.warn(named, 'not_found', message)
  return ofNothing(rule.op)
})

function gathered(ask: Ask) {
  return async (ctx: Context, scope: Scope, { groups }: BoardFilters) => {
    const conditions: (SQL | undefined)[] = []
    for (const [at, { match, rules }] of groups.entries()) {
      const parts: SQL[] = []
      for (const [index, rule] of rules.entries())
        parts.push(await ask(ctx, scope, rule, `board_filters.groups.${at}.rules.${index}`))
      conditions.push(match === 'ANY' ? or(...parts) : and(...parts))
    }
    return conditions
  }
}
