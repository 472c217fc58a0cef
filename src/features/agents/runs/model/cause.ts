import { and, desc, eq, gte, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { RuleCause, Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { changes } from '../../../../store/tables.ts'
import { runs } from './tables.ts'

/** A run with more prompts after the one of a rule was taken over by people. */
const LAST_PROMPTS = 50

type AgentChange = Pick<
  LoggedChange,
  'team_id' | 'task_id' | 'actor_id' | 'seq' | 'created_at' | 'data'
>

/**
 * The rule that led to a change: the one that made it, or the one that started or last prompted the
 * run in which an agent made it. Without the latter, an agent that a rule calls could start the same
 * rule without end.
 */
export async function ruleBehind(tx: Tx, change: AgentChange): Promise<RuleCause | undefined> {
  const direct = causeIn(change)
  const run = direct ? undefined : await runOf(tx, change)
  return run ? causeOfRun(tx, run, change) : direct
}

const causeIn = ({ data }: Pick<LoggedChange, 'data'>) => data.cause as RuleCause | undefined

/** The run that the agent was at: the one on the task, else its newest one. */
async function runOf(tx: Tx, { team_id, task_id, actor_id, created_at }: AgentChange) {
  const wasOpen = and(
    isNotNull(runs.started_at),
    lte(runs.created_at, created_at),
    or(isNull(runs.ended_at), gte(runs.ended_at, created_at)),
  )
  const open = await tx
    .select({ run_id: runs.run_id, task_id: runs.task_id })
    .from(runs)
    .where(and(eq(runs.team_id, team_id!), eq(runs.actor_id, actor_id), wasOpen))
    .orderBy(desc(runs.created_at), desc(runs.run_id))
  return open.find((run) => run.task_id === task_id) ?? open[0]
}

async function causeOfRun(
  tx: Tx,
  { run_id, task_id }: { run_id: number; task_id: number },
  { team_id, seq }: AgentChange,
): Promise<RuleCause | undefined> {
  const starts = await tx
    .select({ data: changes.data })
    .from(changes)
    .where(
      and(
        eq(changes.team_id, team_id!),
        eq(changes.task_id, task_id),
        inArray(changes.type, ['run.created', 'run.prompted']),
        lte(changes.seq, seq),
      ),
    )
    .orderBy(desc(changes.created_at), desc(changes.seq))
    .limit(LAST_PROMPTS)
  const last = starts.find(({ data }) => data.run_id === run_id)
  return last && causeIn(last)
}
