import { type TSchema, Type as t } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Client } from './client.ts'
import { Failed } from './command.ts'
import { kindOf } from './fields.ts'
import { rowsOf } from './listing.ts'
import { askOf, type Fields } from './request.ts'

type Row = Record<string, unknown>

/** Where a name is looked for. */
export interface Search {
  client: Client
  catalog: readonly AnyOperation[]
}

interface Among extends Search {
  input: Fields
  field: string
}

/** Things that people call by a name and the server by a number. */
interface Lookup {
  thing: string
  fields: readonly string[]
  /** What a row can be called. */
  called: readonly string[]
  id: string
  /** Where the numbers are to be seen. */
  list: string
  rows(among: Among, name: string): Promise<Row[]>
}

const LOOKUPS: readonly Lookup[] = [
  {
    thing: 'team',
    fields: ['team_id'],
    called: ['name', 'team_uuid'],
    id: 'team_id',
    list: 'teams list',
    rows: (among) => listed(among, 'teams.list', {}),
  },
  {
    thing: 'board',
    fields: ['project_id', 'target_project_id', 'project_ids', 'default_board'],
    called: ['key', 'title'],
    id: 'project_id',
    list: 'projects list',
    rows: async (among, query) => [
      ...(await listed(among, 'projects.list', { query })),
      ...(await listed(among, 'projects.list', { query, status: 'Archive' })),
    ],
  },
  {
    thing: 'column',
    fields: [
      ...['section_id', 'target_section_id', 'after_section_id', 'move_after_section_id'],
      'move_tasks_to_section_id',
    ],
    called: ['title'],
    id: 'section_id',
    list: 'sections list <project_id>',
    rows: async (among) => {
      const project_id = await boardOf(among)
      return listed(among, 'sections.list', { project_id, include_hidden: true })
    },
  },
  {
    thing: 'label',
    fields: ['label_id'],
    called: ['name'],
    id: 'label_id',
    list: 'labels list <project_id>',
    rows: async (among) => listed(among, 'labels.list', { project_id: await boardOf(among) }),
  },
  {
    thing: 'field',
    fields: ['field_id'],
    called: ['name', 'field_id'],
    id: 'field_id',
    list: 'fields list <project_id>',
    rows: async (among) =>
      listed(among, 'custom_fields.list', { project_id: await boardOf(among) }),
  },
  {
    thing: 'receiver',
    fields: ['receiver_id'],
    called: ['host', 'receiver_id'],
    id: 'receiver_id',
    list: 'receivers list <project_id>',
    rows: async (among) =>
      listed(among, 'pull_request_receivers.list', { project_id: await boardOf(among) }),
  },
  {
    thing: 'person',
    fields: ['user_id', 'user_ids', 'assignee_ids', 'created_by'],
    called: ['name', 'email'],
    id: 'user_id',
    list: 'teams members',
    rows: people,
  },
  {
    thing: 'view',
    fields: ['view_id'],
    called: ['title', 'view_id'],
    id: 'view_id',
    list: 'views list',
    rows: async (among, query) =>
      /^[0-9a-f-]{36}$/i.test(query)
        ? [{ view_id: query }]
        : listed(among, 'views.list', { query }),
  },
  {
    thing: 'task',
    fields: ['parent_task_id'],
    called: ['ticket_number'],
    id: 'task_id',
    list: 'tasks list',
    rows: async ({ client, catalog }, task) => {
      const get = catalog.find(({ name }) => name === 'tasks.get')!
      const { task_id } = (await client.send(askOf(get, { task }))).data as Row
      // It may have another key by now than the one it is asked for by.
      return [{ task_id, ticket_number: task }]
    },
  },
]

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
  for (const lookup of LOOKUPS)
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

/** The board that the other fields mean: the one a task goes to, is on, or none. */
async function boardOf({ input, field, ...search }: Among): Promise<unknown> {
  const named = field === 'target_section_id' ? input.target_project_id : input.project_id
  if (named !== undefined) return named
  if (input.task === undefined)
    throw new Failed('A column is only known by its title on a board: say which with --project')
  const get = search.catalog.find(({ name }) => name === 'tasks.get')!
  const { data } = await search.client.send(askOf(get, { task: input.task }))
  return (data as Row).project_id
}

/** Those who can be meant here: on the board, in the team, or in any team of one's own. */
async function people(among: Among, name: string): Promise<Row[]> {
  if (name === 'me') return [{ name, user_id: await ownNumber(among) }]
  const { input } = among
  if (input.team_id !== undefined) return listed(among, 'teams.members', { team_id: input.team_id })
  if (input.project_id !== undefined || input.task !== undefined)
    return listed(among, 'projects.members', { project_id: await boardOf(among) })
  const teams = await listed(among, 'teams.list', {})
  const each = teams.map(({ team_id }) => listed(among, 'teams.members', { team_id }))
  return (await Promise.all(each)).flat()
}

async function ownNumber({ client, catalog }: Search): Promise<unknown> {
  const get = catalog.find(({ name }) => name === 'user_context.get')!
  const { data } = await client.send(askOf(get, {}))
  const { user_id } = (data as { profile: Row }).profile
  if (user_id === undefined) throw new Failed('This is the key of an agent, so "me" is no person')
  return user_id
}

async function listed({ client, catalog }: Search, name: string, input: Fields): Promise<Row[]> {
  const op = catalog.find((one) => one.name === name)!
  return (await rowsOf(client, op, input, true)).data as Row[]
}

const folded = (text: unknown) =>
  typeof text === 'string' ? text.normalize('NFC').trim().toLowerCase() : undefined
