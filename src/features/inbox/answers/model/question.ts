import { and, count, desc, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { runEntries, runs } from '../../../agents/runs/model/index.ts'
import { decisionRequests } from '../../../conversation/decision_requests/model/index.ts'
import { escalations } from '../../../conversation/escalations/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { type AnswerLink, unknownLink } from './link.ts'

/** How a question ended, and who ended it. */
export interface Outcome {
  state: 'answered' | 'cancelled' | 'resolved' | 'over'
  by: string | undefined
  answer: string | null
  at: Date | null
}

/** What a person is asked, and whether it still needs an answer. */
export interface Question {
  task: { task_id: number; ticket_number: string; title: string; project_id: number }
  asked_by: string
  text: string
  note: string | null
  /** The options of a decision request. */
  options: readonly string[]
  /** Undefined while the question is open. */
  outcome: Outcome | undefined
}

/** Loads the question of a link as it is now. Throws if it no longer exists. */
export async function questionOf(tx: Tx, link: AnswerLink): Promise<Question> {
  const found = await LOADERS[link.subject](tx, link)
  if (!found) throw unknownLink()
  const { task_id, asker_id, closer_id, closed, ...question } = found
  const { ticket_number, title, project_id } = tasks
  const [task] = await tx
    .select({ task_id: tasks.task_id, ticket_number, title, project_id })
    .from(tasks)
    .where(eq(tasks.task_id, task_id))
  if (!task) throw unknownLink()
  const actors = await actorsOf(tx, [asker_id, ...(closer_id === null ? [] : [closer_id])])
  const by = closer_id === null ? undefined : actors.get(closer_id)?.name
  const outcome = closed && { ...closed, by }
  return { ...question, task, asked_by: actors.get(asker_id)!.name, outcome }
}

interface Found extends Omit<Question, 'task' | 'asked_by' | 'outcome'> {
  task_id: number
  asker_id: number
  closer_id: number | null
  closed: Omit<Outcome, 'by'> | undefined
}

type Loader = (tx: Tx, link: AnswerLink) => Promise<Found | undefined>

const decision: Loader = async (tx, { id }) => {
  const [row] = await tx
    .select()
    .from(decisionRequests)
    .where(eq(decisionRequests.decision_request_id, id))
  if (!row) return undefined
  const { task_id, question, note, options, status, selected_option, created_by } = row
  return {
    ...{ task_id, text: question, note, options },
    asker_id: created_by,
    closer_id: row.closed_by,
    closed:
      status === 'pending'
        ? undefined
        : { state: status, answer: selected_option, at: row.closed_at },
  }
}

const escalation: Loader = async (tx, { id }) => {
  const [row] = await tx.select().from(escalations).where(eq(escalations.escalation_id, id))
  if (!row) return undefined
  const { task_id, reason, created_by, resolved_at, resolved_by } = row
  return {
    ...{ task_id, text: reason, note: null, options: [] },
    asker_id: created_by,
    closer_id: resolved_by,
    closed: resolved_at ? { state: 'resolved', answer: row.note, at: resolved_at } : undefined,
  }
}

const IS_OVER: readonly string[] = ['stopped', 'done', 'failed']

const run: Loader = async (tx, { id, prompts }) => {
  const [row] = await tx.select().from(runs).where(eq(runs.run_id, id))
  if (!row) return undefined
  const { task_id, team_id, actor_id, summary, last_entry, prompt, prompted_by, state } = row
  const [last] =
    (await promptsOf(tx, row)) > prompts
      ? await tx
          .select({ at: runEntries.at })
          .from(runEntries)
          .where(isPrompt({ team_id, run_id: id }))
          .orderBy(desc(runEntries.number))
          .limit(1)
      : []
  const over = { state: 'over', answer: null, at: row.ended_at } as const
  return {
    ...{ task_id, text: summary ?? last_entry ?? '', note: null, options: [] },
    asker_id: actor_id,
    closer_id: last ? prompted_by : null,
    closed: last
      ? { state: 'answered', answer: prompt, at: last.at }
      : IS_OVER.includes(state)
        ? over
        : undefined,
  }
}

const LOADERS: Record<AnswerLink['subject'], Loader> = { decision, escalation, run }

interface RunKey {
  team_id: number
  run_id: number
}

const isPrompt = ({ team_id, run_id }: RunKey) =>
  and(eq(runEntries.team_id, team_id), eq(runEntries.run_id, run_id), eq(runEntries.kind, 'prompt'))

/** How many prompts a run has had. */
export async function promptsOf(tx: Tx, key: RunKey): Promise<number> {
  const [row] = await tx.select({ prompts: count() }).from(runEntries).where(isPrompt(key))
  return row!.prompts
}
