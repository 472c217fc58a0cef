import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { monthlyCosts } from './tables.ts'

/** The calendar month in UTC, such as `2026-11`. */
export const monthOf = (now: Date) => now.toISOString().slice(0, 7)

/** The first moment of the next month, when budgets start again. */
export const nextMonth = (now: Date) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

export type CostKind = (typeof monthlyCosts.$inferSelect)['kind']

const addToMonth = prepared((tx) =>
  tx
    .insert(monthlyCosts)
    .values({
      team_id: param('team_id'),
      month: param('month'),
      kind: param('kind'),
      subject_id: param('subject_id'),
      micro_usd: param('micro_usd'),
    })
    .onConflictDoUpdate({
      target: [
        monthlyCosts.team_id,
        monthlyCosts.month,
        monthlyCosts.kind,
        monthlyCosts.subject_id,
      ],
      set: { micro_usd: sql`${monthlyCosts.micro_usd} + excluded.micro_usd` },
    })
    .returning({ micro_usd: monthlyCosts.micro_usd })
    .prepare('monthly_cost_add'),
)

interface Worker {
  team_id: number
  actor_id: number
  project_id: number
}

/** Adds a cost to this month of an agent and of the board. Returns the new totals. */
export async function addCost(
  tx: Tx,
  { team_id, actor_id, project_id }: Worker,
  micro_usd: number,
  now: Date,
): Promise<Record<CostKind, number>> {
  const month = monthOf(now)
  // Every writer updates the agent first and then the board, so that none waits in a circle.
  const [agent] = await addToMonth(tx).execute({
    ...{ team_id, month, kind: 'agent', subject_id: actor_id, micro_usd },
  })
  const [board] = await addToMonth(tx).execute({
    ...{ team_id, month, kind: 'board', subject_id: project_id, micro_usd },
  })
  return { agent: agent!.micro_usd, board: board!.micro_usd }
}

/** What each of these agents or boards of a team has cost this month, in micro-dollars. */
export async function costsOf(
  tx: Tx,
  kind: CostKind,
  { team_id, ids }: { team_id: number; ids: readonly number[] },
  now: Date,
): Promise<Map<number, number>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .select()
    .from(monthlyCosts)
    .where(
      and(
        eq(monthlyCosts.team_id, team_id),
        eq(monthlyCosts.month, monthOf(now)),
        eq(monthlyCosts.kind, kind),
        inArray(monthlyCosts.subject_id, [...ids]),
      ),
    )
  return new Map(rows.map(({ subject_id, micro_usd }) => [subject_id, micro_usd]))
}

export async function costOf(
  tx: Tx,
  kind: CostKind,
  { team_id, id }: { team_id: number; id: number },
  now: Date,
): Promise<number> {
  return (await costsOf(tx, kind, { team_id, ids: [id] }, now)).get(id) ?? 0
}
