import type { TSchema } from '@sinclair/typebox'
import { pick } from './list.ts'

type Fields = Record<string, unknown>

/**
 * Keeps of every record, however deep, what its schema's `concise` names and what is not empty;
 * `besides` are kept wherever they are.
 */
export function brief(schema: TSchema, value: unknown, besides: readonly string[] = []): unknown {
  if (Array.isArray(value)) {
    const item = variant(schema, (one) => one.type === 'array')?.items
    return item ? value.map((one) => brief(item, one, besides)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const required = (one: TSchema): string[] => one.required ?? []
  const record = variant(
    schema,
    (one) => one.type === 'object' && required(one).every((name) => name in value),
  )
  if (!record) return value
  const { concise, properties = {} } = record
  const told: Fields = {}
  for (const [name, part] of Object.entries(
    concise ? pick(value as Fields, [...concise, ...besides]) : value,
  )) {
    const inner = again(properties[name], record)
    if (concise && isEmpty(part, inner?.absent)) continue
    told[name] = inner ? brief(inner, part, besides) : part
  }
  return told
}

/** A list of records of the same form as the one that holds it has no schema of its own. */
const again = (list: TSchema | undefined, holder: TSchema): TSchema | undefined =>
  list?.items?.again ? { ...list, items: holder } : list

/** Nothing, or what its schema says goes without saying. */
const isEmpty = (value: unknown, absent: unknown) =>
  value === null ||
  value === '' ||
  (absent !== undefined && value === absent) ||
  (Array.isArray(value) && !value.length)

const variant = (schema: TSchema, fits: (one: TSchema) => boolean): TSchema | undefined =>
  schema.anyOf ? schema.anyOf.find(fits) : fits(schema) ? schema : undefined
