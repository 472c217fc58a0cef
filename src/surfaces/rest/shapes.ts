import type { TSchema } from '@sinclair/typebox'
import { withDeprecation } from '../../kernel/deprecation.ts'

/** A schema in an OpenAPI 3.1 document. */
export type Shape = Record<string, unknown>

/** Schema keywords of this program, which are no JSON Schema. */
const INTERNAL_KEYWORDS = [
  'absent',
  'again',
  'always',
  'columns',
  'omits',
  'list',
  'names',
  'needs',
  'secret',
  'file',
  'download',
  'files',
]

/**
 * Converts a TypeBox schema to plain JSON Schema, in its shortest form. `documented` holds rules
 * that the operation checks itself, because its errors are clearer than a validator's.
 */
export function shapeOf(schema: TSchema): Shape {
  const variants: TSchema[] | undefined = schema.anyOf
  const words = variants?.filter(({ type }) => type !== 'null')
  if (words?.length && words.every((variant) => variant.const !== undefined))
    return enumShape(schema, words, words.length < variants!.length)
  const shape: Shape = {}
  for (const [keyword, value] of Object.entries(schema))
    if (keyword === 'documented') Object.assign(shape, value)
    else if (!INTERNAL_KEYWORDS.includes(keyword)) shape[keyword] = shapeOfKeyword(keyword, value)
  if (schema.deprecated) Object.assign(shape, deprecatedShape(schema))
  return variants ? nullable(shape) : shape
}

const deprecatedShape = ({ description = '', deprecated }: TSchema): Shape => ({
  description: withDeprecation(description, deprecated).trim(),
  deprecated: true,
})

/** The schemas of webhook events for the OpenAPI document. */
export const eventShapes = (events: Readonly<Record<string, { summary: string; body: TSchema }>>) =>
  Object.fromEntries(
    Object.entries(events).map(([name, { summary, body }]) => [
      name,
      { summary, body: shapeOf(body) },
    ]),
  )

function shapeOfKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' || keyword === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([name, schema]) => [
        name,
        shapeOf(schema),
      ]),
    )
  if (keyword === 'anyOf') return (value as TSchema[]).map(shapeOf)
  return keyword === 'items' ? shapeOf(value as TSchema) : value
}

function enumShape({ anyOf: _, ...rest }: TSchema, variants: TSchema[], isNullable: boolean) {
  const types = [...new Set([...variants.map(({ type }) => type), ...(isNullable ? ['null'] : [])])]
  return {
    ...shapeOf(rest as TSchema),
    type: types.length === 1 ? types[0] : types,
    enum: [...variants.map((variant) => variant.const), ...(isNullable ? [null] : [])],
  }
}

/** Writes "X or null" as one type with two names, which client generators understand best. */
function nullable({ anyOf, ...rest }: Shape): Shape {
  const variants = anyOf as Shape[]
  const [variant, ...others] = variants.filter(({ type }) => type !== 'null')
  if (others.length || variants.length !== 2 || typeof variant?.type !== 'string')
    return { ...rest, anyOf: variants }
  const { enum: enumValues, const: constValue, ...remaining } = variant
  const values =
    (enumValues as unknown[] | undefined) ?? (constValue === undefined ? undefined : [constValue])
  return {
    ...remaining,
    ...rest,
    type: [variant.type, 'null'],
    ...(values && { enum: [...values, null] }),
  }
}
