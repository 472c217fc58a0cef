import type { TSchema } from '@sinclair/typebox'
import { alternativesOf } from '../../kernel/respell.ts'

/** The schema of a field in the list of tools: one type, no alternatives. */
export interface FieldSchema {
  type: string
  description?: string
  enum?: readonly string[]
  format?: string
  minimum?: number
  maximum?: number
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  required?: string[]
}

/** How a field of an object is shown; undefined if it is not. */
type InnerSchema = (name: string, schema: TSchema) => FieldSchema | undefined

/** Wider ranges are limits against abuse, which a model does not meet. */
const WIDEST_RANGE = 20

/**
 * Reduces a schema to the one type that a model should use. Clients drop or refuse tools with
 * alternatives, lists of types and constants. `convert.ts` turns values into what the operation
 * takes.
 */
export function fieldSchema(schema: TSchema, inner: InnerSchema): FieldSchema {
  const alternatives = alternativesOf(schema)
  const single = alternatives.filter(({ type }) => type !== 'array')
  const list = alternatives.find(({ type }) => type === 'array')
  if (list && acceptsEach(list.items, single))
    return { type: 'array', items: fieldSchema(list.items, inner) }
  const names = namesOf(schema) ?? constantsOf(single)
  if (names.length) return { type: 'string', enum: names }
  if (single.some(({ type }) => type === 'string')) return { type: 'string' }
  return singleSchema(single[0]!, inner)
}

function singleSchema(schema: TSchema, inner: InnerSchema): FieldSchema {
  const { type, properties, minimum, maximum } = schema
  if (type === 'object' && properties) return objectSchema(schema, inner)
  // Strict clients refuse an object without declared fields, so its JSON is sent as text.
  if (type === 'object') return { type: 'string' }
  const isNarrow = minimum !== undefined && maximum <= WIDEST_RANGE
  return { type, ...(isNarrow && { minimum, maximum }) }
}

function objectSchema({ properties, required }: TSchema, inner: InnerSchema): FieldSchema {
  const shown = Object.entries<TSchema>(properties).flatMap(([name, schema]) => {
    const field = inner(name, schema)
    return field ? [[name, field] as const] : []
  })
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(required?.length && { required }),
  }
}

/** The names of the values, by number. Some numbers have none. */
const namesOf = ({ names }: TSchema): string[] | undefined =>
  names?.filter((name: string | undefined) => name)

const constantsOf = (alternatives: readonly TSchema[]): string[] =>
  alternatives.every((one) => one.const !== undefined) ? alternatives.map((one) => one.const) : []

/** Whether a list can stand for each of the single values. */
function acceptsEach(items: TSchema, single: readonly TSchema[]) {
  const types = alternativesOf(items).map(({ type }) => type)
  return single.every(({ type }) => types.includes(type))
}

/** One schema for a field of two actions. A single value is accepted in place of a list. */
export function mergeFields(one: FieldSchema | undefined, other: FieldSchema): FieldSchema {
  if (!one) return other
  if (one.type === 'array' && other.type !== 'array') return other
  if (!one.enum || !other.enum) return one
  return { ...one, enum: [...new Set([...one.enum, ...other.enum])] }
}
