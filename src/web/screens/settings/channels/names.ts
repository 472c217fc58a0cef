import { t } from '../../../messages/t.ts'
import type { ChannelEvent, ChannelKind } from './data.ts'

export const KIND_NAMES: Record<ChannelKind, string> = {
  push: t('settings.a_browser'),
  ntfy: 'ntfy',
  slack: 'Slack',
  discord: 'Discord',
  mattermost: 'Mattermost',
  webhook: t('settings.webhook'),
  apprise: 'Apprise',
}

/** What a channel of a person can get, the most urgent first. */
export const PERSONAL_EVENTS = [
  ['escalations', t('settings.escalations')],
  ['decisions', t('settings.decisions')],
  ['mentions', t('settings.mentions_and_replies')],
  ['assignments', t('settings.assignments')],
  ['due_dates', t('settings.due_dates')],
  ['runs', t('settings.finished_runs')],
  ['comments', t('settings.other_comments_and_reactions')],
] as const satisfies readonly (readonly [ChannelEvent, string])[]

/** What a shared channel can report. */
export const SHARED_EVENTS = [
  ['task_created', t('settings.created_tasks')],
  ['task_moved', t('settings.moved_tasks')],
  ['task_completed', t('settings.completed_tasks')],
  ['comment', t('common.comments')],
  ['decision_requested', t('settings.decisions')],
  ['escalated', t('settings.escalations')],
  ['run_waiting', t('settings.waiting_runs')],
  ['run_finished', t('settings.finished_runs')],
] as const satisfies readonly (readonly [ChannelEvent, string])[]
