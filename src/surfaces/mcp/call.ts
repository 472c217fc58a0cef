import { Type as t } from '@sinclair/typebox'
import { actionName, nameCallsIn } from '../../kernel/call-names.ts'
import { toConcise } from '../../kernel/concise.ts'
import type { Dispatch, OperationResult } from '../../kernel/dispatch.ts'
import { errorBody, Fault, fault, needsAttention } from '../../kernel/fault.ts'
import { MAX_ROWS, type PageInfo } from '../../kernel/list.ts'
import { type AnyOperation, isWrite } from '../../kernel/operation.ts'
import { clipToBudget, type TokenBudget, truncateToBudget } from '../../kernel/token-budget.ts'
import { closestWord, validate } from '../../kernel/validate.ts'
import { asFault, type Gateway, type RequestContext } from '../gateway.ts'
import { InputNeeded, type Intercept } from './intercept.ts'
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

/** The size limit of a result, because clients refuse results far above 10,000 tokens. */
export const RESULT_BUDGET: TokenBudget = {
  tokens: 9000,
  hint: 'response_format detailed returns all',
}

type Fields = Record<string, unknown>

interface Arguments {
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

const KEY = 'corkboard/idempotency-key'

/** Runs a tool call. A fault becomes a result with `isError`; only protocol errors are thrown. */
export const toolCaller =
  (catalog: readonly AnyOperation[], dispatch: Dispatch, gateway: Gateway) =>
  async (
    { tool, target, raw, meta }: ToolCall,
    context: RequestContext,
    intercept: Intercept = (_, __, run) => run(),
  ): Promise<ToolResult> => {
    try {
      const { op, args, label } = resolveCall(tool, target, raw)
      const key = keyOf(meta)
      const run = (input: Fields) =>
        intercept(op, input, () => dispatch(context.caller!, op, input, key)).catch((error) => {
          throw error instanceof Fault ? withLabel(label, error) : error
        })
      return await fitToBudget(op, args, run)
    } catch (error) {
      if (error instanceof InputNeeded) throw error
      const fault = asFault(error)
      if (needsAttention(fault)) gateway.reportFailure(context, error)
      const named = nameCallsIn(fault, catalog, actionName)
      const { data } = clipToBudget(errorBody(named, context.requestId), RESULT_BUDGET)
      return { ...toResult(data as Fields), isError: true as const }
    }
  }

/** The result of a tool call. */
export interface ToolResult {
  body: Fields
  /** The body as JSON, and that as a string within JSON. */
  text: string
  quoted: string
  isError?: true
}

function toResult(body: Fields): ToolResult {
  const text = JSON.stringify(body)
  return { body, text, quoted: JSON.stringify(text) }
}

const LEVELS = ['brief', 'whole', 'detailed'] as const
type Level = (typeof LEVELS)[number]
const resultCache = Object.fromEntries(
  LEVELS.map((level) => [level, new WeakMap<OperationResult, ToolResult>()]),
)

type Run = (input: Fields) => Promise<OperationResult>

/** Runs the operation. A list over budget is read again with fewer rows, so its cursor is right. */
async function fitToBudget(op: AnyOperation, args: Arguments, run: Run): Promise<ToolResult> {
  const input = inputOf(op, args)
  const level = levelOf(op, args)
  let answer = await run(input)
  for (;;) {
    const rendered = render(op, level, answer)
    if ('text' in rendered) return rendered
    const limit = fewerRows(op, input, answer, rendered.ratio)
    if (!limit) return truncateResult(op, level, answer)
    input.limit = limit
    answer = withWarning(await run(input), 'limit', `Only ${limit} rows fit in one result`)
  }
}

/** A smaller number of rows to request; undefined if the operation is no list or has one row. */
function fewerRows(op: AnyOperation, { limit }: Fields, { data }: OperationResult, ratio: number) {
  if (isWrite(op) || !op.input.properties.limit) return undefined
  const rows = Array.isArray(data) ? data.length : ((limit as number) ?? MAX_ROWS)
  return rows > 1 ? Math.max(1, Math.min(rows - 1, Math.floor((rows / ratio) * 0.9))) : undefined
}

function truncateResult(op: AnyOperation, level: Level, answer: OperationResult): ToolResult {
  const { data, ...rest } = shapeAnswer(op, level, answer)
  const { data: shortened, truncated } = truncateToBudget(data, RESULT_BUDGET)
  const warnings = truncated.length
    ? withWarning(answer, 'data', `Truncated: ${truncated.slice(0, 5).join('; ')}`).warnings
    : rest.warnings
  return toResult({ success: true, data: shortened, ...rest, ...(warnings && { warnings }) })
}

const withWarning = (answer: OperationResult, field: string, message: string): OperationResult => ({
  ...answer,
  warnings: [
    ...(answer.warnings ?? []),
    { field, code: 'too_long', message: `${message}; ${HINTS[field as keyof typeof HINTS]}` },
  ],
})

const HINTS = {
  limit: 'follow next_cursor for the rest, or list only the fields you need',
  data: RESULT_BUDGET.hint,
}

/** Renders a result once, or returns how much it exceeds the budget. */
function render(
  op: AnyOperation,
  level: Level,
  answer: OperationResult,
): ToolResult | { ratio: number } {
  const cached = resultCache[level]!.get(answer)
  if (cached) return cached
  const { data, ...rest } = shapeAnswer(op, level, answer)
  const clipped = level === 'detailed' ? { data, ratio: 0 } : clipToBudget(data, RESULT_BUDGET)
  if (clipped.ratio > 1) return { ratio: clipped.ratio }
  const rendered = toResult({ success: true, data: clipped.data, ...rest })
  resultCache[level]!.set(answer, rendered)
  return rendered
}

/** The operation and arguments of a call. Legacy tools have no `action` and no `input`. */
function resolveCall(tool: string, target: Tool, raw: Fields) {
  if (target instanceof Map) {
    const op = actionOf(tool, target, raw)
    return { op, args: argumentsOf(op, raw), label: `action ${raw.action}` }
  }
  const { limit, offset, response_format, ...input } = raw
  const args = { action: tool, input, limit, offset, response_format }
  validate(Arguments, args)
  return { op: target as AnyOperation, args: args as Arguments, label: `tool ${tool}` }
}

function actionOf(tool: string, actions: Actions, { action }: Fields): AnyOperation {
  const op = actions.get(action as string)
  if (op) return op
  const names = [...actions.keys()]
  const list = `The actions of ${tool} are ${names.join(', ')}`
  if (action === undefined) throw fault.invalid('action', 'required', `action is missing. ${list}`)
  if (typeof action !== 'string')
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

function argumentsOf(op: AnyOperation, raw: Fields): Arguments {
  const misplacedField = Object.keys(raw).find(
    (name) =>
      !Object.hasOwn(Arguments.properties, name) && Object.hasOwn(op.input.properties, name),
  )
  if (misplacedField)
    throw fault.invalid(
      misplacedField,
      'unknown_field',
      `${misplacedField} must not be beside action`,
      undefined,
      `Put it into input: {"action": "${raw.action}", "input": {"${misplacedField}": …}}`,
    )
  validate(Arguments, raw)
  return raw as unknown as Arguments
}

function keyOf({ [KEY]: key }: Fields): string | undefined {
  if (key === undefined || typeof key === 'string') return key
  throw fault.invalid(KEY, 'invalid_type', `_meta["${KEY}"] must be text`, key)
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
    if (input[name] !== undefined && input[name] !== args[name])
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

/** Adds the action to a field error, because a model reads the error apart from its call. */
const withLabel = (label: string, { code, message, details, hint }: Fault) =>
  new Fault(code, details.field ? `${message} (${label})` : message, details, hint)

/** Reads are brief by default. Receipts are short already, and named fields are given in full. */
function levelOf(op: AnyOperation, { response_format, input }: Arguments): Level {
  if (response_format === 'detailed') return 'detailed'
  return isWrite(op) || input?.fields ? 'whole' : 'brief'
}

function shapeAnswer(op: AnyOperation, level: Level, { data, page, warnings }: OperationResult) {
  const schema = op.output.list ? op.output.properties.items : op.output
  return {
    data: level === 'brief' ? toConcise(schema, data) : data,
    ...(page && { page: level === 'brief' ? briefPage(page) : page }),
    ...(warnings && { warnings }),
  }
}

/** Leaves out `limit` and `offset`, which the caller sent, and a `next_cursor` of null. */
function briefPage({ limit: _, offset: __, next_cursor, ...page }: PageInfo) {
  return { ...page, ...(next_cursor !== null && { next_cursor }) }
}
