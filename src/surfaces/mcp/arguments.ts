import { type TSchema, Type as t } from '@sinclair/typebox'
import { fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { matchWord } from '../../kernel/respell.ts'
import { closestWord, validInput } from '../../kernel/validate.ts'
import { convert } from './convert.ts'
import type { Actions, Tool } from './tools.ts'

type Fields = Record<string, unknown>

const Arguments = t.Object(
  {
    action: t.String(),
    input: t.Optional(t.Record(t.String(), t.Unknown())),
    limit: t.Optional(t.Integer({ minimum: 1, description: 'Rows; default 20, at most 50' })),
    offset: t.Optional(t.Integer({ minimum: 0, description: 'Rows to skip' })),
    response_format: t.Optional(t.Union([t.Literal('concise'), t.Literal('detailed')])),
  },
  { additionalProperties: false },
)

export interface Arguments {
  action: string
  input?: Fields
  limit?: number
  offset?: number
  response_format?: 'concise' | 'detailed'
}

export interface ToolCall {
  tool: string
  target: Tool
  raw: Fields
  meta: Fields
}

/** A call whose arguments are valid. Its fields are not checked yet. */
export interface ResolvedCall {
  op: AnyOperation
  args: Arguments
  /** The fields, with `limit` and `offset`. */
  input: Fields
  /** Undefined for legacy tools, which have no `action` and no `input`. */
  action: string | undefined
  /** How errors name the call. */
  label: string
}

export function resolveCall({ tool, target, raw }: ToolCall): ResolvedCall {
  if (target instanceof Map) {
    const [action, op] = findAction(tool, target, raw)
    const args = argumentsOf(target, op, { ...raw, action })
    return { op, args, input: inputOf(op, args), action, label: `action ${action}` }
  }
  const { limit, offset, response_format, ...fields } = raw
  const args = validArguments({ action: tool, input: fields, limit, offset, response_format })
  const op = target as AnyOperation
  return { op, args, input: inputOf(op, args), action: undefined, label: `tool ${tool}` }
}

function findAction(tool: string, actions: Actions, { action }: Fields): [string, AnyOperation] {
  const names = [...actions.keys()]
  const isText = typeof action === 'string'
  const name = isText ? matchWord(action, names) : undefined
  if (name !== undefined) return [name, actions.get(name)!]
  const list = `The actions of ${tool} are ${names.join(', ')}`
  if (action === undefined) throw fault.invalid('action', 'required', `action is missing. ${list}`)
  if (!isText)
    throw fault.invalid('action', 'invalid_type', `action must be a string. ${list}`, action)
  const suggestion = closestWord(action, names)
  throw fault.invalid(
    'action',
    'out_of_range',
    `${tool} has no such action. ${list}`,
    action,
    suggestion && `Did you mean ${suggestion}?`,
  )
}

/**
 * The arguments, with all fields in `input`. Models put fields beside `action`, send `input` as
 * JSON, and send empty values for the fields of other actions.
 */
function argumentsOf(actions: Actions, op: AnyOperation, raw: Fields): Arguments {
  const { input: rawInput, ...others } = raw
  const { properties } = op.input
  const isBeside = (name: string) =>
    !Object.hasOwn(Arguments.properties, name) && Object.hasOwn(properties, name)
  const isForeign = (name: string) =>
    !Object.hasOwn(properties, name) &&
    [...actions.values()].some((other) => Object.hasOwn(other.input.properties, name))
  const inner = parseInput(rawInput)
  const entries = Object.entries(others)
  const beside = entries.filter(([name]) => isBeside(name))
  for (const [name, value] of beside) refuseContradiction(name, value, inner)
  const input = [...Object.entries(inner), ...beside].filter(
    ([name, value]) => !(isForeign(name) && isEmpty(value)),
  )
  return validArguments({
    ...Object.fromEntries(entries.filter(([name]) => !isBeside(name))),
    ...((rawInput !== undefined || input.length) && { input: Object.fromEntries(input) }),
  })
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

function parseInput(input: unknown): Fields {
  const parsed = typeof input === 'string' ? parseJson(input) : (input ?? {})
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return parsed as Fields
  throw fault.invalid('input', 'invalid_type', 'input must be object', input)
}

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

function refuseContradiction(name: string, value: unknown, input: Fields) {
  if (!Object.hasOwn(input, name) || JSON.stringify(input[name]) === JSON.stringify(value)) return
  throw fault.invalid(
    name,
    'conflict',
    `${name} has one value beside action and another inside input`,
    value,
    'Send it once, inside input',
  )
}

/** Arguments beside `input`, with their types converted. */
function validArguments(raw: Fields): Arguments {
  const entries = Object.entries(raw).filter(([, value]) => value !== undefined && value !== null)
  const converted = entries.map(([name, value]) => {
    const schema = Object.hasOwn(Arguments.properties, name)
      ? (Arguments.properties as Record<string, TSchema>)[name]
      : undefined
    return [name, schema && name !== 'input' ? convert(schema, value) : value]
  })
  return validInput(Arguments, Object.fromEntries(converted)) as Arguments
}

/** Merges `limit` and `offset` into the input. Models may also put them into `input` themselves. */
function inputOf(op: AnyOperation, args: Arguments): Fields {
  const input = { ...args.input }
  if (args.offset && op.output.list && !op.input.properties.offset)
    throw fault.invalid(
      'offset',
      'unknown_field',
      `${args.action} does not support offset`,
      args.offset,
      'Use cursor inside input with next_cursor of the previous page',
    )
  for (const name of ['limit', 'offset'] as const) {
    if (args[name] === undefined || !op.input.properties[name]) continue
    if (input[name] !== undefined && String(input[name]) !== String(args[name]))
      throw fault.invalid(
        name,
        'conflict',
        `${name} is ${args[name]} beside action but something else inside input`,
        input[name],
        'Send it once, beside action',
      )
    input[name] = args[name]
  }
  return input
}
