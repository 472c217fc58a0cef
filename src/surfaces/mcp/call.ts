import { Type as t } from '@sinclair/typebox'
import { fitted, type Room, shortened } from '../../kernel/bounds.ts'
import { brief } from '../../kernel/brief.ts'
import type { Answer, Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault, isBroken, refusal } from '../../kernel/fault.ts'
import { MOST_ROWS, type PageInfo } from '../../kernel/list.ts'
import { type AnyOperation, writes } from '../../kernel/operation.ts'
import { nearest, validate } from '../../kernel/validate.ts'
import { asFault, type Door, type Visit } from '../door.ts'
import type { Actions, Tool } from './tools.ts'

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

/**
 * Clients refuse what is far beyond 10,000 tokens, and a model that asked for a list did not ask for
 * a book.
 */
export const ROOM: Room = { tokens: 9000, rest: 'response_format detailed gives all' }

type Fields = Record<string, unknown>

interface Arguments {
  action: string
  input?: Fields
  limit?: number
  offset?: number
  response_format?: 'concise' | 'detailed'
}

export interface Called {
  tool: string
  does: Tool
  given: Fields
  meta: Fields
}

const KEY = 'corkboard/idempotency-key'

/** A call of a tool, answered or refused: only protocol faults are errors to the client. */
export const caller =
  (dispatch: Dispatch, door: Door) =>
  async ({ tool, does, given, meta }: Called, visit: Visit): Promise<Told> => {
    try {
      const { op, args, said } = saidBy(tool, does, given)
      const key = keyOf(meta)
      const ask = (input: Fields) =>
        dispatch(visit.caller!, op, input, key).catch((error) => {
          throw error instanceof Fault ? about(said, error) : error
        })
      return await fitting(op, args, ask)
    } catch (error) {
      const refused = asFault(error)
      if (isBroken(refused)) door.broke(visit, error)
      const { data } = fitted(refusal(refused, visit.requestId), ROOM)
      return { ...told(data as Fields), isError: true as const }
    }
  }

/** What a call comes to. */
export interface Told {
  body: Fields
  /** The body as JSON, and that as a string within JSON. */
  text: string
  quoted: string
  isError?: true
}

function told(body: Fields): Told {
  const text = JSON.stringify(body)
  return { body, text, quoted: JSON.stringify(text) }
}

const FORMS = ['brief', 'whole', 'detailed'] as const
type Form = (typeof FORMS)[number]
const kept = Object.fromEntries(FORMS.map((form) => [form, new WeakMap<Answer, Told>()]))

type Ask = (input: Fields) => Promise<Answer>

/** The answer, if need be with fewer rows, so that its cursor leads to those that are left out. */
async function fitting(op: AnyOperation, args: Arguments, ask: Ask): Promise<Told> {
  const input = inputOf(op, args)
  const form = formOf(op, args)
  let answer = await ask(input)
  for (;;) {
    const made = written(op, form, answer)
    if ('text' in made) return made
    const limit = fewer(op, input, answer, made.over)
    if (!limit) return cutDown(op, form, answer)
    input.limit = limit
    answer = noted(await ask(input), 'limit', `Only ${limit} rows fit into one result`)
  }
}

/** How many rows to ask for instead; nothing where there are none to leave out. */
function fewer(op: AnyOperation, { limit }: Fields, { data }: Answer, over: number) {
  if (writes(op) || !op.input.properties.limit) return undefined
  const now = Array.isArray(data) ? data.length : ((limit as number) ?? MOST_ROWS)
  return now > 1 ? Math.max(1, Math.min(now - 1, Math.floor((now / over) * 0.9))) : undefined
}

function cutDown(op: AnyOperation, form: Form, answer: Answer): Told {
  const { data, ...rest } = shown(op, form, answer)
  const { data: less, cut } = shortened(data, ROOM)
  const warnings = cut.length
    ? noted(answer, 'data', `Shown in part: ${cut.slice(0, 5).join('; ')}`).warnings
    : rest.warnings
  return told({ success: true, data: less, ...rest, ...(warnings && { warnings }) })
}

const noted = (answer: Answer, field: string, what: string): Answer => ({
  ...answer,
  warnings: [
    ...(answer.warnings ?? []),
    { field, code: 'too_long', message: `${what}; ${WAYS[field as keyof typeof WAYS]}` },
  ],
})

const WAYS = {
  limit: 'follow next_cursor for the others, or name the fields you need',
  data: ROOM.rest,
}

/** An answer that is given again need not be written out again. */
function written(op: AnyOperation, form: Form, answer: Answer): Told | { over: number } {
  const before = kept[form]!.get(answer)
  if (before) return before
  const { data, ...rest } = shown(op, form, answer)
  const found = form === 'detailed' ? { data, over: 0 } : fitted(data, ROOM)
  if (found.over > 1) return { over: found.over }
  const made = told({ success: true, data: found.data, ...rest })
  kept[form]!.set(answer, made)
  return made
}

/** Whoever calls an older tool says no action, and the fields of its `input` without it. */
function saidBy(tool: string, does: Tool, given: Fields) {
  if (does instanceof Map) {
    const op = actionOf(tool, does, given)
    return { op, args: argumentsOf(op, given), said: `action ${given.action}` }
  }
  const { limit, offset, response_format, ...input } = given
  const args = { action: tool, input, limit, offset, response_format }
  validate(Arguments, args)
  return { op: does as AnyOperation, args: args as Arguments, said: `tool ${tool}` }
}

function actionOf(tool: string, actions: Actions, { action }: Fields): AnyOperation {
  const op = actions.get(action as string)
  if (op) return op
  const known = [...actions.keys()]
  const list = `The actions of ${tool} are ${known.join(', ')}`
  if (action === undefined) throw fault.invalid('action', 'required', `action is missing. ${list}`)
  if (typeof action !== 'string')
    throw fault.invalid('action', 'invalid_type', `action must be a string. ${list}`, action)
  const near = nearest(action, known)
  throw fault.invalid(
    'action',
    'out_of_range',
    `${tool} has no such action. ${list}`,
    action,
    near && `Did you mean ${near}?`,
  )
}

function argumentsOf(op: AnyOperation, given: Fields): Arguments {
  const misplaced = Object.keys(given).find(
    (name) =>
      !Object.hasOwn(Arguments.properties, name) && Object.hasOwn(op.input.properties, name),
  )
  if (misplaced)
    throw fault.invalid(
      misplaced,
      'unknown_field',
      `${misplaced} does not stand beside action`,
      undefined,
      `Put it into input: {"action": "${given.action}", "input": {"${misplaced}": …}}`,
    )
  validate(Arguments, given)
  return given as unknown as Arguments
}

function keyOf({ [KEY]: key }: Fields): string | undefined {
  if (key === undefined || typeof key === 'string') return key
  throw fault.invalid(KEY, 'invalid_type', `_meta["${KEY}"] must be text`, key)
}

/** `limit` and `offset` stand beside `action`, but a model that puts them into `input` is heard. */
function inputOf(op: AnyOperation, args: Arguments): Fields {
  const input = { ...args.input }
  if (args.offset && op.output.list && !op.input.properties.offset)
    throw fault.invalid(
      'offset',
      'unknown_field',
      `${args.action} skips no rows`,
      args.offset,
      'Follow next_cursor with cursor inside input',
    )
  for (const name of ['limit', 'offset'] as const) {
    if (args[name] === undefined || !op.input.properties[name]) continue
    if (input[name] !== undefined && input[name] !== args[name])
      throw fault.invalid(
        name,
        'conflict',
        `${name} is ${args[name]} beside action but something else inside input`,
        input[name],
        'Give it once, beside action',
      )
    input[name] = args[name]
  }
  return input
}

/** A model reads the refusal away from its call, so it names the action too. */
const about = (said: string, { code, message, details, hint }: Fault) =>
  new Fault(code, details.field ? `${message} (${said})` : message, details, hint)

/** Receipts are short already, and whoever names fields gets those. */
function formOf(op: AnyOperation, { response_format, input }: Arguments): Form {
  if (response_format === 'detailed') return 'detailed'
  return writes(op) || input?.fields ? 'whole' : 'brief'
}

function shown(op: AnyOperation, form: Form, { data, page, warnings }: Answer) {
  const schema = op.output.list ? op.output.properties.items : op.output
  return {
    data: form === 'brief' ? brief(schema, data) : data,
    ...(page && { page: form === 'brief' ? inShort(page) : page }),
    ...(warnings && { warnings }),
  }
}

/** Whoever asked knows where they began and how many rows they wanted. */
function inShort({ limit: _, offset: __, next_cursor, ...page }: PageInfo) {
  return { ...page, ...(next_cursor !== null && { next_cursor }) }
}
