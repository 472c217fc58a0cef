import { expect, test } from 'bun:test'
import type { TInteger, TSchema } from '@sinclair/typebox'
import type { Field } from '../../../../src/features/tasks/fields/model/field.ts'

type Entry = Field<unknown, TInteger, number, { points: TInteger }, TSchema>

/** The properties that an entry may lack. */
type Omittable<T> = { [K in keyof T]-?: T extends Record<K, T[K]> ? never : K }[keyof T]

test('an entry of a field that leaves out one of its aspects does not compile', () => {
  const isComplete: [Omittable<Entry>] extends [never] ? true : false = true
  const detectsOmission: Omittable<{ column: string; sort?: string }> = 'sort'
  expect([isComplete, detectsOmission]).toEqual([true, 'sort'])
})
