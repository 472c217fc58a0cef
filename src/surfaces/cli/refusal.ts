import { nameCalls } from '../../kernel/call-names.ts'
import type { OperationDescription } from '../../kernel/operation.ts'
import { cell } from './cell.ts'
import { type Refusal, RefusedError } from './client.ts'
import type { Field } from './inputs.ts'
import { isPage } from './operation-fields.ts'
import type { Fields } from './request.ts'

interface CommandInput {
  catalog: readonly OperationDescription[]
  fields: readonly Field[]
  op: OperationDescription
  typedInput: Fields
}

/** Rewrites an error of the server for the command line. */
export const explainRefusal = (error: RefusedError, typedCommand: CommandInput): RefusedError =>
  new RefusedError(error.status, error.refusal, explanationOf(error, typedCommand))

function explanationOf(
  { status, refusal, message: text }: RefusedError,
  typedCommand: CommandInput,
): string {
  if (status === 401) return text
  const { message, hint, details, request_id } = refusal
  const { catalog, fields } = typedCommand
  const field = fields.find(({ name }) => name === fieldIn(details))
  const flag = field?.flag && !message.includes(field.label) ? ` (${field.label})` : ''
  const advice = versionAdvice(typedCommand, refusal) ?? (hint && translateHint(hint, catalog))
  const next = advice ? `. ${advice}` : ''
  return `${message}${flag}${next}${traceOf(status, request_id)}`
}

/** Rewrites only the hint, for commands without an operation. */
export function withCommandHints(
  error: unknown,
  catalog: readonly OperationDescription[],
): unknown {
  if (!(error instanceof RefusedError) || error.status === 401) return error
  const { status, refusal } = error
  const { message, hint, request_id } = refusal
  const text = [message, hint && translateHint(hint, catalog)].filter(Boolean).join('. ')
  return new RefusedError(status, refusal, text + traceOf(status, request_id))
}

/** The request id of an internal error, for finding it in the server's log. */
const traceOf = (status: number, request_id: string | undefined) =>
  status >= 500 && request_id ? ` [request ${request_id}]` : ''

const fieldIn = (details: Refusal['details']) => String(details?.field ?? '').split(/[.[]/)[0]

/** The advice for a version conflict on a page. */
function versionAdvice(
  { op, typedInput }: CommandInput,
  { details = {} }: Refusal,
): string | undefined {
  const { field, code, version, updated_at } = details
  if (!isPage(op) || field !== 'if_version' || code !== 'conflict') return undefined
  return `It changed at ${cell(updated_at)}. Read it again with "cork pages get ${typedInput.page_id} --json", merge, and send --if-version ${version}; append and --mode prepend need none`
}

/** Replaces routes and tool actions in a hint by the commands for them. */
const translateHint = (hint: string, catalog: readonly OperationDescription[]): string =>
  nameCalls(hint, catalog, ({ on }) => on.cli && `cork ${on.cli.usage}`).replace(
    /(cork [^,{]+) (\{"\w+": (?:true|"[^"\\]*")\})/g,
    (_, command, body) => addBody(command, body),
  )

/** Adds the fields of a JSON body to a command, as arguments or flags. */
function addBody(command: string, body: string): string {
  const fields = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return fields.reduce((line, [name, value]) => {
    const placeholder = `<${name}>`
    if (line.includes(placeholder)) return line.replace(placeholder, String(value))
    return `${line} --${name.replaceAll('_', '-')}${value === true ? '' : ` ${value}`}`
  }, command)
}
