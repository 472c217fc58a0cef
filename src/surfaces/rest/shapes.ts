import type { TSchema } from '@sinclair/typebox'

/** A schema as an OpenAPI 3.1 document writes it. */
export type Shape = Record<string, unknown>

/** Words that only this program understands. */
const PRIVATE = [
  ...[
    'absent',
    'again',
    'always',
    'columns',
    'omits',
    'list',
    'needs',
    'secret',
    'file',
    'download',
  ],
]

/**
 * The plain JSON Schema of a TypeBox one, told the short way where there is one. `documented` holds
 * rules that an operation checks by itself, because its refusals say more than a validator's.
 */
export function shapeOf(schema: TSchema): Shape {
  const variants: TSchema[] | undefined = schema.anyOf
  if (variants?.every((variant) => variant.const !== undefined)) return choice(schema, variants)
  const shape: Shape = {}
  for (const [word, value] of Object.entries(schema))
    if (word === 'documented') Object.assign(shape, value)
    else if (!PRIVATE.includes(word)) shape[word] = inner(word, value)
  return variants ? nullable(shape) : shape
}

/** Events as the document shows them, without the words that only this program understands. */
export const eventShapes = (events: Readonly<Record<string, { summary: string; body: TSchema }>>) =>
  Object.fromEntries(
    Object.entries(events).map(([name, { summary, body }]) => [
      name,
      { summary, body: shapeOf(body) },
    ]),
  )

function inner(word: string, value: unknown): unknown {
  if (word === 'properties' || word === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([name, one]) => [name, shapeOf(one)]),
    )
  if (word === 'anyOf') return (value as TSchema[]).map(shapeOf)
  return word === 'items' ? shapeOf(value as TSchema) : value
}

function choice({ anyOf: _, ...rest }: TSchema, variants: TSchema[]): Shape {
  const types = [...new Set(variants.map((variant) => variant.type))]
  return {
    ...shapeOf(rest as TSchema),
    type: types.length === 1 ? types[0] : types,
    enum: variants.map((variant) => variant.const),
  }
}

/** "X or nothing" is one type with two names, which generators of clients understand best. */
function nullable({ anyOf, ...rest }: Shape): Shape {
  const variants = anyOf as Shape[]
  const [real, ...more] = variants.filter(({ type }) => type !== 'null')
  if (more.length || variants.length !== 2 || typeof real?.type !== 'string')
    return { ...rest, anyOf: variants }
  const { enum: several, const: one, ...open } = real
  const known = (several as unknown[] | undefined) ?? (one === undefined ? undefined : [one])
  return {
    ...open,
    ...rest,
    type: [real.type, 'null'],
    ...(known && { enum: [...known, null] }),
  }
}
