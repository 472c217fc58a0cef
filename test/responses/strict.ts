import { type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

type Fields = Record<string, unknown>

/**
 * Where a response differs from its schema. A field that the schema does not declare is a
 * difference at every level, whatever the schema says of additional fields.
 */
export function differences(schema: TSchema, value: unknown, path = ''): string[] {
  if (schema.anyOf) return fewestDifferences(schema.anyOf, value, path)
  if (schema.type === 'array' && Array.isArray(value)) {
    const { items, ...rest } = schema
    const boundsDifference = Value.Check({ ...rest, items: t.Any() } as TSchema, value)
      ? []
      : [`${path}: bounds`]
    return [
      ...boundsDifference,
      ...value.flatMap((one, at) => differences(items as TSchema, one, `${path}[${at}]`)),
    ]
  }
  if (schema.type === 'object' && isObject(value)) return objectDifferences(schema, value, path)
  if (schema.type === undefined && schema.const === undefined) return []
  return Value.Check(schema, value)
    ? []
    : [`${path}: ${JSON.stringify(value)} is no ${JSON.stringify(schema)}`.slice(0, 200)]
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The differences from the variant that fits best. */
function fewestDifferences(variants: TSchema[], value: unknown, path: string): string[] {
  const all = variants.map((one) => differences(one, value, path))
  return all.toSorted((a, b) => a.length - b.length)[0]!
}

function objectDifferences(schema: TSchema, value: Fields, path: string): string[] {
  const [patternSchema] = Object.values<TSchema>(schema.patternProperties ?? {})
  const known: Record<string, TSchema> = schema.properties ?? {}
  const missing = ((schema.required ?? []) as string[]).filter((name) => !(name in value))
  return [
    ...missing.map((name) => `${path}.${name}: is missing`),
    ...Object.entries(value).flatMap(([name, fieldValue]) => {
      const declared = known[name] ?? patternSchema
      if (!declared) return [`${path}.${name}: is not declared`]
      return differences(resolveRecursion(declared, schema), fieldValue, `${path}.${name}`)
    }),
  ]
}

/** Resolves a list of records with the schema of their parent. */
const resolveRecursion = (declared: TSchema, parent: TSchema): TSchema =>
  declared.items?.again ? { ...declared, items: parent } : declared
