import { momentOf } from './zone.ts'

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(T|$)/.test(value)

const timeOf = (date: string) => Date.parse(date.length === 10 ? momentOf(date, '00:00') : date)

/** Whether two values of a field are equal. A day equals the moment at which it begins. */
export const isSame = (value: unknown, other: unknown): boolean =>
  isDate(value) && isDate(other)
    ? timeOf(value) === timeOf(other)
    : (value ?? null) === (other ?? null)

/** Whether each written field still has the written value. */
export const holdsFields = (current: object, written: object): boolean =>
  Object.entries(written).every(([name, value]) => isSame(current[name as keyof object], value))

/** An object with only the named fields. */
export const pickFields = <T extends object>(from: T, names: readonly string[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, from[name as keyof T]])) as Partial<T>
