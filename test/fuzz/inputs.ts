import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'

/** Unusual values that an API must handle. */
const ODD_VALUES: unknown[] = [
  null,
  true,
  -1,
  0,
  7,
  1.5,
  2 ** 31,
  2 ** 53,
  -1e308,
  '',
  ' ',
  '\0',
  'half \ud800',
  'x'.repeat(3000),
  '12',
  'NaN',
  'null',
  '%_\\',
  "'; drop table tasks; --",
  '<img src=x onerror=alert(1)>',
  '👩‍👩‍👧‍👦 \u202e ﷽',
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31',
  '__proto__',
  'constructor',
  'me',
  'self',
  [],
  [null],
  [[[[1]]]],
  {},
  { constructor: 1 },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  Array.from({ length: 300 }, (_, i) => i),
]
export const oddValue = fc.constantFrom(...ODD_VALUES)

const texts = fc.constantFrom(
  'Draw the logo',
  '# Plan\n\n- one',
  '<p>Hello</p>',
  'ada@example.com',
  '2026-12-01',
  '2026-12-01T09:00:00.000Z',
  'HOME-1',
  'High',
  'title:asc',
  'Inbox',
  'bug',
  'Europe/Berlin',
)

/** A value that mostly fits the schema. Small ids match rows of the own team and of others. */
export function valueFor(schema: TSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueFor))
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const min = Math.ceil(schema.minimum ?? 0)
      return fc.integer({ min, max: Math.min(schema.maximum ?? min + 12, min + 12) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueFor(schema.items), { maxLength: 4 })
    case 'object':
      return record(schema)
    case 'string':
      return fc.oneof(texts, fc.string({ maxLength: 40 }))
    default:
      return oddValue
  }
}

type Fields = Record<string, unknown>

const optionally = <T>(arbitrary: fc.Arbitrary<T>, rarity: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: rarity - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Some fields of the schema; with `isComplete`, all required ones. */
function record(schema: TSchema, isComplete = true): fc.Arbitrary<Fields> {
  const properties = Object.entries<TSchema>(schema.properties ?? {})
  const rarity = Math.max(5, properties.length)
  const fields = properties.map(([name, property]) => {
    const value = fc.oneof(
      { weight: 12, arbitrary: valueFor(property) },
      { weight: 1, arbitrary: oddValue },
    )
    const required = isComplete && schema.required?.includes(name)
    return [name, required ? value : optionally(value, rarity)] as const
  })
  return fc.record(Object.fromEntries(fields)).map((input) => withoutUndefined(input))
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const unknownField = fc.tuple(fc.constantFrom('titel', '__proto__', 'x', 'taskId'), oddValue)

/** Variations of a valid input, so that they fail late in an operation and not at once. */
export const inputs = (schema: TSchema, sample: Fields): fc.Arbitrary<Fields> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(sample) },
        { weight: 1, arbitrary: record(schema) },
      ),
      record(schema, false),
      optionally(fc.constantFrom(...Object.keys(sample), 'none'), 8),
      optionally(unknownField, 12),
    )
    .map(([base, changes, removedField, unknown]) => {
      const input = { ...base, ...changes }
      if (removedField) delete input[removedField]
      if (!unknown) return input
      const [name, value] = unknown
      // An assignment to __proto__ would not create an own property, as parsing JSON does.
      const property = { value, enumerable: true, configurable: true, writable: true }
      return Object.defineProperty(input, name, property)
    })
