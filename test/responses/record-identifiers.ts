import type { Actor, World } from '../support/world.ts'

const KINDS = [
  ...([
    'project',
    'section',
    'label',
    'task',
    'ticket',
    'comment',
    'page',
    'page version',
  ] as const),
  ...(['description version', 'guidance version', 'draft', 'view', 'my view', 'feed'] as const),
  'channel',
  ...(['notification', 'time entry', 'attachment', 'field', 'option', 'decision'] as const),
  ...(['evidence', 'escalation', 'run', 'skill', 'pull request', 'receiver', 'report'] as const),
  ...(['thread', 'delivery', 'team', 'import', 'invitation', 'API key'] as const),
  ...(['access token', 'template', 'lease', 'agent', 'person', 'name'] as const),
] as const
export type Kind = (typeof KINDS)[number]
/** An identifier of a record of each kind: a number, a key or a UUID. */
export type Identifiers = Record<Kind, number | string>

const UUID = '00000000-0000-7000-8000-000000000000'

/** Identifiers that no record has. */
export const unknownIdentifiers: Identifiers = {
  ...(Object.fromEntries(KINDS.map((kind) => [kind, 987_654])) as Identifiers),
  ...{ ticket: 'ZZZ-987', view: UUID, 'my view': UUID, feed: UUID, field: UUID, option: UUID },
  ...{ receiver: UUID, delivery: UUID, lease: UUID, agent: UUID, name: 'Nobody At All' },
}

/** Identifiers of records of the other team, none of which the first team may see. */
export async function foreignIdentifiers(w: World): Promise<Identifiers> {
  const { otto, otherTeamId } = w
  const { items: boards } = await otto['projects.list']({})
  const { project_id } = boards[0]!
  const { items: tasks } = await otto['tasks.list']({ project_id, limit: 50 })
  const { task_id, ticket_number } = tasks.find(({ title }) => title === 'Draw the logo')!
  const { items: members } = await otto['projects.members']({ project_id })
  const agent_id = members.find(({ name }) => name === 'Robot')!.agent_id!
  const otherTeam = { project_id, task_id, ticket_number, agent_id, team_id: otherTeamId }
  return {
    ...{ project: project_id, task: task_id, ticket: ticket_number, team: otherTeamId },
    ...{ agent: agent_id, person: otto.caller.actor_id, name: 'Paul' },
    ...(await boardIdentifiers(otto, otherTeam)),
    ...(await taskIdentifiers(otto, otherTeam)),
    ...(await personalIdentifiers(otto, otherTeam)),
  }
}

interface OtherTeam {
  project_id: number
  task_id: number
  ticket_number: string
  agent_id: string
  team_id: number
}

const first = async <T>(list: Promise<{ items: T[] }>): Promise<T> => (await list).items[0]!

async function boardIdentifiers(otto: Actor, { project_id, agent_id }: OtherTeam) {
  const board = { project_id }
  const { items: fields } = await otto['custom_fields.list'](board)
  const select = fields.find(({ type }) => type === 'select')!
  const { delivery_id } = await first(otto['webhooks.deliveries']({ agent_id }))
  return {
    section: (await first(otto['sections.list'](board))).section_id,
    label: (await first(otto['labels.list'](board))).label_id,
    'guidance version': (await first(otto['guidance.versions'](board))).version_id,
    view: (await first(otto['views.list'](board))).view_id,
    field: select.field_id,
    option: select.options[0]!.option_id,
    skill: (await first(otto['skills.list'](board))).skill_id,
    receiver: (await first(otto['pull_request_receivers.list'](board))).receiver_id,
    report: (await first(otto['reports.list'](board))).report_id,
    template: (await first(otto['templates.list']({ projectId: project_id }))).template_id,
    delivery: delivery_id,
  }
}

async function taskIdentifiers(otto: Actor, { task_id, ticket_number }: OtherTeam) {
  const task = { task_id }
  const { page_id } = await first(otto['pages.list'](task))
  const { lease_id } = await otto['leases.claim'](task)
  return {
    comment: (await first(otto['comments.list'](task))).comment_id!,
    page: page_id,
    'page version': (await first(otto['pages.versions']({ page_id }))).version_id,
    'description version': (await first(otto['tasks.versions'](task))).version_id,
    draft: (await first(otto['drafts.list'](task))).draft_id,
    'time entry': (await first(otto['time.list']({ task_identifier: ticket_number }))).entry_id,
    attachment: (await first(otto['attachments.list'](task))).attachment_id,
    decision: (await first(otto['decision_requests.list'](task))).decision_request_id,
    evidence: (await first(otto['evidence.list'](task))).evidence_id,
    escalation: (await first(otto['escalations.list'](task))).escalation_id,
    run: (await first(otto['runs.list'](task))).run_id,
    'pull request': (await first(otto['pull_requests.list'](task))).pull_request_id,
    lease: lease_id,
  }
}

async function personalIdentifiers(otto: Actor, { team_id }: OtherTeam) {
  const origin = { id: 'elsewhere', title: 'Elsewhere' }
  const { import_id } = await otto['imports.start']({ team_id, source: 'trello', origin })
  const ntfy = { kind: 'ntfy', url: 'https://ntfy.sh', topic: 'otto' } as const
  return {
    channel: (await otto['channels.create'](ntfy)).channel_id,
    thread: (await first(otto['chat.threads']({}))).thread_id,
    'my view': (await first(otto['my_views.list']({}))).view_id,
    feed: (await first(otto['calendar_feeds.list']({}))).feed_id,
    notification: (await first(otto['inbox.list']({}))).notification_id!,
    import: import_id,
    invitation: (await first(otto['invitations.list']({ team_id }))).invitation_id,
    'API key': (await first(otto['api_keys.list']({}))).api_key_id,
    'access token': (await first(otto['access_tokens.list']({}))).access_token_id,
  }
}
