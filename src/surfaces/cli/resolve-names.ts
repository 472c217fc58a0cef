import { type TSchema, Type as t } from '@sinclair/typebox'
import type { OperationDescription } from '../../kernel/operation.ts'
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
import type { Client } from './client.ts'
import { CommandError } from './command.ts'
import { fetchRows } from './fetch-rows.ts'
import { kindOf } from './fields.ts'
import { type Fields, requestFor } from './request.ts'

/** Looks up names over REST. */
export function restSource(client: Client, catalog: readonly OperationDescription[]): LookupSource {
  const operation = (name: string) => catalog.find((op) => op.name === name)!
  return {
    list: async (name, input) =>
      (await fetchRows(client, operation(name), input, true)).data as Row[],
    find: async (name, input) =>
      (await client.send(requestFor(operation(name), input))).data as Row,
  }
}

const lookupOf = (field: string) => LOOKUPS.find(({ fields }) => fields.includes(field))

/** Extends the schema of an id field so that it accepts a name. Other fields stay as they are. */
export function acceptNames(field: string, schema: TSchema): TSchema {
  const lookup = lookupOf(field)
  if (!lookup) return schema
  const { thing, nameFields } = lookup
  const hint = thing.toUpperCase()
  const name = t.String({ maxLength: 200 })
  const withName = (inner: TSchema): TSchema => {
    if (inner.type === 'array') return t.Array(t.Union([withName(inner.items)], { hint }))
    if (inner.anyOf) return t.Union(inner.anyOf.map(withName))
    return inner.type === 'integer' ? t.Union([inner, name]) : inner
  }
  const numberText = schema.description ?? `The number of a ${thing}`
  const isList = kindOf(schema).type === 'list'
  return {
    ...withName(schema),
    description: `${numberText}; a ${nameFields[0] === 'key' ? 'key or title' : nameFields[0]} works too`,
    ...(!isList && { hint }),
  }
}

/** Whether a required field has a default: people in only one team need not name it. */
export const hasDefault = (field: string) => field === 'team_id'

/** Replaces typed names by ids. */
export async function resolveNames(
  op: OperationDescription,
  typedInput: Fields,
  source: LookupSource,
): Promise<Fields> {
  const input = { ...typedInput }
  if (op.input.required?.includes('team_id') && input.team_id === undefined)
    input.team_id = await onlyTeam(source)
  for (const lookup of LOOKUPS.filter(({ operations: of = /^/ }) => of.test(op.name)))
    for (const field of lookup.fields) {
      const typed = input[field]
      const schema = op.input.properties[field]
      if (!schema || typed === undefined) continue
      if (lookup.thing === 'person' && takesText(schema)) continue
      const context = { source, input, field }
      const resolve = (value: unknown) =>
        typeof value === 'string' ? findId(lookup, value, context) : value
      input[field] = Array.isArray(typed)
        ? await Promise.all(typed.map(resolve))
        : await resolve(typed)
    }
  return input
}

/** Finds the id of a board by its id, key or title. */
export async function findBoardId(name: string, source: LookupSource): Promise<string> {
  if (/^\d+$/.test(name)) return name
  const lookup = LOOKUPS.find(({ thing }) => thing === 'board')!
  return String(await findId(lookup, name, { source, input: {}, field: 'project_id' }))
}

async function findId(lookup: Lookup, name: string, context: LookupContext): Promise<unknown> {
  const { thing, id, list } = lookup
  const { rows, matches } = await lookUp(lookup, name, context).catch(explainFailure)
  const [match, ...others] = matches
  if (match && !others.length) return match[id]
  if (match)
    throw new CommandError(
      `"${name}" is ambiguous: give the number of the ${thing}, ${matches.map((row) => row[id]).join(' or ')}`,
    )
  const names = [...new Set(rows.map((row) => row.title ?? row.name))]
  const options = names.length && names.length <= 12 ? `; available: ${names.join(', ')}` : ''
  throw new CommandError(
    `There is no ${thing} called "${name}" that you can see${options}. List them: cork ${list}`,
  )
}

const FAILURES = {
  needs_board: 'To name a column by its title, give its board with --project',
  is_agent: 'This key belongs to an agent, so "me" is not a person',
}

function explainFailure(error: unknown): never {
  throw error instanceof LookupError ? new CommandError(FAILURES[error.reason]) : error
}

async function onlyTeam(source: LookupSource): Promise<unknown> {
  const teams = await source.list('teams.list', {})
  if (teams.length === 1) return teams[0]!.team_id
  const names = teams.map(({ team_id, name }) => `${team_id} (${name})`).join(', ')
  throw new CommandError(
    teams.length
      ? `You are in several teams: choose one with --team, ${names}`
      : 'You are not in a team. Create one with "cork teams create <name>"',
  )
}
