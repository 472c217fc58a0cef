import { Type as t } from '@sinclair/typebox'
import type { Answer, Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault, refusal } from '../../kernel/fault.ts'
import { type AnyOperation, writes } from '../../kernel/operation.ts'
import { nearest, validate } from '../../kernel/validate.ts'
import { asFault, type Door, type Visit } from '../door.ts'
import { brief } from './brief.ts'
import type { Actions } from './tools.ts'

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
  actions: Actions
  given: Fields
  meta: Fields
}

const KEY = 'corkboard/idempotency-key'

/** A call of a tool, answered or refused: only protocol faults are errors to the client. */
export const caller =
  (dispatch: Dispatch, door: Door) =>
  async ({ tool, actions, given, meta }: Called, visit: Visit): Promise<Told> => {
    try {
      const op = actionOf(tool, actions, given)
      const args = argumentsOf(op, given)
      const key = keyOf(meta)
      const answer = await dispatch(visit.caller!, op, inputOf(op, args), key).catch((error) => {
        throw error instanceof Fault ? about(args.action, error) : error
      })
      return written(op, args, answer)
    } catch (error) {
      const refused = asFault(error)
      if (refused.code === 'internal') door.broke(visit, error)
      return { ...told(refusal(refused, visit.requestId)), isError: true as const }
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

const kept = { brief: new WeakMap<Answer, Told>(), whole: new WeakMap<Answer, Told>() }

/** An answer that is given again need not be written out again. */
function written(op: AnyOperation, args: Arguments, answer: Answer): Told {
  const form = formOf(op, args)
  const before = kept[form].get(answer)
  if (before) return before
  const made = told({ success: true, ...shown(op, form, answer) })
  kept[form].set(answer, made)
  return made
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
const about = (action: string, { code, message, details, hint }: Fault) =>
  new Fault(code, details.field ? `${message} (action ${action})` : message, details, hint)

/** Receipts are short already, and whoever names fields gets those. */
const formOf = (op: AnyOperation, { response_format, input }: Arguments) =>
  writes(op) || response_format === 'detailed' || input?.fields ? 'whole' : 'brief'

function shown(op: AnyOperation, form: keyof typeof kept, { data, page, warnings }: Answer) {
  const schema = op.output.list ? op.output.properties.items : op.output
  return {
    data: form === 'whole' ? data : brief(schema, data),
    ...(page && { page }),
    ...(warnings && { warnings }),
  }
}
