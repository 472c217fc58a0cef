import { type TSchema, Type as t } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import { Failed } from './command.ts'
import { kindOf } from './fields.ts'
import { type Among, folded, LOOKUPS, type Lookup, listed, type Search } from './lookups.ts'
import type { Fields } from './request.ts'

const lookupOf = (field: string) => LOOKUPS.find(({ fields }) => fields.includes(field))

/** The schema of a field that also takes a name; others stay as they are. */
export function nameable(field: string, schema: TSchema): TSchema {
  const lookup = lookupOf(field)
  if (!lookup) return schema
  const { thing, called } = lookup
  const hint = thing.toUpperCase()
  const name = t.String({ maxLength: 200 })
  const open = (one: TSchema): TSchema => {
    if (one.type === 'array') return t.Array(t.Union([open(one.items)], { hint }))
    if (one.anyOf) return t.Union(one.anyOf.map(open))
    return one.type === 'integer' ? t.Union([one, name]) : one
  }
  const own = schema.description ?? `The number of a ${thing}`
  const list = kindOf(schema).type === 'list'
  return {
    ...open(schema),
    description: `${own}; a ${called[0] === 'key' ? 'key or title' : called[0]} will do`,
    ...(!list && { hint }),
  }
}

/** Whoever is in one team only need not say which. */
export const supplied = (field: string) => field === 'team_id'

/** Some who may be meant have no number, such as agents; there the server reads names itself. */
const takesText = ({ items = {} }: TSchema): boolean =>
  (items.anyOf ?? []).some(({ type }: TSchema) => type === 'string')

/** The input with numbers where names were typed. */
export async function settled(op: AnyOperation, typed: Fields, search: Search): Promise<Fields> {
  const input = { ...typed }
  if (op.input.required?.includes('team_id') && input.team_id === undefined)
    input.team_id = await onlyTeam(search)
  for (const lookup of LOOKUPS.filter(({ of = /^/ }) => of.test(op.name)))
    for (const field of lookup.fields) {
      const given = input[field]
      const schema = op.input.properties[field]
      if (!schema || given === undefined) continue
      if (lookup.thing === 'person' && takesText(schema)) continue
      const among = { ...search, input, field }
      const one = (value: unknown) =>
        typeof value === 'string' ? numberOf(lookup, value, among) : value
      input[field] = Array.isArray(given) ? await Promise.all(given.map(one)) : await one(given)
    }
  return input
}

/** The number of a board, by whatever it was called. */
export async function boardNamed(name: string, search: Search): Promise<string> {
  if (/^\d+$/.test(name)) return name
  const lookup = LOOKUPS.find(({ thing }) => thing === 'board')!
  return String(await numberOf(lookup, name, { ...search, input: {}, field: 'project_id' }))
}

async function numberOf(lookup: Lookup, name: string, among: Among): Promise<unknown> {
  const { thing, called, id, list } = lookup
  // Among people there are agents, who have no number of this kind.
  const rows = (await lookup.rows(among, name)).filter((row) => row[id] !== undefined)
  const found = rows.filter((row) => called.some((by) => folded(row[by]) === folded(name)))
  const ids = [...new Set(found.map((row) => row[id]))]
  if (ids.length === 1) return ids[0]
  if (ids.length)
    throw new Failed(
      `Several are called "${name}": say which ${thing} by its number, ${ids.join(' or ')}`,
    )
  const names = [...new Set(rows.map((row) => row.title ?? row.name))]
  const known = names.length && names.length <= 12 ? `; there is ${names.join(', ')}` : ''
  throw new Failed(
    `There is no ${thing} called "${name}" that you can see${known}. List them: cork ${list}`,
  )
}

async function onlyTeam(search: Search): Promise<unknown> {
  const teams = await listed(search, 'teams.list', {})
  if (teams.length === 1) return teams[0]!.team_id
  const names = teams.map(({ team_id, name }) => `${team_id} (${name})`).join(', ')
  throw new Failed(
    teams.length
      ? `You are in several teams: say which with --team, ${names}`
      : 'You are in no team. Make one with "cork teams create <name>"',
  )
}
