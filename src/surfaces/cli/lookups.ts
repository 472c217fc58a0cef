import type { AnyOperation } from '../../kernel/operation.ts'
import type { Client } from './client.ts'
import { Failed } from './command.ts'
import { rowsOf } from './listing.ts'
import { askOf, type Fields } from './request.ts'

type Row = Record<string, unknown>

/** Where a name is looked for. */
export interface Search {
  client: Client
  catalog: readonly AnyOperation[]
}

export interface Among extends Search {
  input: Fields
  field: string
}

/** Things that people call by a name and the server by a number. */
export interface Lookup {
  thing: string
  fields: readonly string[]
  /** The operations that mean it by them; all where it says none. */
  of?: RegExp
  /** What a row can be called. */
  called: readonly string[]
  id: string
  /** Where the numbers are to be seen. */
  list: string
  rows(among: Among, name: string): Promise<Row[]>
}

export const LOOKUPS: readonly Lookup[] = [
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
    fields: ['project_id', 'projectId', 'target_project_id', 'project_ids', 'default_board'],
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
    fields: ['user_id', 'user_ids', 'to_user_id', 'assignee_ids', 'created_by'],
    called: ['name', 'email'],
    id: 'user_id',
    list: 'teams members',
    rows: people,
  },
  {
    thing: 'agent',
    fields: ['agent_id'],
    called: ['name', 'agent_id'],
    id: 'agent_id',
    list: 'agents list',
    rows: agentsNamed,
  },
  {
    thing: 'view',
    fields: ['view_id'],
    of: /^my_/,
    called: ['title', 'view_id'],
    id: 'view_id',
    list: 'my views',
    rows: async (among, query) =>
      isUuid(query) ? [{ view_id: query }] : listed(among, 'my_views.list', { query }),
  },
  {
    thing: 'feed',
    fields: ['feed_id'],
    called: ['title', 'feed_id'],
    id: 'feed_id',
    list: 'calendar feeds',
    rows: async (among, query) =>
      isUuid(query) ? [{ feed_id: query }] : listed(among, 'calendar_feeds.list', { query }),
  },
  {
    thing: 'view',
    fields: ['view_id'],
    of: /^views\./,
    called: ['title', 'view_id'],
    id: 'view_id',
    list: 'views list',
    rows: async (among, query) =>
      isUuid(query) ? [{ view_id: query }] : listed(among, 'views.list', { query }),
  },
  {
    thing: 'lease',
    fields: ['lease_id'],
    called: ['ticket_number', 'lease_id'],
    id: 'lease_id',
    list: 'leases get <task>',
    rows: async ({ client, catalog }, query) => {
      if (isUuid(query)) return [{ lease_id: query }]
      const get = catalog.find(({ name }) => name === 'leases.get')!
      const { lease } = (await client.send(askOf(get, { task: query }))).data as {
        lease: Row | null
      }
      return lease?.lease_id ? [{ ticket_number: query, lease_id: lease.lease_id }] : []
    },
  },
  {
    thing: 'task',
    fields: ['parent_task_id', 'above_task_id', 'taskId'],
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

/** Of any team of one's own, switched off and archived ones too. */
async function agentsNamed(among: Among, name: string): Promise<Row[]> {
  if (isUuid(name) || name === 'self') return [{ name, agent_id: name }]
  const teams = await listed(among, 'teams.list', {})
  const each = teams.flatMap(({ team_id }) =>
    [{}, { state: 'archived' }].map((more) => listed(among, 'agents.list', { team_id, ...more })),
  )
  return (await Promise.all(each)).flat()
}

const isUuid = (text: string) => /^[0-9a-f-]{36}$/i.test(text)

async function ownNumber({ client, catalog }: Search): Promise<unknown> {
  const get = catalog.find(({ name }) => name === 'user_context.get')!
  const { data } = await client.send(askOf(get, {}))
  const { user_id } = (data as { profile: Row }).profile
  if (user_id === undefined) throw new Failed('This is the key of an agent, so "me" is no person')
  return user_id
}

export async function listed(
  { client, catalog }: Search,
  name: string,
  input: Fields,
): Promise<Row[]> {
  const op = catalog.find((one) => one.name === name)!
  return (await rowsOf(client, op, input, true)).data as Row[]
}

export const folded = (text: unknown) =>
  typeof text === 'string' ? text.normalize('NFC').trim().toLowerCase() : undefined
