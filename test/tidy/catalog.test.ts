import { describe, expect, test } from 'bun:test'
import { type TSchema, Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import { type AnyOperation, isWrite, operation, toArray } from '../../src/kernel/operation.ts'

const operations: readonly AnyOperation[] = catalog

/** Breaks every rule, to show that each one can fail. */
const badOperation = operation({
  name: 'Sloppy',
  summary: 'x'.repeat(81),
  needs: 'cellar:read' as 'teams:manage',
  on: {},
  input: t.Object({ note: t.Array(t.Union([t.String(), t.Null()])) }),
  output: t.Object({}),
  run: async () => ({}),
}) as AnyOperation

const operationsBreaking = (isBroken: (op: AnyOperation) => boolean, ops = operations) =>
  ops.filter(isBroken).map(({ name }) => name)

const rules: Record<string, (op: AnyOperation) => boolean> = {
  'has a name of the form noun.verb': ({ name }) =>
    !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name),
  'has a summary of one short line': ({ summary }) => !summary || /^.{81}|\n|\.$/.test(summary),
  'needs a scope that exists': ({ needs }) => !SCOPES.includes(needs),
  'declares what its answer depends on if it reads': (op) =>
    !op.dependsOn &&
    (!isWrite(op) || toArray(op.on.rest).some((route) => route.startsWith('GET '))),
  'has a REST route or belongs to the chat only': ({ on }) => !toArray(on.rest).length && !on.chat,
  'limits the length of every text in its input': ({ input }) => unboundedTexts(input).length > 0,
}

describe('every operation', () => {
  for (const [rule, isBroken] of Object.entries(rules))
    test(rule, () => {
      expect(operationsBreaking(isBroken, [badOperation])).toEqual(['Sloppy'])
      expect(operationsBreaking(isBroken)).toEqual([])
    })

  test('has a unique name, unique routes and unique tool actions', () => {
    const names = (ops: readonly AnyOperation[]) =>
      ops.flatMap(({ name, on }) =>
        [name, ...toArray(on.rest), ...toArray(on.mcp), on.cli?.usage ?? []].flat(),
      )
    expect(duplicates(names([...operations, operations[0]!]))).not.toEqual([])
    expect(duplicates(names(operations))).toEqual([])
  })
})

const duplicates = (names: string[]) => names.filter((claim, at) => names.indexOf(claim) !== at)

/** The paths of texts without a length limit. */
function unboundedTexts(schema: TSchema, path = ''): string[] {
  const { type, properties, items, anyOf, additionalProperties, patternProperties } = schema
  const isUnbounded =
    type === 'string' &&
    schema.const === undefined &&
    schema.maxLength === undefined &&
    !schema.enum
  const inner: [string, TSchema][] = [
    ...Object.entries<TSchema>(properties ?? {}),
    ...Object.entries<TSchema>(patternProperties ?? {}),
    ...[items, additionalProperties, ...(anyOf ?? [])]
      .filter((one) => one && typeof one === 'object')
      .map((one): [string, TSchema] => ['', one]),
  ]
  return [
    ...(isUnbounded ? [path] : []),
    ...inner.flatMap(([name, one]) => unboundedTexts(one, `${path}.${name}`)),
  ]
}
