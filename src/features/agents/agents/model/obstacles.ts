import type { Context, Tx } from '../../../../kernel/caller.ts'
import { type Fault, fault } from '../../../../kernel/fault.ts'
import { type Project, projectById } from '../../../boards/projects/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { type CostKind, costOf, monthOf, nextMonth } from './costs.ts'
import { toUsd, usdText } from './money.ts'
import type { Restrictions } from './restrictions.ts'
import type { Agent } from './store.ts'

type Now = Pick<Context, 'tx' | 'now'>

/** An agent or a board, for a refusal. */
interface Subject {
  kind: CostKind
  id: number
  row: Restrictions
  words(): Promise<Words>
}
interface Words {
  /** Begins a sentence. */
  name: string
  /** Who may change its restrictions. */
  managers: string
  route: string
}

const agentSubject = (tx: Tx, agent: Agent): Subject => ({
  ...{ kind: 'agent', id: agent.actor_id, row: agent },
  async words() {
    const { actor_id, owner_id, agent_id } = agent
    const actors = await actorsOf(tx, [actor_id, owner_id])
    return {
      name: actors.get(actor_id)!.name,
      managers: `${actors.get(owner_id)!.name}, its owner, or an admin of the team`,
      route: `PATCH /api/v1/agents/${agent_id}`,
    }
  },
})

const boardSubject = (tx: Tx, board: Project): Subject => ({
  ...{ kind: 'board', id: board.project_id, row: board },
  async words() {
    const { project_id, created_by, title } = board
    const creator = (await actorsOf(tx, [created_by])).get(created_by)!
    const admin = 'an admin of the team'
    const isPerson = creator.kind === 'person'
    return {
      name: `The board "${title}"`,
      managers: isPerson ? `${creator.name}, who created it, or ${admin}` : admin,
      route: `PATCH /api/v1/projects/${project_id}/limits`,
    }
  },
})

/**
 * Why an agent may not begin to work on a board now: one of them is paused, or has used its budget.
 * Undefined if it may. A used budget does not keep an agent from work that it has started.
 */
export async function obstacleTo(
  { tx, now }: Now,
  agent: Agent,
  project_id: number,
  { hasStarted = false } = {},
): Promise<Fault | undefined> {
  const board = (await projectById(tx, project_id))!
  const subjects = [agentSubject(tx, agent), boardSubject(tx, board)]
  for (const subject of subjects) if (subject.row.paused_at) return pausedFault(tx, subject)
  for (const { kind, id, row, words } of hasStarted ? [] : subjects) {
    const budget = row.budget_micro_usd
    if (budget === null) continue
    const used = await costOf(tx, kind, { team_id: agent.team_id, id }, now)
    if (used >= budget) return budgetFault(kind, await words(), { used, budget }, now)
  }
  return undefined
}

const CANNOT = 'agents cannot claim its tasks or start runs there'
const CANNOT_ITSELF = 'it cannot claim tasks or start runs'

async function pausedFault(tx: Tx, { kind, row, words }: Subject): Promise<Fault> {
  const { name, managers, route } = await words()
  const by = (await actorsOf(tx, [row.paused_by!])).get(row.paused_by!)!.name
  const since = row.paused_at!.toISOString()
  return fault.conflict(
    `${name} is paused by ${by} since ${since}: ${kind === 'agent' ? CANNOT_ITSELF : CANNOT}`,
    { field: 'paused', value: true, paused: kind, paused_by: by, paused_at: since },
    `${managers} can resume it: ${route} {"paused": false}`,
  )
}

interface Amounts {
  /** In micro-dollars. */
  used: number
  budget: number
}

/** For example `Bot has used $10.00 of its budget of $10.00 for 2026-11`. */
export const usedText = (name: string, { used, budget }: Amounts, now: Date) =>
  `${name} has used ${usdText(used)} of its budget of ${usdText(budget)} for ${monthOf(now)}`

function budgetFault(kind: CostKind, words: Words, amounts: Amounts, now: Date): Fault {
  const { name, managers, route } = words
  const starts_again = nextMonth(now).toISOString()
  const rest = kind === 'agent' ? CANNOT_ITSELF : CANNOT
  return fault.conflict(
    `${usedText(name, amounts, now)}: ${rest} before ${starts_again}`,
    {
      ...{ field: 'budget_usd', value: toUsd(amounts.budget), budget: kind },
      ...{ used_usd: toUsd(amounts.used), starts_again },
    },
    `${managers} can raise it: ${route} {"budget_usd": ${toUsd(amounts.budget) * 2}}. Work under a lease that you hold goes on`,
  )
}
