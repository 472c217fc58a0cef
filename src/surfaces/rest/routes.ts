import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { toArray } from '../../kernel/operation.ts'

export interface Route {
  method: string
  path: string
  op: AnyOperation
}

export const routesOf = (catalog: readonly AnyOperation[]): Route[] =>
  catalog.flatMap((op) =>
    toArray(op.on.rest).map((route) => {
      const [method, path] = route.split(' ') as [string, string]
      return { method, path, op }
    }),
  )

type Fields = Record<string, unknown>

/** Merges body, query and path into the input. A field in two of them must have the same value. */
export function inputOf(op: AnyOperation, body: unknown, query: Fields, params: Fields): Fields {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw fault.invalid('', 'invalid_type', 'The body must be a JSON object')
  const input: Fields = { ...(body as Fields) }
  for (const fields of [query, pathFields(op, params)])
    for (const name in fields) {
      const value = parseValue(op.input.properties[name], name, fields[name])
      if (body && Object.hasOwn(body, name) && !Value.Equal((body as Fields)[name], value))
        throw fault.invalid(
          name,
          'conflict',
          `${name} differs between the address and the body`,
          (body as Fields)[name],
        )
      input[name] = value
    }
  return input
}

/** The query parameters. A repeated parameter becomes a list. */
export function queryOf(url: string): Fields {
  const fields: Record<string, string | string[]> = {}
  const queryStart = url.indexOf('?')
  if (queryStart < 0) return fields
  for (const [name, text] of new URLSearchParams(url.slice(queryStart))) {
    const existing = fields[name]
    fields[name] = existing === undefined ? text : [existing, text].flat()
  }
  return fields
}

/** The fields of the path. A `:task` is an id if it is a number, otherwise a key. */
function pathFields(op: AnyOperation, { task, ...rest }: Fields): Fields {
  if (task === undefined) return rest
  if (op.input.properties.task_identifier) return { task_identifier: task, ...rest }
  return /^\d+$/.test(task as string)
    ? { task_id: task, ...rest }
    : { ticket_number: task, ...rest }
}

/** Converts a text of the query or path to the type in the schema. Bodies are not converted. */
function parseValue(schema: TSchema | undefined, name: string, text: unknown): unknown {
  if (!schema) return text
  if (isListOfObjects(schema)) return parseObjects(name, text)
  const kinds = kindsOf(schema)
  const value = typeof text === 'string' ? parseText(kinds, name, text) : text
  // Conversion is slow, and a field that accepts any text needs none.
  const isFinal = typeof value === 'string' && kinds.every((kind) => TEXT_KINDS.includes(kind))
  return isFinal ? value : convertValue(schema, value)
}

/**
 * Converts to the types in the schema. Parsed JSON objects have their types already. A fraction for
 * an integer stays text, so that validation refuses it.
 */
function convertValue(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'object' && !Array.isArray(value)) return value
  // TypeBox would convert "true" to 1.
  if (isNumeric(schema) && isBooleanText(value)) return value
  const original = Array.isArray(value) ? [...value] : value
  const converted = Value.Convert(schema, value)
  if (!isInteger(schema)) return converted
  if (isFraction(original)) return original
  return Array.isArray(original) && Array.isArray(converted)
    ? converted.map((item, index) => (isFraction(original[index]) ? original[index] : item))
    : converted
}

function isInteger(schema: TSchema): boolean {
  const itemSchemas = [schema, ...(schema.anyOf ?? [])].flatMap(({ items }) => items ?? [])
  const types = [schema, ...itemSchemas].flatMap(kindsOf)
  return types.includes('integer') && !types.includes('number')
}

const isFraction = (text: unknown) =>
  typeof text === 'string' && !Number.isNaN(Number(text)) && !/^\s*-?\d*(\.0*)?\s*$/.test(text)

const isNumeric = (schema: TSchema) => !kindsOf(schema).includes('boolean')

const isBooleanText = (value: unknown) => /^(true|false)$/i.test(String(value))

const TEXT_KINDS = ['string', 'array', 'object']
const kindCache = new WeakMap<TSchema, string[]>()

function kindsOf(schema: TSchema): string[] {
  const cached = kindCache.get(schema)
  if (cached) return cached
  const kinds = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? [])
  kindCache.set(schema, kinds)
  return kinds
}

export const isListOfObjects = ({ items }: TSchema) => items?.type === 'object'

/** A list of objects as JSON: the whole list in one text, or one object in each. */
function parseObjects(name: string, text: unknown): unknown {
  const texts = [text].flat()
  if (!texts.every((text) => typeof text === 'string')) return text
  return texts.flatMap((text) => readJson(name, text, 'list of objects'))
}

function parseText(kinds: readonly string[], name: string, text: string): unknown {
  if (kinds.includes('object') && text.startsWith('{')) return readJson(name, text)
  if (kinds.includes('array') && (text.includes(',') || kinds.every((kind) => kind === 'array')))
    return text.split(',')
  return text
}

function readJson(name: string, text: string, what = 'object'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fault.invalid(name, 'invalid_format', `${name} must be a JSON ${what}`, text)
  }
}
