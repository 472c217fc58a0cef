import { useState } from 'react'
import { type Frequency, type Rule, readRule } from '../../../kernel/recurrence/rule.ts'
import { writeRule } from '../../../kernel/recurrence/write.ts'
import { ruleText } from '../../entities/task/rule-text.ts'
import { dueText } from '../../kit/dates.ts'
import { Check, Field, SelectField, TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { locale } from '../../kit/locale.ts'
import { PickWhen } from '../../kit/when.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  recurrence: string | null
  onSave(rule: string): void
  onClose(): void
}

type End = 'never' | 'day' | 'tasks'

const UNITS = [
  ['DAILY', t('task.days')],
  ['WEEKLY', t('task.weeks')],
  ['MONTHLY', t('task.months')],
  ['YEARLY', t('task.years')],
] as const
const ENDS = [
  ['never', t('task.ends_never')],
  ['day', t('task.ends_on_a_day')],
  ['tasks', t('task.ends_after_tasks')],
] as const
const MAX = 999

const numberIn = (text: string) => (/^[1-9]\d{0,2}$/.test(text.trim()) ? Number(text) : undefined)

interface Draft {
  rule: Rule
  interval: string
  end: End
  count: string
}

const draftOf = (rule: Rule): Draft => ({
  rule,
  interval: String(rule.interval),
  end: rule.until ? 'day' : rule.count ? 'tasks' : 'never',
  count: String(rule.count ?? 10),
})

/** The rule in its normal form; undefined while a field is invalid. */
function writtenRule({ rule, end, ...texts }: Draft): string | undefined {
  const interval = numberIn(texts.interval)
  const count = end === 'tasks' ? numberIn(texts.count) : undefined
  const until = end === 'day' ? rule.until : undefined
  const isValid = interval && (end === 'never' || count || until)
  return isValid ? writeRule({ ...rule, interval, count, until }) : undefined
}

/** The dialog for rules that the list of the picker does not offer. */
export default function RepeatDialog({ recurrence, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(readRule(recurrence ?? 'Weekly')))
  const { rule, interval } = draft
  const update = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const setRule = (change: Partial<Rule>) => update({ rule: { ...rule, ...change } })
  const written = writtenRule(draft)
  const save = () => {
    if (written) onSave(written)
    onClose()
  }
  return (
    <FormDialog
      {...{ title: t('task.repeat'), submitLabel: t('common.save'), disabled: !written, onClose }}
      onSubmit={save}
    >
      <NumberText
        label={t('task.every')}
        value={interval}
        onChange={(interval) => update({ interval })}
      />
      <SelectField<Frequency>
        label={t('task.unit')}
        value={rule.frequency}
        choices={UNITS}
        // The days of another unit have no meaning.
        onPick={(frequency) => setRule({ frequency, weekdays: [], monthDays: [], months: [] })}
      />
      {rule.frequency === 'WEEKLY' && <Weekdays rule={rule} onChange={setRule} />}
      <EndFields draft={draft} onChange={update} />
      <Check
        checked={rule.fromCompletion}
        onChange={(fromCompletion) => setRule({ fromCompletion })}
      >
        {t('task.count_from_completion')}
      </Check>
      <p className="soft" aria-live="polite">
        {written && ruleText(written)}
      </p>
    </FormDialog>
  )
}

interface EndProps {
  draft: Draft
  onChange(change: Partial<Draft>): void
}

const EndFields = ({ draft: { rule, end, count }, onChange }: EndProps) => (
  <>
    <SelectField<End>
      label={t('task.ends')}
      value={end}
      choices={ENDS}
      onPick={(end) => onChange({ end })}
    />
    {end === 'day' && (
      <LastDay rule={rule} onChange={(change) => onChange({ rule: { ...rule, ...change } })} />
    )}
    {end === 'tasks' && (
      <NumberText
        label={t('task.number_of_tasks')}
        value={count}
        onChange={(count) => onChange({ count })}
      />
    )}
  </>
)

interface NumberProps {
  label: string
  value: string
  onChange(text: string): void
}

const NumberText = ({ value, ...field }: NumberProps) => (
  <TextField
    {...field}
    inputMode="numeric"
    value={value}
    error={numberIn(value) ? '' : t('task.enter_a_number_from_1_to_max', { max: MAX })}
  />
)

interface PartProps {
  rule: Rule
  onChange(change: Partial<Rule>): void
}

const shortName = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' })
/** 1 January 2024 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => shortName.format(Date.UTC(2024, 0, day + 1)))

function Weekdays({ rule: { weekdays }, onChange }: PartProps) {
  const toggle = (weekday: number) => {
    const others = weekdays.filter((one) => one.weekday !== weekday)
    const isOn = others.length < weekdays.length
    onChange({ weekdays: isOn ? others : [...others, { weekday, nth: 0 }] })
  }
  return (
    <fieldset className="choice">
      <legend>{t('task.on')}</legend>
      <div className="values">
        {WEEKDAYS.map((name, weekday) => (
          <button
            key={name}
            type="button"
            className="button plain"
            aria-pressed={weekdays.some((one) => one.weekday === weekday)}
            onClick={() => toggle(weekday)}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

const LastDay = ({ rule: { until }, onChange }: PartProps) => (
  <Field label={t('task.last_day')}>
    {({ id }) => (
      <PickWhen
        label={t('task.last_day')}
        value={until ?? null}
        onPick={(day) => onChange({ until: day ?? undefined })}
        presets={[]}
        trigger={
          <button type="button" id={id} className="button plain">
            {until ? dueText(until).short : t('task.choose_a_day')}
          </button>
        }
      />
    )}
  </Field>
)
