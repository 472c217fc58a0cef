import { type AnyOperation, named } from '../../kernel/operation.ts'
import { cell } from './cell.ts'
import { type Refusal, Refused } from './client.ts'
import type { Field } from './inputs.ts'
import { type Fields, routeOf } from './request.ts'
import { isPage } from './saying.ts'

interface Said {
  catalog: readonly AnyOperation[]
  fields: readonly Field[]
  op: AnyOperation
  typed: Fields
}

/** A refusal in the words of the command line. */
export const inWords = (refused: Refused, said: Said): Refused =>
  new Refused(refused.status, refused.refusal, wordsOf(refused, said))

function wordsOf({ status, refusal, message: words }: Refused, said: Said): string {
  if (status === 401) return words
  const { message, hint, details, request_id } = refusal
  const { catalog, fields } = said
  const field = fields.find(({ name }) => name === fieldIn(details))
  const flag = field?.flag && !message.includes(field.said) ? ` (${field.said})` : ''
  const advice = overtaken(said, refusal) ?? (hint && translated(hint, catalog))
  const next = advice ? `. ${advice}` : ''
  return `${message}${flag}${next}${traceOf(status, request_id)}`
}

/** The same where no operation describes what was asked for. */
export function asTyped(error: unknown, catalog: readonly AnyOperation[]): unknown {
  if (!(error instanceof Refused) || error.status === 401) return error
  const { status, refusal } = error
  const { message, hint, request_id } = refusal
  const said = [message, hint && translated(hint, catalog)].filter(Boolean).join('. ')
  return new Refused(status, refusal, said + traceOf(status, request_id))
}

/** What whoever runs the server finds in its log. */
const traceOf = (status: number, request_id: string | undefined) =>
  status >= 500 && request_id ? ` [request ${request_id}]` : ''

const fieldIn = (details: Refusal['details']) => String(details?.field ?? '').split(/[.[]/)[0]

/** What to type next where somebody else was faster with a page. */
function overtaken({ op, typed }: Said, { details = {} }: Refusal): string | undefined {
  const { field, code, version, updated_at } = details
  if (!isPage(op) || field !== 'if_version' || code !== 'conflict') return undefined
  return `That was at ${cell(updated_at)}. Read it again with "cork pages get ${typed.page_id} --json", merge, and send --if-version ${version}; append and --mode prepend need none`
}

/** Hints name routes and tool actions; here the same is done with commands. */
function translated(hint: string, catalog: readonly AnyOperation[]): string {
  return hint
    .replace(/(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}-]+)/g, (route, method, path) => {
      const op = catalog.find((one) => {
        const known = routeOf(one)
        return known.method === method && shapeOf(known.path) === shapeOf(path)
      })
      return op?.on.cli ? `cork ${op.on.cli}` : route
    })
    .replace(/(svc_\w+) (\w+)/g, (action, tool, verb) => {
      const op = catalog.find(({ on }) => named(on.mcp).some((one) => one === `${tool}.${verb}`))
      return op?.on.cli ? `cork ${op.on.cli}` : action
    })
    .replace(/(cork [^,{]+) (\{"\w+": (?:true|"[^"\\]*")\})/g, (_, command, body) =>
      typed(command, body),
    )
    .replace(/(cork [^,]+), or \1/g, '$1')
}

/** What is sent along with a request is a word or a flag of its command. */
function typed(command: string, body: string): string {
  const said = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return said.reduce((words, [name, value]) => {
    const place = `<${name}>`
    if (words.includes(place)) return words.replace(place, String(value))
    return `${words} --${name.replaceAll('_', '-')}${value === true ? '' : ` ${value}`}`
  }, command)
}

const shapeOf = (path: string) => path.replace(/:\w+|\{\w+\}/g, '*')
