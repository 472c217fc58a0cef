import type { CustomField, Task } from '../../record.ts'
import { parseDate } from './dates.ts'
import { cut } from './text-limits.ts'

export interface FieldValue {
  name: string
  value: string | number | boolean
  /** Without it, the values of all tasks decide. */
  type?: CustomField['type']
}

interface HasValues {
  values: readonly FieldValue[]
}

const MAX_OPTIONS = 100
const MAX_VALUE = 1000

/** A custom field of a board, or a section of the descriptions if its values are long texts. */
interface FieldPlan {
  name: string
  type: CustomField['type'] | 'section'
  options: Set<string>
}
export type FieldPlans = ReadonlyMap<string, FieldPlan>

/** Decides the types of the custom fields of a board from all of its tasks. */
export function planFields(tasks: readonly HasValues[]): FieldPlans {
  const values = new Map<string, FieldValue[]>()
  for (const task of tasks)
    for (const value of task.values) {
      const list = values.get(value.name)
      if (list) list.push(value)
      else values.set(value.name, [value])
    }
  const names = new Set<string>()
  return new Map(
    [...values].map(([name, list]) => {
      const type = typeOf(list)
      const options = new Set(type === 'select' ? list.map(({ value }) => String(value)) : [])
      return [name, { name: unusedName(cut(name, 100), names), type, options }]
    }),
  )
}

function typeOf(values: readonly FieldValue[]): FieldPlan['type'] {
  const texts = values.map(({ value }) => String(value))
  if (texts.some((text) => text.includes('\n') || text.length > MAX_VALUE)) return 'section'
  const [declared] = values.map(({ type }) => type)
  if (declared && declared !== 'select') return declared
  const options = new Set(texts)
  const isSelect = options.size <= MAX_OPTIONS && texts.every((text) => text.length <= 100)
  if (declared) return isSelect ? 'select' : 'text'
  return guessedType(texts)
}

function guessedType(texts: readonly string[]): CustomField['type'] {
  if (texts.every((text) => /^-?\d{1,15}(?:\.\d+)?$/.test(text))) return 'number'
  if (texts.every((text) => dayOf(text) !== undefined)) return 'date'
  return texts.every((text) => /^https?:\/\/\S+$/.test(text)) ? 'url' : 'text'
}

/** The day of a date without a time, as products export it: at midnight. */
function dayOf(text: string): string | undefined {
  const date = /[a-z]|^\d{4}-/i.test(text) ? parseDate(text) : undefined
  return date && /^.{10}(?:T00:00:00.000Z)?$/.test(date) ? date.slice(0, 10) : undefined
}

function unusedName(name: string, used: Set<string>): string {
  let unused = name
  for (let count = 2; used.has(unused.toLowerCase()); count++) unused = `${cut(name, 95)} ${count}`
  used.add(unused.toLowerCase())
  return unused
}

export const fieldsOf = (plans: FieldPlans): CustomField[] =>
  [...plans.values()].flatMap(({ name, type, options }) => {
    if (type === 'section') return []
    return type === 'select' ? { name, type, options: [...options] } : { name, type }
  })

export const valuesOf = ({ values }: HasValues, plans: FieldPlans): Task['fields'] =>
  values.flatMap(({ name, value }) => {
    const plan = plans.get(name)!
    if (plan.type === 'section') return []
    return { name: plan.name, value: valueAs(plan.type, value) }
  })

function valueAs(type: CustomField['type'], value: FieldValue['value']) {
  if (type === 'number') return Number(value)
  if (type === 'date') return dayOf(String(value)) ?? String(value)
  return type === 'checkbox' ? value : String(value)
}

/** The long texts of a task. */
export const longValuesOf = ({ values }: HasValues, plans: FieldPlans): FieldValue[] =>
  values.filter(({ name }) => plans.get(name)?.type === 'section')
