import { catalog } from '../../catalog.ts'
import { fitted, type Room, shortened } from '../../kernel/bounds.ts'
import { brief } from '../../kernel/brief.ts'
import type { Answer } from '../../kernel/dispatch.ts'
import { FAULTS, type Fault } from '../../kernel/fault.ts'
import { MOST_ROWS } from '../../kernel/list.ts'
import { type AnyOperation, named, writes } from '../../kernel/operation.ts'
import { asData } from './data.ts'
import type { Fields } from './types.ts'

/** What an answer may cost a model: a conversation has many of them. */
const ROOM: Room = { tokens: 1900, rest: '' }

/** By these a task is named in further calls, so they are told though rows are brief. */
const BESIDES = ['task_id']

/** Secrets that are shown once are for people: no model reads them, and no thread keeps them. */
export const SECRETS: Record<string, readonly string[]> = {
  'projects.invite_member': ['link'],
}

export interface Told {
  output: unknown
  text: string
}

type Ask = (input: Fields) => Promise<Answer>

/** An answer as a model reads it, if need be with fewer rows, so that its cursor leads on. */
export async function answered(op: AnyOperation, input: Fields, first: Answer, ask: Ask) {
  let answer = first
  let limit = input.limit as number | undefined
  for (;;) {
    const data = shownOf(op, answer)
    const found = fitted(data, ROOM)
    if (found.over <= 1) return told(op, answer, found.data, [])
    const rows = fewer(op, answer, limit, found.over)
    if (rows === undefined) {
      const { data: less, cut } = shortened(data, ROOM)
      return told(op, answer, less, cut)
    }
    limit = rows
    answer = await ask({ ...input, limit })
  }
}

/** How many rows to ask for instead; nothing where there are none to leave out. */
function fewer(op: AnyOperation, { data }: Answer, limit: number | undefined, over: number) {
  if (writes(op) || !op.input.properties.limit) return undefined
  const now = Array.isArray(data) ? data.length : (limit ?? MOST_ROWS)
  return now > 1 ? Math.max(1, Math.min(now - 1, Math.floor((now / over) * 0.9))) : undefined
}

function shownOf(op: AnyOperation, { data }: Answer): unknown {
  const schema = op.output.list ? op.output.properties.items : op.output
  const told = writes(op) ? data : brief(schema, data, BESIDES)
  return without(told, SECRETS[op.name])
}

function without(data: unknown, secrets: readonly string[] | undefined): unknown {
  if (!secrets || typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).filter(([name]) => !secrets.includes(name)))
}

function told(op: AnyOperation, { page, warnings }: Answer, data: unknown, cut: string[]): Told {
  const more = page && {
    ...(page.total !== null && { total: page.total }),
    ...(page.next_cursor !== null && { next_cursor: page.next_cursor }),
  }
  const output = {
    data,
    ...(more && { page: more }),
    ...(warnings?.length && { warnings: warnings.slice(0, 5) }),
    ...(cut.length && { shown_in_part: cut.slice(0, 5) }),
  }
  return { output, text: asData(nameOf(op.name), JSON.stringify(output)) }
}

export const nameOf = (op: string) => op.replaceAll('.', '_')

/** A refusal as a model reads it, so that it can mend its call. */
export function refused({ code, message, details, hint }: Fault): string {
  const { data } = fitted({ error: FAULTS[code], message, details, hint }, ROOM)
  return asData('refusal', inItsWords(JSON.stringify(data)))
}

/** Hints name the tools of MCP, which are called otherwise here. */
const inItsWords = (text: string) =>
  text.replace(/\bsvc_\w+ \w+/g, (said) => {
    const action = said.replace(' ', '.')
    const op = operations.find(({ on }) => named(on.mcp).some((name) => name === action))
    return op ? nameOf(op.name) : said
  })

const operations: readonly AnyOperation[] = catalog
