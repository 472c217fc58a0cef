import { and, asc, desc, eq, isNull, lte, ne, or } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { changes } from '../../../../store/tables.ts'
import { MAX_PER_MINUTE, pauseRule } from './queue.ts'
import { LOG_SIZE, type Outcome } from './schema.ts'
import { lockRule, type Rule, setRule } from './store.ts'
import { ruleExecutions as executions, rules } from './tables.ts'

export type Execution = typeof executions.$inferSelect

/** Longer than the actions of a rule take; after that its process is considered gone. */
const CLAIM_MS = 60_000
/** An execution is abandoned after this many attempts, because each may have crashed the process. */
const MAX_ATTEMPTS = 5
/** A rule is paused after this many failed executions in a row. */
export const MAX_FAILURES = 10

/** More than the log shows, because the limit per minute counts them. */
const STORED = LOG_SIZE + MAX_PER_MINUTE

const isClaimable = (now: Date) =>
  and(
    eq(executions.state, 'queued'),
    or(isNull(executions.claimed_until), lte(executions.claimed_until, now)),
  )

/** The executions that no server is at work on, in the order of their changes. */
export async function queuedExecutions(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const rows = await tx
    .select({ execution_id: executions.execution_id })
    .from(executions)
    .where(isClaimable(now))
    .orderBy(asc(executions.execution_id))
    .limit(limit)
  return rows.map(({ execution_id }) => execution_id)
}

/** Claims an execution for this process; undefined if another one was faster. */
export async function claimExecution(
  tx: Tx,
  execution_id: number,
  now: Date,
): Promise<{ execution: Execution; rule: Rule } | undefined> {
  const [before] = await tx
    .select()
    .from(executions)
    .where(and(eq(executions.execution_id, execution_id), isClaimable(now)))
  if (!before) return undefined
  const attempts = before.attempts + 1
  const [execution] = await tx
    .update(executions)
    .set({ attempts, claimed_until: new Date(now.getTime() + CLAIM_MS) })
    .where(and(eq(executions.execution_id, execution_id), isClaimable(now)))
    .returning()
  const [rule] = await tx.select().from(rules).where(eq(rules.rule_row_id, before.rule_row_id))
  if (!execution || !rule) return undefined
  if (attempts <= MAX_ATTEMPTS) return { execution, rule }
  await finish(tx, execution, { state: 'failed', reason: 'The server could not finish it', now })
  return undefined
}

export async function changeOf(tx: Tx, { seq }: Execution) {
  const [change] = await tx.select().from(changes).where(eq(changes.seq, seq))
  return change
}

interface Finish {
  state: 'done' | 'skipped' | 'failed'
  reason?: string
  results?: Outcome[]
  now: Date
}

/** Records what came of an execution, and pauses a rule that keeps failing. */
export async function finish(
  tx: Tx,
  { execution_id, rule_row_id, task_id }: Execution,
  { state, reason = undefined, results = [], now }: Finish,
): Promise<void> {
  await tx
    .update(executions)
    .set({ state, reason: reason ?? null, results, finished_at: now, claimed_until: null })
    .where(eq(executions.execution_id, execution_id))
  await trim(tx, rule_row_id)
  if (state === 'skipped') return
  const rule = await lockRule(tx, rule_row_id)
  if (!rule) return
  const failures = state === 'failed' ? rule.failures + 1 : 0
  await setRule(tx, rule, { failures, ...(state === 'done' && { last_fired_at: now }) })
  if (failures < MAX_FAILURES) return
  const error = results.find((one) => one.error)?.error ?? reason
  const why = `It failed ${MAX_FAILURES} times in a row: ${error}`
  await pauseRule(tx, { ...rule, failures }, { reason: why, task_id, now })
}

/** Deletes all but the newest executions of a rule. */
async function trim(tx: Tx, rule_row_id: number): Promise<void> {
  const own = eq(executions.rule_row_id, rule_row_id)
  const [last] = await tx
    .select({ execution_id: executions.execution_id })
    .from(executions)
    .where(own)
    .orderBy(desc(executions.execution_id))
    .limit(1)
    .offset(STORED)
  if (!last) return
  await tx
    .delete(executions)
    .where(
      and(own, lte(executions.execution_id, last.execution_id), ne(executions.state, 'queued')),
    )
}

/** Frees the claims of a server that was killed. Only for a server that is alone. */
export const freeExecutions = (tx: Tx) =>
  tx.update(executions).set({ claimed_until: null }).where(eq(executions.state, 'queued'))
