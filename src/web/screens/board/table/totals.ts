import { choicesOf, TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import { dueText } from '../../../kit/dates.ts'
import { locale } from '../../../kit/locale.ts'
import { t } from '../../../messages/t.ts'
import { hoursOf } from './cell-text.ts'
import type { TotalKind } from './display.ts'
import { type Field, isEmpty, type Row } from './types.ts'

const isNumeric = ({ kind, name }: Field) =>
  kind === 'number' || kind === 'duration' || kind === 'progress' || name === 'size'
const isDate = ({ kind }: Field) => kind === 'date' || kind === 'moment'

/** The totals that a field can have; the first one is the default. */
export function totalsOf(field: Field): readonly TotalKind[] {
  if (field.name === 'size') return ['average', 'sum', 'none']
  if (isNumeric(field)) return ['sum', 'average', 'none']
  return isDate(field) ? ['none', 'earliest', 'latest'] : ['none']
}

const TOTAL_NAMES: Record<TotalKind, string> = {
  none: t('table.no_total'),
  sum: t('table.sum'),
  average: t('table.average'),
  earliest: t('table.earliest'),
  latest: t('table.latest'),
}
export const totalName = (kind: TotalKind) => TOTAL_NAMES[kind]

/** The total of a field as text; empty if no row has a value. */
export function totalText(field: Field, kind: TotalKind, rows: readonly Row[]): string {
  if (kind === 'none') return ''
  if (isDate(field)) {
    const dates = rows.flatMap((row) => (field.read(row) as string | null) ?? []).sort()
    const date = dates.at(kind === 'earliest' ? 0 : -1)
    return date ? dueText(date).short : ''
  }
  const numbers = rows.flatMap((row) => {
    const value = field.read(row)
    return isEmpty(value) && !field.custom ? [] : value === null ? [] : Number(value)
  })
  if (!numbers.length) return ''
  const sum = numbers.reduce((total, number) => total + number, 0)
  return numberText(field, kind === 'sum' ? sum : sum / numbers.length, kind)
}

const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })

function numberText(field: Field, number: number, kind: TotalKind): string {
  if (field.kind === 'duration') return t('table.hours_short', { hours: hoursOf(number) })
  if (field.name !== 'size' || kind === 'sum') return format.format(number)
  // Sizes are steps, so their average is the nearest step.
  const sizes = choicesOf(TASK_FIELDS.find(({ noun }) => noun === 'size')!)
  return sizes.find(({ value }) => value === Math.round(number))?.name ?? format.format(number)
}
