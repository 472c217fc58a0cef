import { fault } from '../../../../kernel/fault.ts'
import { projectById } from '../../../boards/projects/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { addCost, namedAgents, toMicros, toUsd, usedText } from '../../agents/model/index.ts'
import type { UsageInput } from './schema.ts'
import { type ActingAs, emitRun, type Run } from './store.ts'

export type RunUsage = Pick<Run, 'input_tokens' | 'output_tokens' | 'cost_micro_usd'>

/** The columns that a report changes. Throws if a total would decrease. */
export function usageChange(run: Run, report: UsageInput): Partial<RunUsage> {
  const { input_tokens, output_tokens, cost_usd } = report
  const change: Partial<RunUsage> = {}
  const set = (field: keyof UsageInput, column: keyof RunUsage, total: number | undefined) => {
    if (total === undefined || total === run[column]) return
    const current = run[column] ?? 0
    if (total < current) throw decreases(field, report[field], column, current)
    change[column] = total
  }
  set('input_tokens', 'input_tokens', input_tokens)
  set('output_tokens', 'output_tokens', output_tokens)
  set('cost_usd', 'cost_micro_usd', cost_usd === undefined ? undefined : toMicros(cost_usd))
  return change
}

function decreases(field: string, value: unknown, column: keyof RunUsage, stored: number) {
  const current = column === 'cost_micro_usd' ? toUsd(stored) : stored
  return fault.conflict(
    `${field} is the total of the run, which never decreases: it is ${current}, not ${value}`,
    { field, value, current },
    'Send the total since the run began, not what the last step used',
  )
}

/**
 * Adds a cost to this month of the agent and of the board. If one of them reaches its budget by it,
 * its owner is notified.
 */
export async function chargeCost(
  on: ActingAs,
  task: Task,
  run: Run,
  micro_usd: number,
): Promise<void> {
  if (!micro_usd) return
  const { tx, now } = on
  const { team_id, project_id } = task
  const totals = await addCost(tx, { team_id, project_id, actor_id: run.actor_id }, micro_usd, now)
  const [agent] = await namedAgents(tx, [run.actor_id])
  const board = (await projectById(tx, project_id))!
  const { owner_id } = agent!
  for (const [budget, limit, name, notified] of [
    ['agent', agent!.budget_micro_usd, agent!.name, [owner_id]],
    ['board', board.budget_micro_usd, `The board "${board.title}"`, [owner_id, board.created_by]],
  ] as const) {
    const used = totals[budget]
    const isReachedNow = limit !== null && used >= limit && used - micro_usd < limit
    if (!isReachedNow) continue
    const text = usedText(name, { used, budget: limit }, now)
    await emitRun(on, 'run.budget_reached', task, run, { budget, notified, text })
  }
}
