import { describe, expect, test } from 'bun:test'
import { type TSchema, Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { SCOPES, type Scope } from '../../src/kernel/caller.ts'
import { type AnyOperation, operation, toArray } from '../../src/kernel/operation.ts'
import { files } from './files.ts'

const operations: readonly AnyOperation[] = catalog
const tests = files('test/**/*.test.ts').map(({ text }) => text)

/** Breaks every rule at once, to show that each of them can fail. */
const bad = operation({
  name: 'Sloppy',
  summary: 'x'.repeat(81),
  needs: 'cellar:read' as Scope,
  on: {},
  input: t.Object({ note: t.Array(t.Union([t.String(), t.Null()])) }),
  output: t.Object({}),
  run: async () => ({}),
}) as AnyOperation

const breaking = (breaks: (op: AnyOperation) => boolean, ops = operations) =>
  ops.filter(breaks).map(({ name }) => name)

const rules: Record<string, (op: AnyOperation) => boolean> = {
  'has a name of the form noun.verb': ({ name }) =>
    !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name),
  'has a summary of one short line': ({ summary }) => !summary || /^.{81}|\n|\.$/.test(summary),
  'needs a scope that exists': ({ needs }) => !SCOPES.includes(needs),
  'has a REST route or belongs to the chat only': ({ on }) => !toArray(on.rest).length && !on.chat,
  'limits the length of every text in its input': ({ input }) => boundless(input).length > 0,
}

describe('every operation', () => {
  for (const [rule, breaks] of Object.entries(rules))
    test(rule, () => {
      expect(breaking(breaks, [bad])).toEqual(['Sloppy'])
      expect(breaking(breaks)).toEqual([])
    })

  test('has a unique name, unique routes and unique tool actions', () => {
    const claims = (ops: readonly AnyOperation[]) =>
      ops.flatMap(({ name, on }) =>
        [name, ...toArray(on.rest), ...toArray(on.mcp), on.cli ?? []].flat(),
      )
    expect(twice(claims([...operations, operations[0]!]))).not.toEqual([])
    expect(twice(claims(operations))).toEqual([])
  })

  test('is named in a test file', () => {
    const untold = ({ name }: AnyOperation) => !tests.some((text) => text.includes(name))
    expect(breaking(untold, [{ ...bad, name: ['no', 'where'].join('.') }])).toHaveLength(1)
    expect(breaking(untold)).toEqual([])
  })
})

const twice = (claims: string[]) => claims.filter((claim, at) => claims.indexOf(claim) !== at)

/** The paths of texts without a length limit. */
function boundless(schema: TSchema, path = ''): string[] {
  const { type, properties, items, anyOf, additionalProperties, patternProperties } = schema
  const open =
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
    ...(open ? [path] : []),
    ...inner.flatMap(([name, one]) => boundless(one, `${path}.${name}`)),
  ]
}
