import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { MAX_ROWS } from '../../kernel/list.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import {
  LOOKUPS,
  type Lookup,
  type LookupContext,
  LookupError,
  type LookupSource,
  lookUp,
  type Row,
  takesText,
} from '../lookups.ts'

type Fields = Record<string, unknown>

/** How much is searched for names in one call. */
const MAX_PAGES = 20
const MAX_NAMES = 100
const MAX_ROWS_RESOLVED = 200

/** Looks up names with the permissions of the caller. */
export function callerSource(
  dispatch: Dispatch,
  caller: Caller,
  catalog: readonly AnyOperation[],
): LookupSource {
  const operation = (name: string) => catalog.find((op) => op.name === name)!
  const lists = new Map<string, Promise<Row[]>>()
  const source: LookupSource = {
    async list(name, input) {
      const rows: Row[] = []
      let cursor: string | null | undefined
      for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
        const request = { ...input, limit: MAX_ROWS, ...(cursor && { cursor }) }
        const answer = await dispatch(caller, operation(name), request)
        rows.push(...(answer.data as Row[]))
        cursor = answer.page?.next_cursor ?? null
      }
      return rows
    },
    async find(name, { task, ...input }) {
      const address = typeof task === 'number' ? { task_id: task } : { ticket_number: task }
      const request = { ...input, ...(task !== undefined && address) }
      return (await dispatch(caller, operation(name), request)).data as Row
    },
  }
  return {
    ...source,
    list(name, input) {
      const key = JSON.stringify([name, input])
      const list = lists.get(key) ?? source.list(name, input)
      lists.set(key, list)
      return list
    },
  }
}

/** Ids that are texts are not checked here; a lease is never named. */
const NOT_NAMED = ['lease', 'receiver', 'feed']

/** Replaces names by ids in the fields that take ids, also in objects and lists of objects. */
export async function resolveNames(
  op: AnyOperation,
  input: Fields,
  source: LookupSource,
): Promise<Fields> {
  const properties: Record<string, TSchema> = op.input.properties
  const lookups = LOOKUPS.filter(
    ({ thing, operations: of = /^/ }) => !NOT_NAMED.includes(thing) && of.test(op.name),
  )
  const search: Search = { lookups, source, around: about(input), path: '' }
  const resolved = await resolveFields(properties, input, search)
  const { mentions } = resolved
  if (Array.isArray(mentions) && mentions.length <= MAX_NAMES && properties.mentions)
    resolved.mentions = await resolveMentions(mentions, { source, input: about(resolved) })
  const around = about(resolved)
  for (const [field, { items, properties: inner }] of Object.entries(properties)) {
    const rows = resolved[field]
    if (inner && isObject(rows))
      resolved[field] = await resolveFields(inner, rows, { ...search, around, path: `${field}.` })
    if (!Array.isArray(rows) || rows.length > MAX_ROWS_RESOLVED || !items?.properties) continue
    const resolveRow = (row: unknown, at: number) =>
      isObject(row)
        ? resolveFields(items.properties, row, { ...search, around, path: `${field}.${at}.` })
        : row
    resolved[field] = await Promise.all(rows.map(resolveRow))
  }
  return resolved
}

interface Search {
  lookups: readonly Lookup[]
  source: LookupSource
  /** The fields around the object, which name its board or task. */
  around: Fields
  /** What precedes a field in the path that errors name. */
  path: string
}

async function resolveFields(
  properties: Record<string, TSchema>,
  input: Fields,
  { lookups, source, around, path }: Search,
): Promise<Fields> {
  const resolved = { ...input }
  for (const lookup of lookups)
    for (const field of lookup.fields) {
      const schema = properties[field]
      if (!schema || resolved[field] === undefined) continue
      if (lookup.thing === 'person' && takesText(schema)) continue
      const context = { source, input: { ...around, ...about(resolved) }, field }
      resolved[field] = await resolveField(lookup, resolved[field], context, path)
    }
  return resolved
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names the task of an input by one field. Of several tasks the first stands for their board. */
const about = ({ task_id, ticket_number, ...input }: Fields): Fields => {
  const [task] = [task_id ?? ticket_number ?? input.task_ids ?? input.ticket_numbers].flat()
  return { ...input, ...(task !== undefined && { task }) }
}

const ID = /^(\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !ID.test(value.trim())

async function resolveField(lookup: Lookup, value: unknown, context: LookupContext, path: string) {
  const named = path + context.field
  const resolve = async (one: unknown) => (isName(one) ? findId(lookup, one, context, named) : one)
  if (!Array.isArray(value)) return resolve(value)
  return value.length <= MAX_NAMES ? Promise.all(value.map(resolve)) : value
}

/** `named` is the field as errors name it. */
async function findId(lookup: Lookup, name: string, context: LookupContext, named: string) {
  const { rows, matches } = await search(lookup, name, context, named)
  const [match, ...others] = matches
  if (!match) throw unknownName(lookup, name, named, rows)
  if (others.length) throw ambiguousName(lookup, name, named, matches)
  return match[lookup.id]
}

const search = (lookup: Lookup, name: string, context: LookupContext, named = context.field) =>
  lookUp(lookup, name, context).catch((error) => {
    throw explainFailure(error, lookup, name, named)
  })

const FAILURES = {
  needs_board: 'A name is unique on a board only: send project_id or ticket_number as well',
  is_agent: 'Your token belongs to an agent, so "me" is not a person',
}

/** A caller who may not read the list has to send the id. */
function explainFailure(error: unknown, { thing, id }: Lookup, name: string, field: string) {
  if (error instanceof LookupError)
    return fault.invalid(field, 'invalid_type', FAILURES[error.reason], name)
  if (error instanceof Fault && error.code === 'forbidden')
    return fault.invalid(
      field,
      'invalid_type',
      `Your token may not look up the ${thing} "${name.slice(0, 100)}"`,
      name,
      `Send its ${id}`,
    )
  return error
}

const labelOf = (row: Row) => row.title ?? row.name ?? row.ticket_number

function unknownName({ thing }: Lookup, name: string, field: string, rows: readonly Row[]): Fault {
  const names = [...new Set(rows.map(labelOf))]
  return fault.invalid(
    field,
    'not_found',
    `There is no ${thing} "${name.slice(0, 100)}" that you can see`,
    name,
    names.length && names.length <= 20 ? `There are ${names.join(', ')}` : undefined,
  )
}

function ambiguousName(
  { thing, id }: Lookup,
  name: string,
  field: string,
  matches: readonly Row[],
): Fault {
  const candidates = matches.map((row) => ({ [id]: row[id], name: labelOf(row) }))
  const list = matches.map((row) => `${labelOf(row)} (${id} ${row[id]})`).join(' and ')
  return new Fault(
    thing === 'person' || thing === 'agent' ? 'ambiguous' : 'invalid',
    `"${name.slice(0, 100)}" matches ${list}`,
    { field, code: 'ambiguous', value: name.slice(0, 200), candidates },
    `Ask which is meant, then send the ${id}`,
  )
}

const kind = (thing: string) => LOOKUPS.find((lookup) => lookup.thing === thing)!

/** A mention may be a name, a user id or the UUID of an agent. */
const resolveMentions = (mentions: readonly unknown[], context: Omit<LookupContext, 'field'>) =>
  Promise.all(
    mentions.map(async (mention, at) => {
      if (typeof mention === 'number') return { user_id: mention }
      if (typeof mention !== 'string' || mention.trim() === '') return mention
      const name = mention.trim().replace(/^@/, '')
      if (/^\d+$/.test(name)) return { user_id: Number(name) }
      if (ID.test(name)) return { agent_id: name }
      return resolveMention(name, { ...context, field: `mentions.${at}` })
    }),
  )

/** Searches people first, then agents; a name of both is ambiguous. */
async function resolveMention(name: string, context: LookupContext): Promise<Fields> {
  const people = await search(kind('person'), name, context)
  const agents = await search(kind('agent'), name, context)
  const matches = [...people.matches, ...agents.matches]
  const [match, ...others] = matches
  const { field } = context
  if (!match) throw unknownName(kind('person'), name, field, [...people.rows, ...agents.rows])
  if (others.length) throw ambiguousName(kind('person'), name, field, matches)
  return match.user_id === undefined ? { agent_id: match.agent_id } : { user_id: match.user_id }
}
