import { momentOf } from './zone.ts'

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(T|$)/.test(value)

const timeOf = (date: string) => Date.parse(date.length === 10 ? momentOf(date, '00:00') : date)

/** Whether two values of a field are the same; a day and the moment at which it begins are. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isDate(one) && isDate(other) ? timeOf(one) === timeOf(other) : (one ?? null) === (other ?? null)

/** Whether each field that was written still holds what was written. */
export const isStill = (now: object, written: object): boolean =>
  Object.entries(written).every(([name, value]) => isSame(now[name as keyof object], value))

/** The fields of these names. */
export const pick = <T extends object>(from: T, names: readonly string[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, from[name as keyof T]])) as Partial<T>
