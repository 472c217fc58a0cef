import { and, count, eq, gt, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { append, type LoggedChange } from '../../../../store/log.ts'
import { isPublished } from '../../../../store/published.ts'
import { ruleBehind } from '../../../agents/runs/model/index.ts'
import { type Project, projectById } from '../../projects/model/index.ts'
import { isStartedBy, STARTING_TYPES } from './match.ts'
import { type BoardNames, namesOf } from './names.ts'
import { lockRule, type Rule, rulePlace, setRule } from './store.ts'
import { ruleExecutions as executions, rules } from './tables.ts'

/** A chain of rules that cause each other ends after so many. */
export const MAX_DEPTH = 5
/** A rule that starts more often is paused. */
export const MAX_PER_MINUTE = 300
/** A rule that starts more often on one task is no longer executed on it. */
export const MAX_PER_TASK_AND_HOUR = 30

/** Queues executions of the rules that changes start. A follower of the change log. */
export async function queueExecutions(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const starting = changes.filter(
    ({ type, task_id, project_id }) =>
      task_id !== null && project_id !== null && STARTING_TYPES.has(type),
  )
  if (!starting.length) return
  const boards = new Boards(tx)
  const active = await activeRules(tx, starting)
  for (const change of starting) {
    const candidates = active.filter(
      ({ project_id, updated_at }) =>
        project_id === change.project_id && change.created_at >= updated_at,
    )
    const cause = candidates.length ? await ruleBehind(tx, change) : undefined
    for (const rule of candidates) {
      if (!rule.enabled || rule.rule_id === cause?.rule_id) continue
      const board = await boards.of(rule.project_id)
      if (board && (await isStartedBy(tx, rule.when, change, board.names)))
        await enqueue(tx, rule, change, (cause?.depth ?? 0) + 1)
    }
  }
}

/** In the order of their boards, so that their executions have it, too. */
async function activeRules(tx: Tx, changes: readonly LoggedChange[]): Promise<Rule[]> {
  const ids = [...new Set(changes.map(({ project_id }) => project_id!))]
  return tx
    .select()
    .from(rules)
    .where(
      and(inArray(rules.project_id, ids), eq(rules.enabled, true), isPublished(tx, rules.team_id)),
    )
    .orderBy(rules.position, rules.rule_row_id)
}

/** Loads what the rules of each board refer to, once for a batch of changes. */
class Boards {
  private readonly loaded = new Map<number, { project: Project; names: BoardNames } | undefined>()

  constructor(private readonly tx: Tx) {}

  async of(project_id: number) {
    if (!this.loaded.has(project_id)) {
      const project = await projectById(this.tx, project_id)
      const isActive = project?.status === 'Normal'
      this.loaded.set(
        project_id,
        isActive ? { project, names: await namesOf({ tx: this.tx }, project) } : undefined,
      )
    }
    return this.loaded.get(project_id)
  }
}

async function enqueue(tx: Tx, rule: Rule, change: LoggedChange, depth: number): Promise<void> {
  const refusal = await refusalFor(tx, rule, change, depth)
  if (refusal === 'storm') return pauseForStorm(tx, rule, change)
  await tx
    .insert(executions)
    .values({
      team_id: rule.team_id,
      rule_row_id: rule.rule_row_id,
      seq: change.seq,
      task_id: change.task_id!,
      depth,
      state: refusal ? 'skipped' : 'queued',
      reason: refusal ?? null,
      results: [],
      attempts: 0,
      at: change.created_at,
      finished_at: refusal ? change.created_at : null,
      claimed_until: null,
    })
    .onConflictDoNothing()
}

async function refusalFor(tx: Tx, rule: Rule, change: LoggedChange, depth: number) {
  if (depth > MAX_DEPTH) return `A chain of rules ends after ${MAX_DEPTH} of them`
  const since = (ms: number) => new Date(change.created_at.getTime() - ms)
  if ((await countSince(tx, rule, since(60_000))) >= MAX_PER_MINUTE) return 'storm'
  const onTask = await countSince(tx, rule, since(3_600_000), change.task_id!)
  return onTask >= MAX_PER_TASK_AND_HOUR
    ? `It ran ${MAX_PER_TASK_AND_HOUR} times on this task in an hour`
    : undefined
}

async function countSince(tx: Tx, { rule_row_id }: Rule, since: Date, task_id?: number) {
  const [row] = await tx
    .select({ many: count() })
    .from(executions)
    .where(
      and(
        eq(executions.rule_row_id, rule_row_id),
        gt(executions.at, since),
        task_id === undefined ? undefined : eq(executions.task_id, task_id),
      ),
    )
  return row!.many
}

const pauseForStorm = (tx: Tx, rule: Rule, change: LoggedChange) =>
  pauseRule(tx, rule, {
    reason: `It started more than ${MAX_PER_MINUTE} times in a minute`,
    task_id: change.task_id!,
    now: change.created_at,
  })

interface Pause {
  reason: string
  /** The task that triggered the rule last. The notification of the owner refers to it. */
  task_id: number
  now: Date
}

/** Disables a rule and notifies its creator. */
export async function pauseRule(tx: Tx, before: Rule, { reason, task_id, now }: Pause) {
  before.enabled = false
  const rule = await lockRule(tx, before.rule_row_id)
  if (!rule?.enabled) return
  await setRule(tx, rule, { enabled: false, paused_reason: reason, updated_at: now })
  const data = {
    rule_id: rule.rule_id,
    text: `A rule of the board was paused: ${reason}`,
    notified: [rule.created_by],
  }
  const author = { actor_id: rule.created_by }
  await append(tx, author, now, [
    { type: 'rule.paused', place: { ...rulePlace(rule), task_id }, data },
  ])
}
