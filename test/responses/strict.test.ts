import { beforeAll, describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { samples } from '../support/samples.ts'
import { type World, world } from '../support/world.ts'
import { Coverage } from './coverage.ts'
import { operations, responsesOf } from './requests.ts'
import { differences } from './strict.ts'

let shared: World
beforeAll(async () => {
  shared = await world({ full: true })
})

const coverage = new Coverage()

for (const op of operations)
  test(`${op.name} returns what its schema declares and nothing else`, async () => {
    for (const { surface, outcome } of await responsesOf(op, shared)) {
      expect(outcome.fault, surface).toBeUndefined()
      const { data, page } = outcome
      const response = op.output.list ? { items: data, page } : data
      expect(differences(op.output, response), surface).toEqual([])
      coverage.add(op.output, response, op.name)
    }
  })

const listedUnset = new Set(
  operations.flatMap(({ name }) =>
    Object.values(samples[name]!.unset ?? {})
      .flat()
      .map((path) => (path.startsWith('[]') ? `${name}${path}` : `${name}.${path}`)),
  ),
)

test('the responses set every declared field except those on the list', () => {
  // With a name filter, not every operation has run before this test.
  if (coverage.operations < operations.length) return
  expect(coverage.unsetFields().filter((field) => !listedUnset.has(field))).toEqual([])
})

describe('the check of a response against its schema', () => {
  const Row = t.Object({
    name: t.String(),
    owner: t.Union([t.Object({ id: t.Integer() }), t.Null()]),
  })
  const schema = t.Object({ items: t.Array(Row) })
  const differencesIn = (row: unknown) => differences(schema, { items: [row] })

  test('accepts a valid response', () =>
    expect(differencesIn({ name: 'a', owner: null })).toEqual([]))
  test('finds an undeclared field of a row', () =>
    expect(differencesIn({ name: 'a', owner: null, sorted_by: 1 })).toEqual([
      '.items[0].sorted_by: is not declared',
    ]))
  test('finds an undeclared field within a union', () =>
    expect(differencesIn({ name: 'a', owner: { id: 1, secret: 'x' } })).toEqual([
      '.items[0].owner.secret: is not declared',
    ]))
  test('finds a missing field', () =>
    expect(differencesIn({ owner: null })).toEqual(['.items[0].name: is missing']))
  test('finds a value of another type', () =>
    expect(differencesIn({ name: 7, owner: null })[0]).toStartWith('.items[0].name: 7 is no'))
})
