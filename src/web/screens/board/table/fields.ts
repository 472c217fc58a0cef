import type { Card } from '../../../entities/board/data.ts'
import { TASK_FIELDS, type TaskField } from '../../../entities/task/task-fields.tsx'
import type { ActorKey } from '../../../entities/user/actor.ts'
import { t } from '../../../messages/t.ts'
import type { CustomField, Field, Kind, Row, TaskChange, Value } from './types.ts'

const NONE: readonly never[] = []
const isAgent = (key: ActorKey): key is string => typeof key === 'string'

/** A card with a property set, or without it if the value is empty. */
function withValue(card: Card, name: keyof Card, value: Value): Card {
  const next = { ...card, [name]: value }
  if (value === null || value === '' || value === 0 || (Array.isArray(value) && !value.length))
    delete (next as Partial<Card>)[name]
  return next
}

/** A column that is stored in one property of the card, and written under the same name. */
const property = (
  name: keyof Card & keyof TaskChange,
  empty: Value,
): Pick<Field, 'read' | 'toChange' | 'patch'> => ({
  read: ({ card }) => (card[name] as Value | undefined) ?? empty,
  toChange: (value) => ({ [name]: value }) as Partial<TaskChange>,
  patch: (card, value) => withValue(card, name, value),
})

const builtIn = (
  name: string,
  kind: Kind,
  label: string,
  width: number,
  rest: Omit<Field, 'name' | 'kind' | 'label' | 'width'>,
): Field => ({ name, kind, label, width, ...rest })

const dueDate = property('due_date', null)
const start = property('start_date', null)

const assignees = {
  ...property('assignees', NONE),
  read: ({ card }: Row): Value => card.assignees ?? NONE,
}

/** The agents among the assignees; the one that works on the task is shown first. */
const agents: Pick<Field, 'read' | 'toChange' | 'patch'> = {
  read: ({ card }) => [
    ...new Set([
      ...(card.lease && isAgent(card.lease.holder) ? [card.lease.holder] : NONE),
      ...(card.assignees ?? NONE).filter(isAgent),
    ]),
  ],
}

/** A field with choices, such as the priority. */
const choiceField = (field: TaskField): Field =>
  builtIn(field.noun, 'choice', field.label, 110, {
    ...property(field.name as 'priority', 0),
    sort: field.mode ?? field.name,
  })

const BUILT_IN: readonly Field[] = [
  builtIn('key', 'key', t('table.key'), 84, {
    read: ({ card }) => card.ticket_number,
    sort: 'TicketNumber',
  }),
  builtIn('title', 'title', t('common.title'), 340, {
    ...property('title', ''),
    sort: 'Title',
  }),
  builtIn('section', 'section', t('common.column'), 130, {
    ...property('section_id', 0),
    sort: 'Section',
  }),
  builtIn('assignee', 'people', t('board.assignees'), 130, { ...assignees, sort: 'Assignee' }),
  ...TASK_FIELDS.map(choiceField),
  builtIn('due', 'date', t('common.due_date'), 120, {
    ...dueDate,
    patch: (card, value) => withoutOverdue(dueDate.patch!(card, value)),
    sort: 'DueDate',
  }),
  builtIn('label', 'labels', t('common.labels'), 180, {
    ...property('labels', NONE),
    sort: 'Label',
  }),
  builtIn('start', 'date', t('table.start'), 120, { ...start, sort: 'StartDate' }),
  builtIn('parent', 'parent', t('table.parent'), 160, {
    ...property('parent_task_id', null),
    sort: 'Parent',
  }),
  builtIn('agent', 'agents', t('table.agent'), 120, { ...agents, sort: 'Agent' }),
  builtIn('subtasks', 'progress', t('common.subtasks'), 100, {
    read: ({ card }) => card.subtasks?.[1] ?? 0,
    sort: 'Subtasks',
  }),
  builtIn('comments', 'number', t('common.comments'), 100, {
    read: ({ card }) => card.comment_count ?? 0,
    sort: 'Comments',
  }),
  builtIn('created', 'moment', t('common.created'), 120, {
    read: ({ details }) => details?.created_at ?? null,
    needsDetails: true,
    sort: 'CreatedAt',
  }),
  builtIn('updated', 'moment', t('table.updated'), 120, {
    read: ({ details }) => details?.updated_at ?? null,
    needsDetails: true,
    sort: 'UpdatedAt',
  }),
  builtIn('completed', 'moment', t('table.completed'), 120, {
    read: ({ details }) => details?.completed_at ?? null,
    needsDetails: true,
    sort: 'CompletedAt',
  }),
  builtIn('time', 'duration', t('table.time_spent'), 110, {
    read: ({ details }) => details?.seconds ?? 0,
    needsDetails: true,
    sort: 'Time',
  }),
]

/** Only the server knows where the day of a user ends, so it decides what is overdue. */
function withoutOverdue(card: Card): Card {
  const next = { ...card }
  delete next.overdue
  return next
}

const KINDS = {
  number: 'number',
  text: 'text',
  url: 'url',
  select: 'select',
  date: 'date',
  checkbox: 'checkbox',
} as const

const customField = (custom: CustomField): Field => ({
  name: `cf:${custom.field_id}`,
  label: custom.name,
  kind: KINDS[custom.type],
  width: custom.type === 'checkbox' ? 90 : 140,
  read: ({ details }) => details?.values?.[custom.field_id] ?? null,
  toChange: (value) => ({
    custom_fields: [
      { field_id: custom.field_id, value: value as string | number | boolean | null },
    ],
  }),
  needsDetails: true,
  sort: `cf:${custom.field_id}`,
  custom,
})

/** All fields of a board, in the order of the menu. */
export const fieldsOf = (custom: readonly CustomField[]): readonly Field[] => [
  ...BUILT_IN,
  ...custom.map(customField),
]

/** The columns of a table that nobody has changed. */
export const DEFAULT_FIELDS = ['key', 'title', 'assignee', 'priority', 'size', 'due', 'label']
