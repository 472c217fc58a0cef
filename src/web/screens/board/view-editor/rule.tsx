import { Icon } from '../../../kit/icon.tsx'
import { PickMany } from '../../../kit/pick.tsx'
import { PickWhen } from '../../../kit/when.tsx'
import { t } from '../../../messages/t.ts'
import {
  type Field,
  needsValue,
  newRule,
  normalizeRule,
  type Op,
  opName,
  opsOf,
  type Rule,
  valuesOf,
} from './fields.ts'

interface Props {
  rule: Rule
  fields: ReadonlyMap<string, Field>
  onChange(rule: Rule): void
  onDrop(): void
}

/** A rule: a field, an operator and a value. */
export function RuleLine({ rule: storedRule, fields, onChange, onDrop }: Props) {
  const field = fields.get(storedRule.field)
  const rule = field ? normalizeRule(storedRule, field) : storedRule
  return (
    <li className="rule-line flex-row">
      <select
        className="field"
        aria-label={t('board.field')}
        value={rule.field}
        onChange={({ target }) => onChange(newRule(fields.get(target.value)!))}
      >
        {!field && (
          <option value={rule.field}>{t('board.field_deleted', { field: rule.field })}</option>
        )}
        {[...fields.values()].map(({ field: value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {field && <Comparison {...{ rule, field, onChange }} />}
      <button type="button" className="button quiet only" onClick={onDrop}>
        <Icon name="close" label={t('board.remove_rule', { field: field?.name ?? rule.field })} />
      </button>
    </li>
  )
}

type ComparisonProps = Pick<Props, 'rule' | 'onChange'> & { field: Field }

function Comparison({ rule, field, onChange }: ComparisonProps) {
  const { op } = rule
  const ops = opsOf(field)
  const setOp = (next: Op) => {
    const { value, ...rest } = rule
    // A number of days cannot be kept as a date, or the other way round.
    const keeps = needsValue(next) && (next === 'within_days') === (op === 'within_days')
    onChange({ ...rest, op: next, ...(keeps && value !== undefined && { value }) })
  }
  return (
    <>
      <select
        className="field"
        aria-label={t('board.operator_for_name', { name: field.name })}
        value={op}
        onChange={({ target }) => setOp(target.value as Op)}
      >
        {(ops.includes(op) ? ops : [...ops, op]).map((one) => (
          <option key={one} value={one}>
            {opName(one, field.kind)}
          </option>
        ))}
      </select>
      {needsValue(op) && (
        <Value {...{ rule, field }} onChange={(value) => onChange({ ...rule, value })} />
      )}
    </>
  )
}

interface ValueProps {
  rule: Rule
  field: Field
  onChange(value: NonNullable<Rule['value']>): void
}

function Value({ rule, field, onChange }: ValueProps) {
  const { kind, name } = field
  if (kind === 'choice') return <Choice {...{ rule, field, onChange }} />
  if (kind === 'flag')
    return (
      <select
        className="field"
        aria-label={t('board.value_of_name', { name })}
        value={String(rule.value ?? true)}
        onChange={({ target }) => onChange(target.value === 'true')}
      >
        <option value="true">{t('board.yes')}</option>
        <option value="false">{t('board.no')}</option>
      </select>
    )
  if (kind === 'date' && rule.op !== 'within_days') return <Day {...{ rule, field, onChange }} />
  const isNumber = kind === 'number' || rule.op === 'within_days'
  const label =
    rule.op === 'within_days'
      ? t('board.number_of_days_for_name', { name })
      : t('board.value_of_name', { name })
  return (
    <input
      className="field"
      aria-label={label}
      type={isNumber ? 'number' : 'text'}
      step={rule.op === 'within_days' ? 1 : 'any'}
      maxLength={500}
      placeholder={kind === 'key' ? t('board.sr_12_sr_14') : ''}
      value={valuesOf(rule).join(', ')}
      onChange={({ target: { value } }) =>
        onChange(
          kind === 'key' ? value.split(/,\s*/) : isNumber && value !== '' ? Number(value) : value,
        )
      }
    />
  )
}

function Choice({ rule, field: { name, choices = [] }, onChange }: ValueProps) {
  const values = valuesOf(rule)
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const nameOf = (value: string) =>
    choices.find((one) => same(one.value, value) || same(one.name, value))?.name ?? value
  const text = values.map(nameOf).join(', ')
  // Values stored by name match the choice with that name.
  const knownValues = values.map(
    (value) => choices.find((one) => same(one.name, value))?.value ?? value,
  )
  return (
    <PickMany
      label={name}
      values={knownValues}
      choices={choices}
      onPick={(next) => onChange(next)}
      trigger={
        <button
          type="button"
          className="field picked"
          aria-label={t('board.value_of_name_is', { name, value: text || t('board.select') })}
        >
          {text || <span className="soft">{t('board.select')}</span>}
        </button>
      }
    />
  )
}

const WORDS = ['yesterday', 'today', 'tomorrow']
const isWord = (value: string) => WORDS.includes(value)

function Day({ rule, field: { name }, onChange }: ValueProps) {
  const [value = ''] = valuesOf(rule)
  return (
    <PickWhen
      label={t('board.value_of_name', { name })}
      value={value && !isWord(value) ? value.slice(0, 10) : null}
      presets={WORDS.map((word) => ({
        name: word[0]!.toUpperCase() + word.slice(1),
        ...{ value: word, hint: '' },
      }))}
      onPick={(next) => onChange(next ?? '')}
      trigger={
        <button
          type="button"
          className="field picked"
          aria-label={t('board.value_of_name_is', { name, value: value || t('board.select') })}
        >
          {value || <span className="soft">{t('board.select')}</span>}
        </button>
      }
    />
  )
}
