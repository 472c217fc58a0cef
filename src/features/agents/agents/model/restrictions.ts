import { Type as t } from '@sinclair/typebox'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { Actor, actorsOf, asActor, Timestamp } from '../../../identity/people/model/index.ts'
import { BudgetUsd, Paused, toMicros, toUsd } from './money.ts'
import { differences } from './rules.ts'

/** What an agent and a board have in common: a budget, and whether they are paused. */
export interface Restrictions {
  budget_micro_usd: number | null
  paused_at: Date | null
  paused_by: number | null
}

export const restrictionsInput = {
  budget_usd: t.Optional(BudgetUsd),
  paused: t.Optional(Paused),
}

interface Requested {
  budget_usd?: number | null | undefined
  paused?: boolean | undefined
}

export const restrictionsOutput = {
  budget_usd: BudgetUsd,
  used_usd: t.Number({
    absent: 0,
    description: 'Cost of this calendar month (UTC), in US dollars',
  }),
  paused: t.Boolean({ absent: false }),
  paused_by: t.Union([Actor, t.Null()]),
  paused_at: t.Union([Timestamp, t.Null()]),
}

/** The columns to set, and what changes by it, as the change log shows it. */
export function changeRestrictions(
  { now, caller }: Pick<Context, 'now' | 'caller'>,
  before: Restrictions,
  { budget_usd, paused }: Requested,
) {
  const { budget_micro_usd, paused_at, paused_by } = before
  const set: Restrictions = { budget_micro_usd, paused_at, paused_by }
  if (budget_usd !== undefined) set.budget_micro_usd = budget_usd && toMicros(budget_usd)
  if (paused !== undefined && paused !== (paused_at !== null)) {
    set.paused_at = paused ? now : null
    set.paused_by = paused ? caller.actor_id : null
  }
  return { set, changed: differences(shown(before), shown(set)) }
}

const shown = ({ budget_micro_usd, paused_at }: Restrictions) => ({
  budget_usd: budget_micro_usd && toUsd(budget_micro_usd),
  paused: paused_at !== null,
})

/** The fields of `restrictionsOutput` for each row; `costs` are in micro-dollars. */
export async function showRestrictions(
  tx: Tx,
  rows: readonly Restrictions[],
  costs: readonly (number | undefined)[],
) {
  const actors = await actorsOf(
    tx,
    rows.flatMap(({ paused_by }) => paused_by ?? []),
  )
  return rows.map((row, at) => ({
    ...shown(row),
    used_usd: toUsd(costs[at] ?? 0),
    paused_by: row.paused_by === null ? null : asActor(actors.get(row.paused_by)!),
    paused_at: row.paused_at?.toISOString() ?? null,
  }))
}
