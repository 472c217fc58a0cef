import { ACTIONS, type Param, TRIGGERS } from '../../../../../kernel/board-rules.ts'
import type { Action, BoardChoices, When } from '../../../../entities/task/rule/types.ts'
import { fieldChoices, isDateField, valueChoices } from '../../../../entities/task/rule/values.ts'
import type { Choice } from '../../../../kit/pick-popup.tsx'
import { t } from '../../../../messages/t.ts'
import { ChoiceButton } from './choice-button.tsx'
import { ROLE_CHOICES } from './data.ts'

type Values = Partial<Action> & Partial<When>

interface Props {
  values: Values
  choices: BoardChoices
  onChange(changes: Values): void
}

/** The fields of a trigger or an action, as its declaration lists them. */
export function PartFields(props: Props) {
  const { event, do: deed } = props.values
  const { needs, takes } = event ? TRIGGERS[event] : ACTIONS[deed!]
  return [...needs, ...takes].map((param) => {
    const Field = FIELDS[param]
    return <Field key={param} {...props} />
  })
}

const any = (name: string): Choice<undefined> => ({ value: undefined, name })
const isOptional = ({ event, do: deed }: Values, param: Param) => {
  const { takes } = event ? TRIGGERS[event] : ACTIONS[deed!]
  return (takes as readonly Param[]).includes(param)
}

const SectionField = ({ values, choices, onChange }: Props) => (
  <ChoiceButton<number | undefined>
    label={t('common.column')}
    value={values.section_id}
    choices={[
      ...(isOptional(values, 'section_id') ? [any(t('rules.any_column'))] : []),
      ...choices.sections,
    ]}
    onPick={(section_id) => onChange({ section_id })}
  />
)

const LabelField = ({ values, choices, onChange }: Props) => (
  <ChoiceButton
    label={t('common.label')}
    value={values.label_id}
    choices={choices.labels}
    onPick={(label_id) => onChange({ label_id })}
  />
)

const WhoField = ({ values, choices, onChange }: Props) => (
  <ChoiceButton<string | number | undefined>
    label={t('rules.person_or_agent')}
    value={values.who}
    choices={[
      ...(isOptional(values, 'who')
        ? [any(values.event ? t('rules.anyone') : t('common.nobody'))]
        : []),
      ...(values.do === 'notify' ? ROLE_CHOICES : []),
      ...(values.do === 'call_agent' ? [] : choices.people),
      ...choices.agents,
    ]}
    onPick={(who) => onChange({ who })}
  />
)

const FieldField = ({ values, choices, onChange }: Props) => (
  <ChoiceButton
    label={t('rules.field')}
    value={values.field}
    choices={fieldChoices(choices, values.event ? 'watch' : 'set')}
    onPick={(field) =>
      onChange({ field, value: undefined, days: isDate(field, values, choices) ? 0 : undefined })
    }
  />
)

const isDate = (field: string, values: Values, choices: BoardChoices) =>
  values.do === 'set_field' && isDateField(field, choices)

function ValueField({ values, choices, onChange }: Props) {
  const { field, value } = values
  if (field === undefined || isDate(field, values, choices)) return null
  const known = valueChoices(field, choices)
  if (!known.length && values.event) return null
  if (!known.length)
    return (
      <input
        className="field"
        aria-label={t('rules.value')}
        maxLength={500}
        value={value === undefined || value === null ? '' : String(value)}
        onChange={({ target }) => onChange({ value: target.value })}
      />
    )
  return (
    <ChoiceButton<string | number | undefined>
      label={t('rules.value')}
      value={value as string | number | undefined}
      choices={[...(values.event ? [any(t('rules.any_value'))] : []), ...known]}
      onPick={(next) => onChange({ value: next })}
    />
  )
}

function DaysField({ values, choices, onChange }: Props) {
  if (values.field === undefined || !isDate(values.field, values, choices)) return null
  return (
    <label className="days">
      <input
        className="field"
        type="number"
        min={-3660}
        max={3660}
        value={values.days ?? 0}
        onChange={({ target }) => onChange({ days: Math.trunc(target.valueAsNumber) || 0 })}
      />
      {t('rules.days_from_now')}
    </label>
  )
}

const TitleField = ({ values, onChange }: Props) => (
  <input
    className="field wide"
    aria-label={t('common.title')}
    placeholder={t('rules.title_of_the_new_task')}
    maxLength={500}
    value={values.title ?? ''}
    onChange={({ target }) => onChange({ title: target.value })}
  />
)

function TextField({ values, onChange }: Props) {
  const shared = {
    className: 'field wide',
    'aria-label': t('common.text'),
    value: values.text ?? '',
  }
  if (values.event)
    return (
      <input
        {...shared}
        maxLength={200}
        onChange={({ target }) => onChange({ text: target.value })}
      />
    )
  return (
    <textarea
      {...shared}
      rows={2}
      maxLength={5000}
      placeholder={
        isOptional(values, 'text')
          ? t('rules.description_optional')
          : t('rules.text_with_names', { placeholder: '{{task.title}}' })
      }
      onChange={({ target }) => onChange({ text: target.value || undefined })}
    />
  )
}

const WebhookField = ({ values, choices, onChange }: Props) => (
  <ChoiceButton
    label={t('rules.webhook')}
    value={values.webhook_id}
    choices={choices.webhooks}
    onPick={(webhook_id) => onChange({ webhook_id })}
  />
)

const FIELDS: Readonly<Record<Param, (props: Props) => React.ReactNode>> = {
  section_id: SectionField,
  label_id: LabelField,
  who: WhoField,
  field: FieldField,
  value: ValueField,
  days: DaysField,
  title: TitleField,
  text: TextField,
  webhook_id: WebhookField,
}
