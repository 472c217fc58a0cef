import type { TSchema } from '@sinclair/typebox'
import { pick } from '../../kernel/list.ts'

type Fields = Record<string, unknown>

/** Keeps of every record, however deep, what its schema's `concise` names. */
export function brief(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const item = variant(schema, (one) => one.type === 'array')?.items
    return item ? value.map((one) => brief(item, one)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const required = (one: TSchema): string[] => one.required ?? []
  const record = variant(
    schema,
    (one) => one.type === 'object' && required(one).every((name) => name in value),
  )
  if (!record) return value
  if (record.concise) return pick(value as Fields, record.concise)
  const told = Object.entries(value).map(([name, part]) => {
    const inner = record.properties?.[name]
    return [name, inner ? brief(inner, part) : part]
  })
  return Object.fromEntries(told)
}

const variant = (schema: TSchema, fits: (one: TSchema) => boolean): TSchema | undefined =>
  schema.anyOf ? schema.anyOf.find(fits) : fits(schema) ? schema : undefined
