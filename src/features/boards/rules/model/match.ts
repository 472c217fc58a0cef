import type { TriggerName } from '../../../../kernel/board-rules.ts'
import { CUSTOM_FIELD } from '../../../../kernel/board-rules.ts'
import type { Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { labelsOn } from '../../labels/model/index.ts'
import type { BoardNames } from './names.ts'
import type { When } from './schema.ts'

interface Seen {
  when: When
  change: LoggedChange
  data: ChangeData
  names: BoardNames
  tx: Tx
}

interface ChangeData {
  section_id?: number
  changed?: unknown
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  actor?: { user_id?: number; agent_id?: string }
  snippet?: string
  state?: string
  checks?: string
}

interface Trigger {
  changes: readonly ChangeType[]
  /** Whether such a change starts the rule; without it, each does. */
  matches?(seen: Seen): boolean | Promise<boolean>
}

const changedIn = ({ data: { changed } }: Seen, field: string): boolean =>
  Array.isArray(changed) && changed.includes(field)
const enters = (seen: Seen) =>
  changedIn(seen, 'section_id') ? (seen.data.after?.section_id as number | undefined) : undefined
const has = (names: unknown, name: string) => Array.isArray(names) && names.includes(name)

/** Which changes start a rule, for each trigger of the vocabulary. */
const MATCHERS: Readonly<Record<TriggerName, Trigger>> = {
  task_created: {
    changes: ['task.created'],
    matches: ({ when, data }) =>
      when.section_id === undefined || when.section_id === data.section_id,
  },
  task_moved: {
    changes: ['task.updated'],
    matches: (seen) => enters(seen) === seen.when.section_id,
  },
  task_labeled: { changes: ['task.updated', 'task.created'], matches: getsLabel },
  task_assigned: {
    changes: ['task.assigned'],
    matches: ({ when: { who }, data: { actor } }) =>
      who === undefined || who === (actor?.agent_id ?? actor?.user_id),
  },
  field_changed: { changes: ['task.updated'], matches: changesField },
  due_soon: { changes: ['task.due_soon'] },
  overdue: { changes: ['task.overdue'] },
  task_completed: {
    changes: ['task.updated'],
    matches(seen) {
      const { sections } = seen.names
      const left = seen.data.before?.section_id as number | undefined
      return sections.get(enters(seen) ?? 0)?.done === true && !sections.get(left ?? 0)?.done
    },
  },
  comment_contains: {
    changes: ['comment.created'],
    matches: ({ when, data }) =>
      (data.snippet ?? '').toLowerCase().includes((when.text ?? '').toLowerCase()),
  },
  pull_request_opened: {
    changes: ['pull_request.created', 'pull_request.updated'],
    matches: (seen) => becomes(seen, 'state', 'open'),
  },
  pull_request_merged: {
    changes: ['pull_request.created', 'pull_request.updated'],
    matches: (seen) => becomes(seen, 'state', 'merged'),
  },
  checks_failed: {
    changes: ['pull_request.created', 'pull_request.updated'],
    matches: (seen) => becomes(seen, 'checks', 'failing'),
  },
  decision_answered: { changes: ['decision.answered'] },
  run_finished: { changes: ['run.done'] },
  run_failed: { changes: ['run.failed'] },
}

function becomes(seen: Seen, field: 'state' | 'checks', value: string): boolean {
  const isNew = seen.change.type === 'pull_request.created'
  return seen.data[field] === value && (isNew || changedIn(seen, field))
}

async function getsLabel(seen: Seen): Promise<boolean> {
  const { when, change, data, names, tx } = seen
  const label = names.labels.get(when.label_id ?? 0)
  if (!label) return false
  if (change.type === 'task.created') {
    const { team_id, task_id } = change
    const labels = await labelsOn(tx, { team_id: team_id!, task_id: task_id! })
    return labels.some(({ label_id }) => label_id === label.label_id)
  }
  return (
    changedIn(seen, 'labels') &&
    has(data.after?.labels, label.name) &&
    !has(data.before?.labels, label.name)
  )
}

function changesField(seen: Seen): boolean {
  const { field = '', value } = seen.when
  const name = field.startsWith(CUSTOM_FIELD)
    ? `custom_fields.${seen.names.fields.get(field.slice(CUSTOM_FIELD.length))?.name}`
    : field
  if (!changedIn(seen, name)) return false
  if (value === undefined) return true
  const next = seen.data.after?.[name] ?? null
  return value === null ? next === null : String(next) === String(value)
}

export const STARTING_TYPES: ReadonlySet<string> = new Set(
  Object.values(MATCHERS).flatMap(({ changes }) => changes),
)

/** Whether a change on the board of the rule starts it, its conditions aside. */
export async function isStartedBy(
  tx: Tx,
  when: When,
  change: LoggedChange,
  names: BoardNames,
): Promise<boolean> {
  const { changes, matches } = MATCHERS[when.event]
  if (!changes.includes(change.type as ChangeType)) return false
  return (await matches?.({ when, change, data: change.data, names, tx })) ?? true
}

/** The types of the changes that can start a rule with this trigger. */
export const typesFor = ({ event }: When): readonly ChangeType[] => MATCHERS[event].changes
