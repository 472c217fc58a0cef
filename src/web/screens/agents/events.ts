import type { Output } from '../../data/client.ts'
import { t } from '../../messages/t.ts'

type Event = Output<'webhooks.get'>['events'][number]

/** The webhook events with their descriptions. */
export const EVENTS: readonly (readonly [Event, string])[] = [
  ['task.assigned', t('agents.a_task_is_assigned_to_it')],
  ['task.unassigned', t('agents.a_task_is_unassigned_from_it')],
  ['comment.mention', t('agents.a_comment_mentions_it')],
  ['run.created', t('agents.one_of_its_runs_is_queued')],
  ['run.prompted', t('agents.one_of_its_runs_gets_a_prompt')],
  ['run.stopped', t('agents.one_of_its_runs_is_stopped')],
  ['comment.reaction', t('agents.somebody_reacts_to_its_comment')],
  ['task.created', t('agents.a_task_is_created')],
  ['task.updated', t('agents.a_task_changes')],
  ['comment.created', t('agents.somebody_comments')],
  ['chat.message', t('agents.somebody_messages_it_in_a_chat')],
]
/** The events selected by default. */
export const DEFAULT_EVENTS: readonly Event[] = EVENTS.slice(0, 6).map(([event]) => event)
