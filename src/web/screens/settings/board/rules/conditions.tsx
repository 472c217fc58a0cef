import { choicesOf, englishChoicesOf, TASK_FIELDS } from '../../../../entities/task/task-fields.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import type { Choice } from '../../../../kit/pick-popup.tsx'
import { t } from '../../../../messages/t.ts'
import { ChoiceButton } from './choice-button.tsx'
import type { BoardChoices, Conditions as Filters } from './data.ts'
import { CONDITION_LABELS, OPERATOR_LABELS } from './names.ts'

interface Props {
  conditions: Filters
  choices: BoardChoices
  onChange(conditions: Filters): void
}

type Condition = Filters['groups'][number]['rules'][number]

const asChoices = (labels: Readonly<Record<string, string>>): Choice<string>[] =>
  Object.entries(labels).map(([value, name]) => ({ value, name }))
const FIELD_CHOICES = asChoices(CONDITION_LABELS)
const OPERATOR_CHOICES = asChoices(OPERATOR_LABELS)

/** The conditions of a rule: all of them must match. */
export function Conditions({ conditions, choices, onChange }: Props) {
  const [group] = conditions.groups
  if (conditions.groups.length > 1 || group?.match === 'ANY' || group?.rules.some(isUnknown))
    return <p className="soft">{t('rules.conditions_are_edited_with_the_api')}</p>
  const rules = group?.rules ?? []
  const set = (next: Condition[]) =>
    onChange({ groups: next.length ? [{ match: 'ALL', rules: next }] : [] })
  return (
    <>
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids
        <div className="clause" key={at}>
          <ChoiceButton
            label={t('rules.field')}
            value={rule.field}
            choices={FIELD_CHOICES}
            onPick={(field) => set(rules.with(at, { field, op: rule.op }))}
          />
          <ChoiceButton
            label={t('rules.comparison')}
            value={rule.op as string}
            choices={OPERATOR_CHOICES}
            onPick={(op) => set(rules.with(at, { ...rule, op: op as Condition['op'] }))}
          />
          <ChoiceButton
            label={t('rules.value')}
            value={rule.value === undefined ? undefined : String(rule.value)}
            choices={conditionValues(rule.field, choices)}
            onPick={(value) => set(rules.with(at, { ...rule, value }))}
          />
          <button
            type="button"
            className="button quiet only"
            onClick={() => set(rules.toSpliced(at, 1))}
          >
            <Icon name="close" label={t('rules.remove_the_condition')} />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button quiet"
        onClick={() => set([...rules, { field: 'label', op: 'is' }])}
      >
        <Icon name="plus" />
        {t('rules.add_a_condition')}
      </button>
    </>
  )
}

const isUnknown = ({ field, op }: Condition) => !CONDITION_LABELS[field] || !OPERATOR_LABELS[op]

/** Values as filters name them: choices of built-in fields by their English names. */
function conditionValues(field: string, choices: BoardChoices): Choice<string>[] {
  const builtIn = TASK_FIELDS.find((one) => one.name === (field === 'size' ? 'estimate' : field))
  if (builtIn) {
    const english = englishChoicesOf(builtIn)
    return choicesOf(builtIn).map(({ name }, at) => ({ value: english[at]!.name, name }))
  }
  const byName = (list: readonly Choice<unknown>[]) =>
    list.map(({ name }) => ({ value: name, name }))
  if (field === 'section') return byName(choices.sections)
  if (field === 'assignee')
    return [...choices.people, ...choices.agents].map(({ value, name }) => ({
      value: String(value),
      name,
    }))
  return byName(choices.labels)
}
