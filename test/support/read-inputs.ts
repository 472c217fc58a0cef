import type { TSchema } from '@sinclair/typebox'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { inputFor, samplesOf } from '../responses/requests.ts'
import type { Fields } from './operation-sample.ts'
import type { World } from './world.ts'

/** What a field may contain: each value of a set, both booleans, or some text, number or list. */
function valuesOf({ anyOf, const: only, type, items }: TSchema): unknown[] {
  if (anyOf) return (anyOf as TSchema[]).flatMap(valuesOf)
  if (only !== undefined) return [only]
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return [1]
  if (type === 'string') return ['2026-12-01', 'logo']
  return type === 'array' ? valuesOf(items).map((value) => [value]) : []
}

/** The inputs of the samples, and each of them with one further field. */
export async function inputsOf(w: World, op: AnyOperation): Promise<Fields[]> {
  const inputs: Fields[] = []
  for (const sample of samplesOf(op)) {
    const base = await inputFor(w, op, sample)
    inputs.push(base)
    for (const [name, schema] of Object.entries<TSchema>(op.input.properties))
      if (!(name in base))
        inputs.push(...valuesOf(schema).map((value) => ({ ...base, [name]: value })))
  }
  // A page of one row also counts the others.
  return op.input.properties.limit
    ? inputs.flatMap((input) => [input, { ...input, limit: 1 }])
    : inputs
}
