import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { named } from '../../kernel/operation.ts'

export interface Route {
  method: string
  path: string
  op: AnyOperation
}

export const routesOf = (catalog: readonly AnyOperation[]): Route[] =>
  catalog.flatMap((op) =>
    named(op.on.rest).map((route) => {
      const [method, path] = route.split(' ') as [string, string]
      return { method, path, op }
    }),
  )

/** What makes something new answers 201. */
export const creates = ({ name }: AnyOperation) => /\.(create|add|apply|log)$/.test(name)

type Fields = Record<string, unknown>

/** Body, query and path make one input; what is said twice must be said alike. */
export function inputOf(op: AnyOperation, body: unknown, query: Fields, params: Fields): unknown {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw fault.invalid('', 'invalid_type', 'The body must be a JSON object')
  const input: Fields = { ...(body as Fields) }
  for (const fields of [query, addressed(op, params)])
    for (const name in fields) {
      const value = spoken(op.input.properties[name], name, fields[name])
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

/** A name given several times is a list. */
export function queryOf(url: string): Fields {
  const fields: Record<string, string | string[]> = {}
  const mark = url.indexOf('?')
  if (mark < 0) return fields
  for (const [name, text] of new URLSearchParams(url.slice(mark))) {
    const before = fields[name]
    fields[name] = before === undefined ? text : [before, text].flat()
  }
  return fields
}

/** In a path a task is named by its number or its key. */
function addressed(op: AnyOperation, { task, ...rest }: Fields): Fields {
  if (task === undefined) return rest
  if (op.input.properties.task_identifier) return { task_identifier: task, ...rest }
  return /^\d+$/.test(task as string)
    ? { task_id: task, ...rest }
    : { ticket_number: task, ...rest }
}

/** Text becomes numbers, lists and objects here, where everything is text, and nowhere else. */
function spoken(schema: TSchema | undefined, name: string, text: unknown): unknown {
  if (!schema) return text
  if (isListOfObjects(schema)) return objectsIn(name, text)
  const kinds = kindsOf(schema)
  const value = typeof text === 'string' ? parsed(kinds, name, text) : text
  // Converting takes its time, and where any text will do there is nothing to convert.
  const done = typeof value === 'string' && kinds.every((kind) => TEXTS.includes(kind))
  return done ? value : converted(schema, value)
}

/** What is JSON says its kinds itself. A number that is not whole stays text, and is refused. */
function converted(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'object' && !Array.isArray(value)) return value
  // TypeBox makes 1 of "true".
  if (isNumeric(schema) && isTruth(value)) return value
  const given = Array.isArray(value) ? [...value] : value
  const made = Value.Convert(schema, value)
  if (!isWhole(schema)) return made
  if (isPart(given)) return given
  return Array.isArray(given) && Array.isArray(made)
    ? made.map((one, at) => (isPart(given[at]) ? given[at] : one))
    : made
}

function isWhole(schema: TSchema): boolean {
  const inside = [schema, ...(schema.anyOf ?? [])].flatMap(({ items }) => items ?? [])
  const wanted = [schema, ...inside].flatMap(kindsOf)
  return wanted.includes('integer') && !wanted.includes('number')
}

const isPart = (text: unknown) =>
  typeof text === 'string' && !Number.isNaN(Number(text)) && !/^\s*-?\d*(\.0*)?\s*$/.test(text)

const isNumeric = (schema: TSchema) => !kindsOf(schema).includes('boolean')

const isTruth = (value: unknown) => /^(true|false)$/i.test(String(value))

const TEXTS = ['string', 'array', 'object']
const kinds = new WeakMap<TSchema, string[]>()

function kindsOf(schema: TSchema): string[] {
  const before = kinds.get(schema)
  if (before) return before
  const made = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? [])
  kinds.set(schema, made)
  return made
}

export const isListOfObjects = ({ items }: TSchema) => items?.type === 'object'

/** As JSON: the whole list, or one object after the other. */
function objectsIn(name: string, text: unknown): unknown {
  const said = [text].flat()
  if (!said.every((one) => typeof one === 'string')) return text
  return said.flatMap((one) => readJson(name, one, 'list of objects'))
}

function parsed(kinds: readonly string[], name: string, text: string): unknown {
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
