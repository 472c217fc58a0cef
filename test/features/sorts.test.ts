import { expect, test } from 'bun:test'
import { type TObject, Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { SORTS } from '../../src/kernel/list.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { faultOf } from '../support/faults.ts'
import { sampleInput } from '../support/samples.ts'
import { world } from '../support/world.ts'

const known = Object.keys(SORTS)
const sorted = (catalog as readonly AnyOperation[]).filter(
  ({ input }) => input.properties.sort && input.properties.cursor,
)

/** The same operation, with a validator that accepts any `sort_by`. */
const lenient = (op: AnyOperation): AnyOperation => ({
  ...op,
  name: `${op.name}_by_any`,
  on: {},
  input: {
    ...op.input,
    properties: { ...op.input.properties, sort_by: t.Optional(t.String()) },
  } as TObject,
})

for (const op of sorted)
  test(`${op.name} declares exactly the fields that it can be sorted by`, async () => {
    const extraOperations = [lenient(op)]
    const w = await world({ extraOperations })
    const input = await sampleInput(op.name, w)
    delete input.sort
    const { sort_by: schema } = op.input.properties
    // TypeBox replaces a union of one type by that type.
    const declared = (schema.anyOf ?? [schema]).map((one: { const: string }) => one.const)
    const ask = w.ada[`${op.name}_by_any` as never] as (input: object) => Promise<unknown>
    const accepted: string[] = []
    for (const sort_by of known) {
      const fault = await faultOf(ask({ ...input, sort_by })).catch(() => undefined)
      if (!fault) accepted.push(sort_by)
    }
    expect(accepted.sort()).toEqual(declared.sort())
  })

test('a list with a fixed order refuses sort as an unknown field', async () => {
  const { http, ada } = await world()
  const { body } = await http(ada, 'GET', '/api/v1/runs/1/transcript?sort=title')
  expect(body.details).toMatchObject({ field: 'sort', code: 'unknown_field' })
})
