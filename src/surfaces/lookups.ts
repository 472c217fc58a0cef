import type { TSchema } from '@sinclair/typebox'

export type Row = Record<string, unknown>
type Fields = Record<string, unknown>

/** Reads with the permissions of the caller. */
export interface LookupSource {
  /** All rows of a list. */
  list(operation: string, input: Fields): Promise<Row[]>
  /** One record. `task` in the input is a key or an id. */
  find(operation: string, input: Fields): Promise<Row>
}

export interface LookupContext {
  source: LookupSource
  /** The other fields. `task` is the key or the id of the task that they address. */
  input: Fields
  field: string
}

/** Why a name cannot be looked up, apart from the answer of the server. */
export class LookupError extends Error {
  constructor(readonly reason: 'needs_board' | 'is_agent') {
    super(reason)
  }
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
    rows: ({ source }) => source.list('teams.list', {}),
  },
  {
    thing: 'board',
    fields: ['project_id', 'projectId', 'target_project_id', 'project_ids', 'default_board'],
    nameFields: ['key', 'title'],
    id: 'project_id',
    list: 'projects list',
    rows: async ({ source }, query) => [
      ...(await source.list('projects.list', { query })),
      ...(await source.list('projects.list', { query, status: 'Archive' })),
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
      return context.source.list('sections.list', { project_id, include_hidden: true })
    },
  },
  {
    thing: 'label',
    fields: ['label_id'],
    nameFields: ['name'],
    id: 'label_id',
    list: 'labels list <project_id>',
    rows: async (context) =>
      context.source.list('labels.list', { project_id: await boardIdOf(context) }),
  },
  {
    thing: 'field',
    fields: ['field_id'],
    nameFields: ['name', 'field_id'],
    id: 'field_id',
    list: 'fields list <project_id>',
    rows: async (context) =>
      context.source.list('custom_fields.list', { project_id: await boardIdOf(context) }),
  },
  {
    thing: 'receiver',
    fields: ['receiver_id'],
    nameFields: ['host', 'receiver_id'],
    id: 'receiver_id',
    list: 'receivers list <project_id>',
    rows: async (context) =>
      context.source.list('pull_request_receivers.list', { project_id: await boardIdOf(context) }),
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
    rows: async ({ source }, query) =>
      isUuid(query) ? [{ view_id: query }] : source.list('my_views.list', { query }),
  },
  {
    thing: 'feed',
    fields: ['feed_id'],
    nameFields: ['title', 'feed_id'],
    id: 'feed_id',
    list: 'calendar feeds',
    rows: async ({ source }, query) =>
      isUuid(query) ? [{ feed_id: query }] : source.list('calendar_feeds.list', { query }),
  },
  {
    thing: 'view',
    fields: ['view_id'],
    operations: /^views\./,
    nameFields: ['title', 'view_id'],
    id: 'view_id',
    list: 'views list',
    rows: async ({ source }, query) =>
      isUuid(query) ? [{ view_id: query }] : source.list('views.list', { query }),
  },
  {
    thing: 'lease',
    fields: ['lease_id'],
    nameFields: ['ticket_number', 'lease_id'],
    id: 'lease_id',
    list: 'leases get <task>',
    rows: async ({ source }, query) => {
      if (isUuid(query)) return [{ lease_id: query }]
      const { lease } = (await source.find('leases.get', { task: query })) as { lease: Row | null }
      return lease?.lease_id ? [{ ticket_number: query, lease_id: lease.lease_id }] : []
    },
  },
  {
    thing: 'task',
    fields: ['parent_task_id', 'above_task_id', 'taskId'],
    nameFields: ['ticket_number'],
    id: 'task_id',
    list: 'tasks list',
    rows: async ({ source }, task) => {
      const { task_id } = await source.find('tasks.get', { task })
      // The row gets the requested key, because the task may have another one by now.
      return [{ task_id, ticket_number: task }]
    },
  },
]

/** The rows that have this name, and all rows to choose from. */
export async function lookUp(lookup: Lookup, name: string, context: LookupContext) {
  const { nameFields, id } = lookup
  // Lists of people may contain agents, who have no id of this kind.
  const rows = (await lookup.rows(context, name)).filter((row) => row[id] !== undefined)
  const matches = rows.filter((row) =>
    nameFields.some((field) => normalize(row[field]) === normalize(name)),
  )
  return { rows, matches: [...new Map(matches.map((row) => [row[id], row])).values()] }
}

/** Whether the server resolves names in a list itself, as where agents are allowed too. */
export const takesText = ({ items = {} }: TSchema): boolean =>
  (items.anyOf ?? []).some(({ type }: TSchema) => type === 'string')

/** The board that the other fields name: the target board, or the one of the rule or the task. */
async function boardIdOf({ source, input, field }: LookupContext): Promise<unknown> {
  const projectId = field === 'target_section_id' ? input.target_project_id : input.project_id
  if (projectId !== undefined) return projectId
  if (input.rule_id !== undefined)
    return (await source.find('rules.get', { rule_id: input.rule_id })).project_id
  if (input.task === undefined) throw new LookupError('needs_board')
  return (await source.find('tasks.get', { task: input.task })).project_id
}

/** The people to choose from: members of the board, of the team, or of all teams of the caller. */
async function findPeople(context: LookupContext, name: string): Promise<Row[]> {
  const { source, input } = context
  if (name === 'me') return [{ name, user_id: await ownUserId(source) }]
  if (input.team_id !== undefined) return source.list('teams.members', { team_id: input.team_id })
  if (input.project_id !== undefined || input.task !== undefined)
    return source.list('projects.members', { project_id: await boardIdOf(context) })
  const teams = await source.list('teams.list', {})
  const requests = teams.map(({ team_id }) => source.list('teams.members', { team_id }))
  return (await Promise.all(requests)).flat()
}

/** The agents in all teams of the caller, including inactive and archived ones. */
async function findAgents({ source }: LookupContext, name: string): Promise<Row[]> {
  if (isUuid(name) || name === 'self') return [{ name, agent_id: name }]
  const teams = await source.list('teams.list', {})
  const requests = teams.flatMap(({ team_id }) =>
    [{}, { state: 'archived' }].map((filter) => source.list('agents.list', { team_id, ...filter })),
  )
  return (await Promise.all(requests)).flat()
}

const isUuid = (text: string) => /^[0-9a-f-]{36}$/i.test(text)

async function ownUserId(source: LookupSource): Promise<unknown> {
  const { profile } = (await source.find('user_context.get', {})) as { profile: Row }
  if (profile.user_id === undefined) throw new LookupError('is_agent')
  return profile.user_id
}

const normalize = (text: unknown) =>
  typeof text === 'string' ? text.normalize('NFC').trim().toLowerCase() : undefined
