import { t } from '../../messages/t.ts'
import type { Kind, Note } from './types.ts'

/** What happened, to follow the actor's name. */
const MESSAGES: Record<Kind, string> = {
  escalated: t('inbox.needs_your_input'),
  overdue: t('common.overdue'),
  decision_requested: t('inbox.asks_you_to_decide'),
  decision_answered: t('inbox.decided'),
  run_waiting: t('inbox.waits_for_your_answer'),
  mentioned: t('inbox.mentioned_you'),
  replied: t('inbox.replied_to_you'),
  assigned: t('inbox.assigned_you_to_a_task'),
  unassigned: t('inbox.unassigned_you_from_a_task'),
  moved_to_inbox: t('inbox.added_a_task_to_your_inbox'),
  reacted: t('inbox.reacted_to_your_comment'),
  due_soon: t('inbox.due_soon'),
  run_finished: t('inbox.finished_a_run'),
  budget_reached: t('inbox.reached_a_budget'),
  commented: t('inbox.commented'),
}

/** The names of the kinds. */
export const KINDS: Record<Kind, string> = {
  escalated: t('inbox.escalated'),
  overdue: t('common.overdue'),
  decision_requested: t('inbox.to_decide'),
  decision_answered: t('inbox.decided_name'),
  run_waiting: t('inbox.to_answer'),
  mentioned: t('inbox.mentioned'),
  replied: t('inbox.replies'),
  assigned: t('inbox.assigned'),
  unassigned: t('inbox.unassigned'),
  moved_to_inbox: t('inbox.added'),
  reacted: t('inbox.reactions'),
  due_soon: t('inbox.due_soon'),
  run_finished: t('common.runs'),
  budget_reached: t('inbox.budgets'),
  commented: t('common.comments'),
}

const SPECIAL_MESSAGES: Partial<Record<Kind, readonly [begins: string, says: string]>> = {
  decision_answered: ['Cancelled: ', t('inbox.cancelled_a_decision_request')],
  escalated: ['Resolved', t('inbox.resolved_your_escalation')],
  run_finished: ['Failed', t('inbox.ended_a_failed_run')],
}

/** The actor and the message of a notification. Reminders have no actor. */
export function textOfNote({ kind, actor, snippet }: Note): { actorName: string; action: string } {
  if (actor.kind === 'system') return { actorName: '', action: MESSAGES[kind] }
  if (kind === 'reacted' && snippet)
    return { actorName: actor.name, action: t('inbox.reacted_with_snippet', { snippet }) }
  const [prefix, message] = SPECIAL_MESSAGES[kind] ?? []
  const action = prefix && snippet?.startsWith(prefix) ? message! : MESSAGES[kind]
  return { actorName: actor.name, action }
}

/** The quoted text, unless the message already contains it. */
export const snippetOf = ({ kind, snippet }: Note): string | null =>
  kind === 'reacted' ? null : snippet
