import type { TObject } from '@sinclair/typebox'
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

type Fields = Record<string, unknown>

/** Body, query and path make one input; what is said twice must be said alike. */
export function inputOf(op: AnyOperation, body: unknown, query: Fields, params: Fields): unknown {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw fault.invalid('', 'invalid_type', 'The body must be a JSON object')
  const address = { ...spoken(op.input, query), ...spoken(op.input, addressed(params)) }
  for (const [field, value] of Object.entries(address))
    if (body && Object.hasOwn(body, field) && !Value.Equal((body as Fields)[field], value))
      throw fault.invalid(
        field,
        'conflict',
        `${field} differs between the address and the body`,
        (body as Fields)[field],
      )
  return { ...(body as Fields), ...address }
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
function addressed({ task, ...rest }: Fields): Fields {
  if (task === undefined) return rest
  return /^\d+$/.test(task as string)
    ? { task_id: task, ...rest }
    : { ticket_number: task, ...rest }
}

/** Text becomes numbers, lists and objects here, where everything is text, and nowhere else. */
function spoken(schema: TObject, texts: Fields): Fields {
  const fields: Fields = {}
  for (const [name, text] of Object.entries(texts)) {
    const property = schema.properties[name]
    fields[name] = property ? Value.Convert(property, parsed(property, name, text)) : text
  }
  return fields
}

function parsed(schema: TObject['properties'][string], name: string, text: unknown): unknown {
  const kinds = [schema, ...(schema.anyOf ?? [])].map((variant) => variant.type)
  if (typeof text !== 'string') return text
  if (kinds.includes('object') && text.startsWith('{')) return readObject(name, text)
  if (kinds.includes('array') && (text.includes(',') || !kinds.some((k) => k !== 'array' && k)))
    return text.split(',')
  return text
}

function readObject(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fault.invalid(name, 'invalid_format', `${name} must be a JSON object`, text)
  }
}
