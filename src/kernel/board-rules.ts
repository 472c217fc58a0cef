/**
 * The vocabulary of board rules: what starts a rule, and what it does. The checks and sentences of
 * the server, the editor of the app and the manual derive from it.
 */

/** What a trigger or an action can be told. The schema of each is the same wherever it is used. */
export const PARAMS = [
  'section_id',
  'label_id',
  'who',
  'field',
  'value',
  'days',
  'title',
  'text',
  'webhook_id',
] as const
export type Param = (typeof PARAMS)[number]

/** The values of a part in words, such as the title of its column. */
export type Words = Partial<Record<Param, string>>

export interface Part {
  needs: readonly Param[]
  takes: readonly Param[]
  /** English words that continue "When …" or "then …". */
  phrase(words: Words): string
}

const part = (
  needs: readonly Param[],
  takes: readonly Param[],
  phrase: (words: Words) => string,
): Part => ({ needs, takes, phrase })

const quoted = (text = '') => `“${text}”`
const suffix = (word: string, value: string | undefined) => (value ? ` ${word} ${value}` : '')

export const TRIGGERS = {
  task_created: part(
    [],
    ['section_id'],
    (w) => `a task is created${suffix('in', w.section_id && quoted(w.section_id))}`,
  ),
  task_moved: part(['section_id'], [], (w) => `a task moves to ${quoted(w.section_id)}`),
  task_labeled: part(['label_id'], [], (w) => `a task gets the label ${quoted(w.label_id)}`),
  task_assigned: part([], ['who'], (w) => `a task is assigned${suffix('to', w.who)}`),
  field_changed: part(
    ['field'],
    ['value'],
    (w) => `the ${w.field} of a task changes${suffix('to', w.value)}`,
  ),
  due_soon: part([], [], () => 'a task is due soon'),
  overdue: part([], [], () => 'a task becomes overdue'),
  task_completed: part([], [], () => 'a task is completed'),
  comment_contains: part(['text'], [], (w) => `a comment contains ${quoted(w.text)}`),
  pull_request_opened: part([], [], () => 'a pull request is opened'),
  pull_request_merged: part([], [], () => 'a pull request is merged'),
  checks_failed: part([], [], () => 'checks of a pull request fail'),
  decision_answered: part([], [], () => 'a decision is answered'),
  run_finished: part([], [], () => 'a run of an agent finishes'),
  run_failed: part([], [], () => 'a run of an agent fails'),
} as const satisfies Record<string, Part>
export type TriggerName = keyof typeof TRIGGERS

export const ACTIONS = {
  set_field: part(['field'], ['value', 'days'], (w) =>
    w.days
      ? `set its ${w.field} to ${w.days}`
      : w.value === undefined
        ? `clear its ${w.field}`
        : `set its ${w.field} to ${w.value}`,
  ),
  move: part(['section_id'], [], (w) => `move it to ${quoted(w.section_id)}`),
  assign: part(['who'], [], (w) => `assign it to ${w.who}`),
  unassign: part(['who'], [], (w) => `unassign ${w.who}`),
  add_label: part(['label_id'], [], (w) => `add the label ${quoted(w.label_id)}`),
  remove_label: part(['label_id'], [], (w) => `remove the label ${quoted(w.label_id)}`),
  comment: part(['text'], [], (w) => `comment ${quoted(w.text)}`),
  create_task: part(
    ['title'],
    ['text', 'section_id', 'who'],
    (w) =>
      `create the task ${quoted(w.title)}${suffix('in', w.section_id && quoted(w.section_id))}${suffix('for', w.who)}`,
  ),
  create_subtask: part(
    ['title'],
    ['text', 'who'],
    (w) => `create the subtask ${quoted(w.title)}${suffix('for', w.who)}`,
  ),
  call_agent: part(['who', 'text'], [], (w) => `ask ${w.who}: ${quoted(w.text)}`),
  notify: part(['who', 'text'], [], (w) => `notify ${w.who}: ${quoted(w.text)}`),
  send_webhook: part(['webhook_id'], [], (w) => `send it to the webhook ${w.webhook_id}`),
} as const satisfies Record<string, Part>
export type ActionName = keyof typeof ACTIONS

export const TRIGGER_NAMES = Object.keys(TRIGGERS) as TriggerName[]
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[]

/** Fields whose change starts a rule. Custom fields are named by `cf:` and their field_id. */
export const WATCHED_FIELDS = [
  'title',
  'description',
  'priority',
  'estimate',
  'start_date',
  'due_date',
] as const
/** Fields that a rule sets, besides custom fields. */
export const SET_FIELDS = ['priority', 'estimate', 'start_date', 'due_date'] as const
export const CUSTOM_FIELD = 'cf:'

/** Whom `notify` can name besides people and agents of the board. */
export const ROLES_OF_TASK = ['assignees', 'creator'] as const

/** What texts of actions can contain, as `{{task.title}}`. */
export const PLACEHOLDERS = [
  'task.title',
  'task.key',
  'task.url',
  'task.column',
  'task.priority',
  'task.due_date',
  'task.assignees',
  'actor.name',
  'comment.text',
  'board.title',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

/** The values of a trigger or an action, as they are stored. */
export interface PartValues {
  section_id?: number
  label_id?: number
  who?: string | number
  field?: string
  value?: unknown
  days?: number
  title?: string
  text?: string
  webhook_id?: number
}

type Names = Readonly<Record<string, string>>

/** A rule with the names of what it refers to, as they were when it acted. */
export interface NamedRule {
  when: PartValues & { event: TriggerName }
  conditions: {
    groups: { match?: 'ALL' | 'ANY'; rules: { field: string; op: string; value?: unknown }[] }[]
  }
  actions: (PartValues & { do: ActionName })[]
  /** By id. */
  names: {
    sections: Names
    labels: Names
    actors: Names
    webhooks: Names
    fields: Readonly<Record<string, { name: string; type: string; options: Names }>>
  }
}

/** The names between double braces in a text. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([\w.]{1,40})\s*\}\}/g)].map(([, name]) => name!)

export const fillPlaceholders = (
  text: string,
  values: Readonly<Record<Placeholder, string>>,
): string =>
  text.replace(/\{\{\s*([\w.]{1,40})\s*\}\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? values[name as Placeholder] : all,
  )
