import type { ActionName, TriggerName } from '../../../../kernel/board-rules.ts'
import { t } from '../../../messages/t.ts'

export const TRIGGER_LABELS: Readonly<Record<TriggerName, string>> = {
  task_created: t('rules.task_is_created'),
  task_moved: t('rules.task_moves_to'),
  task_labeled: t('rules.task_gets_the_label'),
  task_assigned: t('rules.task_is_assigned_to'),
  field_changed: t('rules.field_changes'),
  due_soon: t('rules.task_is_due_soon'),
  overdue: t('rules.task_is_overdue'),
  task_completed: t('rules.task_is_completed'),
  comment_contains: t('rules.comment_contains'),
  pull_request_opened: t('rules.pull_request_is_opened'),
  pull_request_merged: t('rules.pull_request_is_merged'),
  checks_failed: t('rules.checks_fail'),
  decision_answered: t('rules.decision_is_answered'),
  run_finished: t('rules.run_finishes'),
  run_failed: t('rules.run_fails'),
}

export const ACTION_LABELS: Readonly<Record<ActionName, string>> = {
  set_field: t('rules.set'),
  move: t('rules.move_to'),
  assign: t('rules.assign_to'),
  unassign: t('rules.unassign'),
  add_label: t('rules.add_label'),
  remove_label: t('rules.remove_label'),
  comment: t('rules.comment'),
  create_task: t('rules.create_task'),
  create_subtask: t('rules.create_subtask'),
  call_agent: t('rules.call_agent'),
  notify: t('rules.notify'),
  send_webhook: t('rules.send_to_webhook'),
}

export const FIELD_LABELS: Readonly<Record<string, string>> = {
  title: t('common.title'),
  description: t('common.description'),
  priority: t('common.priority'),
  estimate: t('common.size'),
  start_date: t('rules.start_date'),
  due_date: t('common.due_date'),
}
