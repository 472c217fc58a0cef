import { Fragment, type ReactNode } from 'react'
import { locale } from '../../../kit/locale.ts'
import { t } from '../../../messages/t.ts'
import { type Field, fieldNamed, nameOfValue, normalizeRule, opName } from '../condition/fields.tsx'
import { type Group, needsValue, type Rule, valuesOf } from '../condition/filter.ts'
import type { Conditions } from './types.ts'

interface Props {
  conditions: Conditions
  fields: ReadonlyMap<string, Field>
}

/** The conditions of a rule as a part of its sentence. */
export const ConditionsText = ({ conditions: { groups }, fields }: Props) =>
  listed('conjunction', groups, (group) => (
    <GroupText {...{ group, fields }} isOnly={groups.length === 1} />
  ))

interface GroupProps {
  group: Group
  fields: ReadonlyMap<string, Field>
  isOnly: boolean
}

/** Alternatives beside other groups are in parentheses. */
function GroupText({ group: { match, rules }, fields, isOnly }: GroupProps) {
  const text = listed(match === 'ANY' ? 'disjunction' : 'conjunction', rules, (rule) => (
    <RuleText rule={rule} field={fieldNamed(fields, rule.field)} />
  ))
  return isOnly || rules.length === 1 ? text : <>({text})</>
}

/** Joins parts with the commas and the word of the language. */
function listed<T>(
  type: 'conjunction' | 'disjunction',
  parts: readonly T[],
  show: (part: T) => ReactNode,
): ReactNode {
  return new Intl.ListFormat(locale, { type })
    .formatToParts(parts.keys().map(String))
    .map(({ type, value }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no ids
      <Fragment key={at}>{type === 'element' ? show(parts[Number(value)]!) : value}</Fragment>
    ))
}

function RuleText({ rule: stored, field }: { rule: Rule; field: Field | undefined }) {
  if (!field) return <>{t('board.field_deleted', { field: stored.field })}</>
  const rule = normalizeRule(stored, field)
  const value = valueText(rule, field)
  return (
    <>
      {field.name}
      {field.kind !== 'flag' && ` ${opName(rule.op, field.kind)}`}
      {value && ' '}
      {value && <b dir="auto">{value}</b>}
      {rule.op === 'within_days' && ` ${t('board.days_unit')}`}
    </>
  )
}

function valueText({ op, value }: Rule, field: Field): string {
  if (!needsValue(op)) return ''
  if (field.kind === 'flag') {
    const isOn = (String(value ?? true) === 'true') === (op !== 'is_not')
    return isOn ? t('board.yes') : t('board.no')
  }
  if (op === 'within_days') return String(value ?? '')
  return valuesOf({ value })
    .map((one) => nameOfValue(field, one))
    .join(', ')
}
