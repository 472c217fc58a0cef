/** What the change log may contain: for each noun, what can happen to it. */
export const CHANGES = {
  agent: [
    'archived',
    'created',
    'deactivated',
    'deleted',
    'enabled',
    'revoked',
    'rotated',
    'token_created',
    'token_revoked',
    'updated',
  ],
  attachment: ['created', 'deleted'],
  authenticator_app: ['created', 'deleted'],
  backup: ['created'],
  board_webhook: ['created', 'deleted', 'rotated', 'updated'],
  calendar_feed: ['created', 'deleted'],
  channel: ['created', 'deleted', 'failed', 'updated'],
  chat: ['deleted', 'message', 'updated'],
  code_host: ['created', 'deleted', 'updated'],
  comment: ['created', 'deleted', 'imported', 'mention', 'reaction', 'updated'],
  credential: ['created', 'revoked'],
  custom_field: ['created', 'deleted', 'updated'],
  decision: ['answered', 'cancelled', 'requested'],
  draft: ['created', 'deleted', 'published', 'updated'],
  escalation: ['created', 'resolved'],
  evidence: ['added', 'removed', 'updated'],
  export: ['created'],
  grant: ['created', 'refused', 'revoked'],
  identity: ['approved', 'linked', 'refused', 'requested', 'unlinked'],
  import: ['finished', 'person_replaced', 'started', 'undone'],
  inbox: ['moved'],
  instructions: ['updated'],
  invitation: ['accepted', 'created', 'revoked'],
  issue: ['linked', 'unlinked'],
  label: ['created', 'deleted', 'updated'],
  lease: ['claimed', 'released'],
  mail: ['updated'],
  member: ['added', 'removed', 'updated'],
  my_view: ['created', 'deleted', 'updated'],
  notification_settings: ['updated'],
  notification: ['archived', 'created', 'read', 'unarchived', 'unread'],
  page: ['archived', 'created', 'restored', 'updated'],
  passkey: ['created', 'deleted', 'updated'],
  password: ['changed'],
  person: ['created', 'deactivated', 'erased', 'reactivated', 'recovered'],
  playbook: ['updated'],
  profile: ['updated'],
  project: [
    'access_changed',
    'archived',
    'created',
    'limits_changed',
    'member_added',
    'member_removed',
    'renamed',
    'unarchived',
    'updated',
  ],
  pull_request: ['created', 'deleted', 'updated'],
  pull_request_receiver: ['created', 'deleted'],
  recovery_codes: ['created', 'used'],
  relation: ['created', 'deleted'],
  repository: ['linked', 'unlinked', 'updated'],
  report: ['created', 'deleted', 'updated'],
  rule: ['created', 'deleted', 'notified', 'paused', 'updated'],
  run: [
    'budget_reached',
    'created',
    'done',
    'failed',
    'prompted',
    'started',
    'stopped',
    'transcript',
    'waiting',
  ],
  section: ['created', 'deleted', 'updated'],
  session: ['closed', 'opened', 'refused', 'verified'],
  sidebar: ['updated'],
  skill: ['created', 'deleted', 'updated'],
  task: [
    'assigned',
    'created',
    'deleted',
    'due_soon',
    'imported',
    'left',
    'mentioned',
    'overdue',
    'unassigned',
    'updated',
  ],
  team: ['created', 'imported', 'policy_changed', 'renamed'],
  template: ['created', 'deleted'],
  time: ['deleted', 'logged', 'paused', 'resumed', 'started', 'stopped', 'updated'],
  trash: ['deleted'],
  view: ['created', 'default_set', 'deleted', 'updated'],
  watcher: ['added', 'removed'],
  webhook: ['configured', 'deleted', 'rotated'],
} as const

type Changes = typeof CHANGES
export type ChangeNoun = keyof Changes
export type ChangeVerb<Noun extends ChangeNoun> = Changes[Noun][number]
/** For example `task.updated`. */
export type ChangeType<Noun extends ChangeNoun = ChangeNoun> = {
  [N in Noun]: `${N}.${ChangeVerb<N>}`
}[Noun]

/**
 * One type of changes, or all of a noun. `run` does not include `run.transcript`, which an agent at
 * work causes many times a second.
 */
export type ChangeKind = ChangeNoun | ChangeType

/**
 * Changes that make an answer stale: all of a kind, or only those about what the input or the
 * answer names.
 */
export type Dependency = ChangeKind | { about: Subject; changes?: readonly ChangeKind[] }

/**
 * - `task`, `page`: the one that the input or the answer is about
 * - `tasks`: also those that the answer contains
 * - `subtasks`: tasks that are, were or become subtasks of the task in the input
 */
export type Subject = 'page' | 'subtasks' | 'task' | 'tasks'
