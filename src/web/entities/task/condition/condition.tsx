import type { KeyboardEvent } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import { PickMany, PickOne } from '../../../kit/pick.tsx'
import { PickWhen } from '../../../kit/when.tsx'
import { t } from '../../../messages/t.ts'
import { needsValue, type Op, type Rule, valuesOf } from './filter.ts'
import './condition.css'
import {
  choiceNamed,
  dayName,
  type Field,
  fieldNamed,
  nameOfValue,
  newRule,
  normalizeRule,
  opName,
  opsOf,
  RELATIVE_DAYS,
} from './fields.tsx'

export interface ConditionProps {
  rule: Rule
  fields: ReadonlyMap<string, Field>
  /** The number of tasks that have a value, where it is known. */
  countOf?: ((rule: Rule) => number | undefined) | undefined
  onChange(rule: Rule): void
  onDrop(): void
}

/** A rule as a part of a sentence: each word of it is a button with a picker. */
export function Condition({ rule: storedRule, fields, onChange, onDrop, countOf }: ConditionProps) {
  const field = fieldNamed(fields, storedRule.field)
  const rule = field ? normalizeRule(storedRule, field) : storedRule
  const name = field?.name ?? t('board.field_deleted', { field: rule.field })
  const dropByKey = (event: KeyboardEvent) => {
    if (!/^(Backspace|Delete)$/.test(event.key) || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    onDrop()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a part of a line of text
    <span className="condition" role="group" aria-label={name} onKeyDown={dropByKey}>
      <PickOne
        label={t('board.field')}
        value={field?.field ?? rule.field}
        choices={[...fields.values()].map((one) => ({ value: one.field, name: one.name }))}
        onPick={(next) => next !== field?.field && onChange(newRule(fields.get(next)!))}
        trigger={
          <button type="button" className="part" aria-label={t('board.field_name', { name })}>
            {name}
          </button>
        }
      />
      {field && <Comparison {...{ rule, field, onChange, countOf }} />}
      <button type="button" className="drop" onClick={onDrop}>
        <Icon name="close" label={t('board.remove_filter_name', { name })} />
      </button>
    </span>
  )
}

type ComparisonProps = Pick<ConditionProps, 'rule' | 'onChange' | 'countOf'> & { field: Field }

function Comparison(props: ComparisonProps) {
  const { rule, field, onChange } = props
  const { op } = rule
  const ops = opsOf(field)
  return (
    <>
      {ops.length > 1 && (
        <PickOne
          label={t('board.operator_for_name', { name: field.name })}
          value={op}
          choices={[...new Set([...ops, op])].map((one) => ({
            value: one,
            name: opName(one, field.kind),
          }))}
          onPick={(next) => onChange(withOp(rule, next))}
          trigger={
            <button
              type="button"
              className="part soft"
              aria-label={t('board.operator_of_name', {
                name: field.name,
                operator: opName(op, field.kind),
              })}
            >
              {opName(op, field.kind)}
            </button>
          }
        />
      )}
      {needsValue(op) && <Value {...props} />}
    </>
  )
}

/** The rule with another operator. A number of days is no date, nor the other way round. */
function withOp({ value, ...rule }: Rule, op: Op): Rule {
  const isKept = needsValue(op) && (op === 'within_days') === (rule.op === 'within_days')
  return { ...rule, op, ...(isKept && value !== undefined && { value }) }
}

function Value(props: ComparisonProps) {
  const { rule, field } = props
  if (field.kind === 'choice') return <Choices {...props} />
  if (field.kind === 'flag') return <Flag {...props} />
  if (field.kind === 'date' && rule.op !== 'within_days') return <Day {...props} />
  return <Words {...props} />
}

/** The button that shows a value. */
function valueButton(field: Field, text: string) {
  const value = text || t('board.select')
  return (
    <button
      type="button"
      className={`part${text ? '' : ' soft'}`}
      aria-label={t('board.value_of_name_is', { name: field.name, value })}
    >
      {value}
    </button>
  )
}

function Choices({ rule, field, countOf, onChange }: ComparisonProps) {
  const { name, choices = [] } = field
  const values = valuesOf(rule)
  const text = values.map((value) => nameOfValue(field, value)).join(', ')
  // Values that are stored by name match the choice with that name.
  const known = values.map((value) => choiceNamed(field, value)?.value ?? value)
  return (
    <PickMany
      label={name}
      values={known}
      choices={choices.map((choice) => ({
        ...choice,
        count: countOf?.({ field: field.field, op: 'any_of', value: [choice.value] }),
      }))}
      onPick={(value) => onChange({ ...rule, value })}
      trigger={valueButton(field, text)}
    />
  )
}

function Flag({ rule, field, onChange }: ComparisonProps) {
  const text = (isOn: boolean) => (isOn ? t('board.yes') : t('board.no'))
  const isOn = rule.value !== false
  return (
    <PickOne
      label={field.name}
      value={isOn}
      choices={[true, false].map((value) => ({ value, name: text(value) }))}
      onPick={(value) => onChange({ ...rule, value })}
      trigger={valueButton(field, text(isOn))}
    />
  )
}

function Day({ rule, field, onChange }: ComparisonProps) {
  const [value = ''] = valuesOf(rule)
  const isDay = /^\d/.test(value)
  return (
    <PickWhen
      label={t('board.value_of_name', { name: field.name })}
      value={isDay ? value.slice(0, 10) : null}
      presets={RELATIVE_DAYS.map((day) => ({ name: dayName(day), value: day, hint: '' }))}
      onPick={(next) => onChange({ ...rule, value: next ?? '' })}
      trigger={valueButton(field, value && dayName(value))}
    />
  )
}

/** A value that is typed: a text, a number, keys or a number of days. */
function Words({ rule, field: { kind, name }, onChange }: ComparisonProps) {
  const isDays = rule.op === 'within_days'
  const isNumber = kind === 'number' || isDays
  const read = (text: string) => {
    if (kind === 'key') return text.split(/,\s*/)
    return isNumber && text !== '' ? Number(text) : text
  }
  return (
    <>
      <input
        className="part"
        aria-label={
          isDays ? t('board.number_of_days_for_name', { name }) : t('board.value_of_name', { name })
        }
        type={isNumber ? 'number' : 'text'}
        step={isDays ? 1 : 'any'}
        maxLength={500}
        placeholder={kind === 'key' ? t('board.sr_12_sr_14') : ''}
        value={valuesOf(rule).join(', ')}
        onChange={({ target }) => onChange({ ...rule, value: read(target.value) })}
      />
      {isDays && <span className="part soft">{t('board.days_unit')}</span>}
    </>
  )
}
