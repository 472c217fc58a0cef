import { actionName, nameCallsIn } from '../../kernel/call-names.ts'
import { toConcise } from '../../kernel/concise.ts'
import type { Dispatch, OperationResult } from '../../kernel/dispatch.ts'
import { errorBody, Fault, type FaultCode, fault, needsAttention } from '../../kernel/fault.ts'
import { MAX_ROWS, type PageInfo } from '../../kernel/list.ts'
import { type AnyOperation, isWrite } from '../../kernel/operation.ts'
import type { FileStore } from '../../kernel/services.ts'
import { clipToBudget, type TokenBudget, truncateToBudget } from '../../kernel/token-budget.ts'
import { asFault, type Gateway, type RequestContext } from '../gateway.ts'
import { type Arguments, type ResolvedCall, resolveCall, type ToolCall } from './arguments.ts'
import { convertInput } from './convert.ts'
import { exampleFor } from './examples.ts'
import { contentOf, type FileContent, type StoredFile } from './file-content.ts'
import { InputNeeded, type Intercept } from './intercept.ts'
import { callerSource, resolveNames } from './resolve-names.ts'

/** The size limit of a result, because clients refuse results far above 10,000 tokens. */
export const RESULT_BUDGET: TokenBudget = {
  tokens: 9000,
  hint: 'response_format detailed returns all',
}

type Fields = Record<string, unknown>

const KEY = 'corkboard/idempotency-key'
/** The operation whose result also contains the file itself. */
const FILE = 'attachments.get'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  gateway: Gateway
  files: FileStore
}

/** Runs a tool call. A fault becomes a result with `isError`; only protocol errors are thrown. */
export const toolCaller =
  ({ catalog, dispatch, gateway, files }: Parts) =>
  async (
    toolCall: ToolCall,
    context: RequestContext,
    intercept: Intercept = (_, __, run) => run(),
  ): Promise<ToolResult> => {
    const { meta } = toolCall
    const caller = context.caller!
    let call: ResolvedCall | undefined
    try {
      call = resolveCall(toolCall)
      const { op } = call
      const key = keyOf(meta)
      const fields = convertInput(op, call.input)
      const input = await resolveNames(op, fields, callerSource(dispatch, caller, catalog))
      let data: unknown
      const result = await fitToBudget({ ...call, input }, async (request) => {
        const run = () => dispatch(caller, op, request, key)
        const answer = await intercept(op, request, run)
        data = answer.data
        return answer
      })
      return op.name === FILE
        ? { ...result, files: await contentOf(files, data as StoredFile) }
        : result
    } catch (error) {
      if (error instanceof InputNeeded) throw error
      const fault = asFault(error)
      if (needsAttention(fault)) gateway.reportFailure(context, error)
      return refusal(nameCallsIn(fault, catalog, actionName), toolCall, call, context)
    }
  }

/** Errors that another input avoids. */
const BY_INPUT: readonly FaultCode[] = ['invalid', 'not_found', 'ambiguous']

/** The error as a result. An error about a field ends with a valid call. */
function refusal(
  error: Fault,
  toolCall: ToolCall,
  call: ResolvedCall | undefined,
  { requestId }: RequestContext,
): ToolResult {
  const labelled = call ? withLabel(call.label, error) : error
  const { data } = clipToBudget(errorBody(labelled, requestId), RESULT_BUDGET)
  const { field } = error.details
  const isAboutField = field !== undefined && BY_INPUT.includes(error.code)
  const example = isAboutField && { example: exampleFor(call ?? toolCall, field) }
  return { ...toResult({ ...(data as Fields), ...example }), isError: true as const }
}

/** The result of a tool call. */
export interface ToolResult {
  body: Fields
  /** The body as JSON, and that as a string within JSON. */
  text: string
  quoted: string
  /** What a model sees of the file that the body describes. */
  files?: readonly FileContent[]
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
async function fitToBudget({ op, args, input }: ResolvedCall, run: Run): Promise<ToolResult> {
  const level = levelOf(op, args, input)
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

function keyOf({ [KEY]: key }: Fields): string | undefined {
  if (key === undefined || typeof key === 'string') return key
  throw fault.invalid(KEY, 'invalid_type', `_meta["${KEY}"] must be text`, key)
}

/** Adds the action to a field error, because a model reads the error apart from its call. */
const withLabel = (label: string, { code, message, details, hint }: Fault) =>
  new Fault(code, details.field ? `${message} (${label})` : message, details, hint)

/** Reads are brief by default. Receipts are short already, and named fields are given in full. */
function levelOf(op: AnyOperation, { response_format }: Arguments, { fields }: Fields): Level {
  if (response_format === 'detailed') return 'detailed'
  return isWrite(op) || fields ? 'whole' : 'brief'
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
