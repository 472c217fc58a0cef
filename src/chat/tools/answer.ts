import { catalog } from '../../catalog.ts'
import { nameCallsIn } from '../../kernel/call-names.ts'
import { toConcise } from '../../kernel/concise.ts'
import type { OperationResult } from '../../kernel/dispatch.ts'
import { FAULTS, type Fault } from '../../kernel/fault.ts'
import { MAX_ROWS } from '../../kernel/list.ts'
import { type AnyOperation, isWrite } from '../../kernel/operation.ts'
import { clipToBudget, type TokenBudget, truncateToBudget } from '../../kernel/token-budget.ts'
import { asData } from './data.ts'
import type { Fields } from './types.ts'

/** The size limit of an answer: a conversation contains many of them. */
const ROOM: TokenBudget = { tokens: 1900, hint: '' }

/** Later calls refer to tasks by this field, so it is included although rows are concise. */
const ALWAYS_SHOWN = ['task_id']

/**
 * Secrets that are shown once are for people: the model does not see them and threads do not store
 * them.
 */
export const SECRETS: Record<string, readonly string[]> = {
  'projects.invite_member': ['link'],
}

export interface ToolOutput {
  output: unknown
  text: string
}

type Requery = (input: Fields) => Promise<OperationResult>

/**
 * Formats an answer for the model. A list that is too long is requested again with fewer rows, so
 * that its cursor continues after them.
 */
export async function fitAnswer(
  op: AnyOperation,
  input: Fields,
  first: OperationResult,
  requery: Requery,
) {
  let answer = first
  let limit = input.limit as number | undefined
  for (;;) {
    const data = visibleData(op, answer)
    const fit = clipToBudget(data, ROOM)
    if (fit.ratio <= 1) return toOutput(op, answer, fit.data, [])
    const rows = fewerRows(op, answer, limit, fit.ratio)
    if (rows === undefined) {
      const { data: shortened, truncated: truncatedPaths } = truncateToBudget(data, ROOM)
      return toOutput(op, answer, shortened, truncatedPaths)
    }
    limit = rows
    answer = await requery({ ...input, limit })
  }
}

/** How many rows to request instead; undefined if there are no rows to leave out. */
function fewerRows(
  op: AnyOperation,
  { data }: OperationResult,
  limit: number | undefined,
  over: number,
) {
  if (isWrite(op) || !op.input.properties.limit) return undefined
  const rowCount = Array.isArray(data) ? data.length : (limit ?? MAX_ROWS)
  return rowCount > 1
    ? Math.max(1, Math.min(rowCount - 1, Math.floor((rowCount / over) * 0.9)))
    : undefined
}

function visibleData(op: AnyOperation, { data }: OperationResult): unknown {
  const schema = op.output.list ? op.output.properties.items : op.output
  const visible = isWrite(op) ? data : toConcise(schema, data, ALWAYS_SHOWN)
  return omitFields(visible, SECRETS[op.name])
}

function omitFields(data: unknown, secrets: readonly string[] | undefined): unknown {
  if (!secrets || typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).filter(([name]) => !secrets.includes(name)))
}

function toOutput(
  op: AnyOperation,
  { page, warnings }: OperationResult,
  data: unknown,
  truncatedPaths: string[],
): ToolOutput {
  const paging = page && {
    ...(page.total !== null && { total: page.total }),
    ...(page.next_cursor !== null && { next_cursor: page.next_cursor }),
  }
  const output = {
    data,
    ...(paging && { page: paging }),
    ...(warnings?.length && { warnings: warnings.slice(0, 5) }),
    ...(truncatedPaths.length && { shown_in_part: truncatedPaths.slice(0, 5) }),
  }
  return { output, text: asData(toolName(op.name), JSON.stringify(output)) }
}

export const toolName = (op: string) => op.replaceAll('.', '_')

/** Formats a refusal so that the model can correct its call. */
export function refusalText(fault: Fault): string {
  const nameOf = ({ name, on }: AnyOperation) => (on.chat ? toolName(name) : undefined)
  const { code, message, details, hint } = nameCallsIn(fault, operations, nameOf)
  const { data } = clipToBudget({ error: FAULTS[code], message, details, hint }, ROOM)
  return asData('refusal', JSON.stringify(data))
}

const operations: readonly AnyOperation[] = catalog
