import { and, eq, inArray } from 'drizzle-orm'
import type { Server, Tx } from '../../../../kernel/caller.ts'
import type { Texts } from '../../../../languages/index.ts'
import { runs } from '../../../agents/runs/model/index.ts'
import type { Kind, notifications } from '../../notifications/model/index.ts'
import { type AnswerLink, expiryAfter, type Subject, tokenOf } from './link.ts'
import { promptsOf, questionOf } from './question.ts'

/** A way to answer a notification from outside the app. */
export interface Action {
  label: string
  /** A page that shows the question. Opening it changes nothing. */
  url: string
  /** An empty POST to the address answers at once. Without it, the page asks for a text. */
  post?: true
}

type Notified = Pick<
  typeof notifications.$inferSelect,
  'actor_id' | 'team_id' | 'task_id' | 'kind' | 'by_id' | 'decision_request_id' | 'escalation_id'
>

interface Parts {
  tx: Tx
  server: Pick<Server, 'url' | 'sign'>
  texts: Texts
  now: Date
}

/**
 * The actions for a notification of a person, in its language. None if nothing is left to answer.
 * Signing is asynchronous, so this is not for transactions that write.
 */
export async function actionsOf(parts: Parts, notified: Notified): Promise<Action[]> {
  const link = await linkOf(parts, notified)
  if (!link) return []
  const question = await questionOf(parts.tx, link)
  if (question.outcome) return []
  const { text } = parts.texts
  if (link.subject === 'run') return [await actionFor(parts, link, text('pages.reply'))]
  if (link.subject === 'escalation')
    return [await actionFor(parts, link, text('pages.resolve'), true)]
  return Promise.all(
    question.options.map((label, option) => actionFor(parts, { ...link, option }, label, true)),
  )
}

async function actionFor(
  { server }: Parts,
  link: AnswerLink,
  label: string,
  post?: true,
): Promise<Action> {
  const url = `${server.url}/answers/${await tokenOf(server, link)}`
  return { label, url, ...(post && { post }) }
}

const linkTo = ({ now }: Parts, actor_id: number, subject: Subject, id: number): AnswerLink => ({
  ...{ actor_id, subject, id, option: null, prompts: 0, expires_at: expiryAfter(now) },
})

const CONVERSATION: readonly Kind[] = ['run_waiting', 'mentioned', 'replied', 'commented']

async function linkOf(parts: Parts, notified: Notified): Promise<AnswerLink | undefined> {
  const { actor_id, kind, decision_request_id, escalation_id } = notified
  if (kind === 'decision_requested' && decision_request_id !== null)
    return linkTo(parts, actor_id, 'decision', decision_request_id)
  if (kind === 'escalated' && escalation_id !== null)
    return linkTo(parts, actor_id, 'escalation', escalation_id)
  return CONVERSATION.includes(kind) ? runLink(parts, notified) : undefined
}

/** What an agent writes during a run can be answered with a prompt to the run. */
async function runLink(parts: Parts, { actor_id, team_id, task_id, by_id }: Notified) {
  const [run] = await parts.tx
    .select({ team_id: runs.team_id, run_id: runs.run_id })
    .from(runs)
    .where(
      and(
        eq(runs.team_id, team_id),
        eq(runs.task_id, task_id),
        eq(runs.actor_id, by_id),
        inArray(runs.state, ['queued', 'running', 'waiting']),
      ),
    )
  if (!run) return undefined
  return {
    ...linkTo(parts, actor_id, 'run', run.run_id),
    prompts: await promptsOf(parts.tx, run),
  }
}
