import { type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

type Fields = Record<string, unknown>

/**
 * Where a response differs from its schema. A field that the schema does not declare is a
 * difference at every level, whatever the schema says of additional fields.
 */
export function differences(schema: TSchema, value: unknown, path = ''): string[] {
  if (schema.anyOf) return closest(schema.anyOf, value, path)
  if (schema.type === 'array' && Array.isArray(value)) {
    const { items, ...rest } = schema
    const whole = Value.Check({ ...rest, items: t.Any() } as TSchema, value)
      ? []
      : [`${path}: bounds`]
    return [
      ...whole,
      ...value.flatMap((one, at) => differences(items as TSchema, one, `${path}[${at}]`)),
    ]
  }
  if (schema.type === 'object' && isObject(value)) return inObject(schema, value, path)
  if (schema.type === undefined && schema.const === undefined) return []
  return Value.Check(schema, value)
    ? []
    : [`${path}: ${JSON.stringify(value)} is no ${JSON.stringify(schema)}`.slice(0, 200)]
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The differences from the variant that fits best. */
function closest(variants: TSchema[], value: unknown, path: string): string[] {
  const all = variants.map((one) => differences(one, value, path))
  return all.toSorted((a, b) => a.length - b.length)[0]!
}

function inObject(schema: TSchema, value: Fields, path: string): string[] {
  const [named] = Object.values<TSchema>(schema.patternProperties ?? {})
  const known: Record<string, TSchema> = schema.properties ?? {}
  const missing = ((schema.required ?? []) as string[]).filter((name) => !(name in value))
  return [
    ...missing.map((name) => `${path}.${name}: is missing`),
    ...Object.entries(value).flatMap(([name, part]) => {
      const declared = known[name] ?? named
      if (!declared) return [`${path}.${name}: is not declared`]
      return differences(recursive(declared, schema), part, `${path}.${name}`)
    }),
  ]
}

/** A list of records like the one that holds it. */
const recursive = (declared: TSchema, holder: TSchema): TSchema =>
  declared.items?.again ? { ...declared, items: holder } : declared
