import type { OperationDescription } from '../../kernel/operation.ts'
import type { Client } from './client.ts'
import { CommandError } from './command.ts'
import { fetchRows } from './fetch-rows.ts'
import { type Fields, requestFor } from './request.ts'

type Row = Record<string, unknown>

/** The server and the operations that names are looked up with. */
export interface LookupSource {
  client: Client
  catalog: readonly OperationDescription[]
}

export interface LookupContext extends LookupSource {
  input: Fields
  field: string
}

/** A kind of thing that people name, and whose id the server needs. */
export interface Lookup {
  thing: string
  fields: readonly string[]
  /** The operations in which the fields mean this thing; all, if it is missing. */
  operations?: RegExp
  /** The fields of a row that a name is compared with. */
  nameFields: readonly string[]
  id: string
  /** The command that lists the ids. */
  list: string
  rows(context: LookupContext, name: string): Promise<Row[]>
}

export const LOOKUPS: readonly Lookup[] = [
  {
    thing: 'team',
    fields: ['team_id'],
    nameFields: ['name', 'team_uuid'],
    id: 'team_id',
    list: 'teams list',
    rows: (context) => listAll(context, 'teams.list', {}),
  },
  {
    thing: 'board',
    fields: ['project_id', 'projectId', 'target_project_id', 'project_ids', 'default_board'],
    nameFields: ['key', 'title'],
    id: 'project_id',
    list: 'projects list',
    rows: async (context, query) => [
      ...(await listAll(context, 'projects.list', { query })),
      ...(await listAll(context, 'projects.list', { query, status: 'Archive' })),
    ],
  },
  {
    thing: 'column',
    fields: [
      'section_id',
      'target_section_id',
      'after_section_id',
      'move_after_section_id',
      'move_tasks_to_section_id',
    ],
    nameFields: ['title'],
    id: 'section_id',
    list: 'sections list <project_id>',
    rows: async (context) => {
      const project_id = await boardIdOf(context)
      return listAll(context, 'sections.list', { project_id, include_hidden: true })
    },
  },
  {
    thing: 'label',
    fields: ['label_id'],
    nameFields: ['name'],
    id: 'label_id',
    list: 'labels list <project_id>',
    rows: async (context) =>
      listAll(context, 'labels.list', { project_id: await boardIdOf(context) }),
  },
  {
    thing: 'field',
    fields: ['field_id'],
    nameFields: ['name', 'field_id'],
    id: 'field_id',
    list: 'fields list <project_id>',
    rows: async (context) =>
      listAll(context, 'custom_fields.list', { project_id: await boardIdOf(context) }),
  },
  {
    thing: 'receiver',
    fields: ['receiver_id'],
    nameFields: ['host', 'receiver_id'],
    id: 'receiver_id',
    list: 'receivers list <project_id>',
    rows: async (context) =>
      listAll(context, 'pull_request_receivers.list', { project_id: await boardIdOf(context) }),
  },
  {
    thing: 'person',
    fields: ['user_id', 'user_ids', 'to_user_id', 'assignee_ids', 'created_by'],
    nameFields: ['name', 'email'],
    id: 'user_id',
    list: 'teams members',
    rows: findPeople,
  },
  {
    thing: 'agent',
    fields: ['agent_id'],
    nameFields: ['name', 'agent_id'],
    id: 'agent_id',
    list: 'agents list',
    rows: findAgents,
  },
  {
    thing: 'view',
    fields: ['view_id'],
    operations: /^my_/,
    nameFields: ['title', 'view_id'],
    id: 'view_id',
    list: 'my views',
    rows: async (context, query) =>
      isUuid(query) ? [{ view_id: query }] : listAll(context, 'my_views.list', { query }),
  },
  {
    thing: 'feed',
    fields: ['feed_id'],
    nameFields: ['title', 'feed_id'],
    id: 'feed_id',
    list: 'calendar feeds',
    rows: async (context, query) =>
      isUuid(query) ? [{ feed_id: query }] : listAll(context, 'calendar_feeds.list', { query }),
  },
  {
    thing: 'view',
    fields: ['view_id'],
    operations: /^views\./,
    nameFields: ['title', 'view_id'],
    id: 'view_id',
    list: 'views list',
    rows: async (context, query) =>
      isUuid(query) ? [{ view_id: query }] : listAll(context, 'views.list', { query }),
  },
  {
    thing: 'lease',
    fields: ['lease_id'],
    nameFields: ['ticket_number', 'lease_id'],
    id: 'lease_id',
    list: 'leases get <task>',
    rows: async ({ client, catalog }, query) => {
      if (isUuid(query)) return [{ lease_id: query }]
      const get = catalog.find(({ name }) => name === 'leases.get')!
      const { lease } = (await client.send(requestFor(get, { task: query }))).data as {
        lease: Row | null
      }
      return lease?.lease_id ? [{ ticket_number: query, lease_id: lease.lease_id }] : []
    },
  },
  {
    thing: 'task',
    fields: ['parent_task_id', 'above_task_id', 'taskId'],
    nameFields: ['ticket_number'],
    id: 'task_id',
    list: 'tasks list',
    rows: async ({ client, catalog }, task) => {
      const get = catalog.find(({ name }) => name === 'tasks.get')!
      const { task_id } = (await client.send(requestFor(get, { task }))).data as Row
      // The row gets the requested key, because the task may have another one by now.
      return [{ task_id, ticket_number: task }]
    },
  },
]

/** The board that the other fields of the input name: the target board, or the one of the task. */
async function boardIdOf({ input, field, ...search }: LookupContext): Promise<unknown> {
  const projectId = field === 'target_section_id' ? input.target_project_id : input.project_id
  if (projectId !== undefined) return projectId
  if (input.task === undefined)
    throw new CommandError('To name a column by its title, give its board with --project')
  const get = search.catalog.find(({ name }) => name === 'tasks.get')!
  const { data } = await search.client.send(requestFor(get, { task: input.task }))
  return (data as Row).project_id
}

/** The people to choose from: members of the board, of the team, or of all teams of the caller. */
async function findPeople(context: LookupContext, name: string): Promise<Row[]> {
  if (name === 'me') return [{ name, user_id: await ownUserId(context) }]
  const { input } = context
  if (input.team_id !== undefined)
    return listAll(context, 'teams.members', { team_id: input.team_id })
  if (input.project_id !== undefined || input.task !== undefined)
    return listAll(context, 'projects.members', { project_id: await boardIdOf(context) })
  const teams = await listAll(context, 'teams.list', {})
  const requests = teams.map(({ team_id }) => listAll(context, 'teams.members', { team_id }))
  return (await Promise.all(requests)).flat()
}

/** The agents in all teams of the caller, including inactive and archived ones. */
async function findAgents(context: LookupContext, name: string): Promise<Row[]> {
  if (isUuid(name) || name === 'self') return [{ name, agent_id: name }]
  const teams = await listAll(context, 'teams.list', {})
  const requests = teams.flatMap(({ team_id }) =>
    [{}, { state: 'archived' }].map((filter) =>
      listAll(context, 'agents.list', { team_id, ...filter }),
    ),
  )
  return (await Promise.all(requests)).flat()
}

const isUuid = (text: string) => /^[0-9a-f-]{36}$/i.test(text)

async function ownUserId({ client, catalog }: LookupSource): Promise<unknown> {
  const get = catalog.find(({ name }) => name === 'user_context.get')!
  const { data } = await client.send(requestFor(get, {}))
  const { user_id } = (data as { profile: Row }).profile
  if (user_id === undefined)
    throw new CommandError('This key belongs to an agent, so "me" is not a person')
  return user_id
}

export async function listAll(
  { client, catalog }: LookupSource,
  name: string,
  input: Fields,
): Promise<Row[]> {
  const op = catalog.find((operation) => operation.name === name)!
  return (await fetchRows(client, op, input, true)).data as Row[]
}

export const normalize = (text: unknown) =>
  typeof text === 'string' ? text.normalize('NFC').trim().toLowerCase() : undefined
