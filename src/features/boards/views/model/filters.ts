import { and, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { type FieldCode, fault } from '../../../../kernel/fault.ts'
import {
  conditionForMissingField,
  fieldExists,
  type Rule,
  ruleCondition,
  type Scope,
} from '../../../search/filters/model/index.ts'
import type { BoardFilters } from './schema.ts'

/** Turns warnings into faults, so that saving a filter with an unknown name fails. */
const rejectingContext = (ctx: Context): Context => ({
  ...ctx,
  warn(field, code, message) {
    throw fault.invalid(field, code as FieldCode, message)
  },
})

export async function checkFilters(ctx: Context, scope: Scope, filters: BoardFilters) {
  for (const [at, { rules }] of filters.groups.entries())
    for (const [index, rule] of rules.entries())
      await ruleCondition(
        rejectingContext(ctx),
        scope,
        rule,
        `board_filters.groups.${at}.rules.${index}`,
      )
}

type ConditionBuilder = (ctx: Context, scope: Scope, rule: Rule, named: string) => Promise<SQL>

/** The conditions of the filter groups of a request. */
export const groupConditions = perGroup(ruleCondition)

/**
 * The conditions of saved filter groups. A custom field that was deleted since causes a warning.
 */
export const savedConditions = perGroup(async (ctx, scope, rule, field) => {
  if (await fieldExists(ctx, scope, rule.field)) return ruleCondition(ctx, scope, rule, field)
  const message = `${field}: the custom field ${rule.field} was deleted, so no task has a value in it`
  ctx.warn(field, 'not_found', message)
  return conditionForMissingField(rule.op)
})

function perGroup(build: ConditionBuilder) {
  return async (ctx: Context, scope: Scope, { groups }: BoardFilters) => {
    const conditions: (SQL | undefined)[] = []
    for (const [at, { match, rules }] of groups.entries()) {
      const parts: SQL[] = []
      for (const [index, rule] of rules.entries())
        parts.push(await build(ctx, scope, rule, `board_filters.groups.${at}.rules.${index}`))
      conditions.push(match === 'ANY' ? or(...parts) : and(...parts))
    }
    return conditions
  }
}
