import { CUSTOM_FIELD, SET_FIELDS, WATCHED_FIELDS } from '../../../../kernel/board-rules.ts'
import type { Choice } from '../../../kit/pick-popup.tsx'
import { t } from '../../../messages/t.ts'
import { choicesOf, TASK_FIELDS } from '../task-fields.tsx'
import { FIELD_LABELS } from './names.ts'
import type { Action, BoardChoices, When } from './types.ts'

/** The values of a field: a number of a built-in choice, or of a custom field. */
export function valueChoices(field: string, { fields }: BoardChoices): Choice<string | number>[] {
  const builtIn = TASK_FIELDS.find((one) => one.name === field)
  if (builtIn && 'choices' in builtIn.control) return choicesOf(builtIn)
  const custom = fields.find(({ field_id }) => `${CUSTOM_FIELD}${field_id}` === field)
  return (custom?.options ?? []).map(({ option_id, label }) => ({ value: option_id, name: label }))
}

export const isDateField = (field: string, { fields }: BoardChoices) =>
  field.endsWith('_date') ||
  fields.find(({ field_id }) => `${CUSTOM_FIELD}${field_id}` === field)?.type === 'date'

/** The fields that start a rule, or that it sets. */
export const fieldChoices = ({ fields }: BoardChoices, use: 'watch' | 'set'): Choice<string>[] => [
  ...(use === 'watch' ? WATCHED_FIELDS : SET_FIELDS).map((value) => ({
    value,
    name: FIELD_LABELS[value]!,
  })),
  ...fields.map(({ field_id, name }) => ({ value: `${CUSTOM_FIELD}${field_id}`, name })),
]

const nameIn = <V>(choices: readonly Choice<V>[], value: V | undefined) =>
  choices.find((one) => one.value === value)?.name

/** The values of a trigger or an action, as the list of rules shows them. */
export function shownValues(part: When | Action, choices: BoardChoices): string[] {
  const { section_id, label_id, who, field, value } = part
  const { days, title, text, webhook_id } = part as Action
  const gone = t('rules.deleted')
  const members = [...choices.people, ...choices.agents]
  const words = [
    field !== undefined && (nameIn(fieldChoices(choices, 'watch'), field) ?? gone),
    value !== undefined &&
      (nameIn(valueChoices(field ?? '', choices), value as string) ?? String(value ?? '—')),
    days !== undefined && t('rules.in_days', { days }),
    section_id !== undefined && (nameIn(choices.sections, section_id) ?? gone),
    label_id !== undefined && (nameIn(choices.labels, label_id) ?? gone),
    who !== undefined && whoText(who, members),
    who === undefined && 'event' in part && part.event === 'task_assigned' && t('rules.anyone'),
    webhook_id !== undefined && (nameIn(choices.webhooks, webhook_id) ?? String(webhook_id)),
    title !== undefined && t('shell.quoted', { what: title }),
    text !== undefined && t('shell.quoted', { what: text }),
  ]
  return words.filter((word) => typeof word === 'string')
}

function whoText(who: string | number, members: readonly Choice<string | number>[]) {
  if (who === 'assignees') return t('rules.its_assignees')
  if (who === 'creator') return t('rules.its_creator')
  return nameIn(members, who) ?? t('rules.former_member')
}
