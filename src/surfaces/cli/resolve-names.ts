import { type TSchema, Type as t } from '@sinclair/typebox'
import type { OperationDescription } from '../../kernel/operation.ts'
import { CommandError } from './command.ts'
import { kindOf } from './fields.ts'
import {
  LOOKUPS,
  type Lookup,
  type LookupContext,
  type LookupSource,
  listAll,
  normalize,
} from './lookups.ts'
import type { Fields } from './request.ts'

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

/** Whether the server resolves names in this field itself, as where agents are allowed too. */
const takesText = ({ items = {} }: TSchema): boolean =>
  (items.anyOf ?? []).some(({ type }: TSchema) => type === 'string')

/** Replaces typed names by ids. */
export async function resolveNames(
  op: OperationDescription,
  typedInput: Fields,
  search: LookupSource,
): Promise<Fields> {
  const input = { ...typedInput }
  if (op.input.required?.includes('team_id') && input.team_id === undefined)
    input.team_id = await onlyTeam(search)
  for (const lookup of LOOKUPS.filter(({ operations: of = /^/ }) => of.test(op.name)))
    for (const field of lookup.fields) {
      const typed = input[field]
      const schema = op.input.properties[field]
      if (!schema || typed === undefined) continue
      if (lookup.thing === 'person' && takesText(schema)) continue
      const context = { ...search, input, field }
      const resolve = (value: unknown) =>
        typeof value === 'string' ? findId(lookup, value, context) : value
      input[field] = Array.isArray(typed)
        ? await Promise.all(typed.map(resolve))
        : await resolve(typed)
    }
  return input
}

/** Finds the id of a board by its id, key or title. */
export async function findBoardId(name: string, search: LookupSource): Promise<string> {
  if (/^\d+$/.test(name)) return name
  const lookup = LOOKUPS.find(({ thing }) => thing === 'board')!
  return String(await findId(lookup, name, { ...search, input: {}, field: 'project_id' }))
}

async function findId(lookup: Lookup, name: string, context: LookupContext): Promise<unknown> {
  const { thing, nameFields, id, list } = lookup
  // Lists of people may contain agents, who have no id of this kind.
  const rows = (await lookup.rows(context, name)).filter((row) => row[id] !== undefined)
  const matches = rows.filter((row) =>
    nameFields.some((fieldName) => normalize(row[fieldName]) === normalize(name)),
  )
  const ids = [...new Set(matches.map((row) => row[id]))]
  if (ids.length === 1) return ids[0]
  if (ids.length)
    throw new CommandError(
      `"${name}" is ambiguous: give the number of the ${thing}, ${ids.join(' or ')}`,
    )
  const names = [...new Set(rows.map((row) => row.title ?? row.name))]
  const options = names.length && names.length <= 12 ? `; available: ${names.join(', ')}` : ''
  throw new CommandError(
    `There is no ${thing} called "${name}" that you can see${options}. List them: cork ${list}`,
  )
}

async function onlyTeam(search: LookupSource): Promise<unknown> {
  const teams = await listAll(search, 'teams.list', {})
  if (teams.length === 1) return teams[0]!.team_id
  const names = teams.map(({ team_id, name }) => `${team_id} (${name})`).join(', ')
  throw new CommandError(
    teams.length
      ? `You are in several teams: choose one with --team, ${names}`
      : 'You are not in a team. Create one with "cork teams create <name>"',
  )
}
