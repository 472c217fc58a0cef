import type { World } from '../world.ts'

type Fields = Record<string, unknown>
export type Sample = (w: World) => Fields | Promise<Fields>

const logo = ({ tasks }: World) => ({ task_id: tasks.logo.task_id })
const onBoard = ({ board }: World) => ({ project_id: board.project_id })

async function versionOf(w: World, kind: 'playbook' | 'skill') {
  const { items } = await w.ada['guidance.versions']({ ...onBoard(w), kind })
  return { ...onBoard(w), version_id: items[0]!.version_id }
}

const hotView = async (w: World) => {
  const { items } = await w.ada['views.list'](onBoard(w))
  return { view_id: items.find(({ title }) => title === 'Hot')!.view_id }
}

const painter = async (w: World) => {
  const { items } = await w.ada['agents.list']({ team_id: w.team_id })
  return { agent_id: items.find(({ name }) => name === 'Painter')!.agent_id }
}

const pageOf = async (w: World, title: string, status: 'Normal' | 'Archive') => {
  const { items } = await w.ada['pages.list']({ ...logo(w), status })
  return { page_id: items.find((page) => page.title === title)!.page_id }
}

const runOf = async (w: World) => {
  const { run_id } = await w.ada['runs.create']({ ...logo(w), agent_id: w.bot.caller.agent_id! })
  await w.ada['runs.stop']({ run_id, reason: 'It is done' })
  return { run_id }
}

const FILE = { filename: 'a.txt', content_type: 'text/plain', data: 'SGk=' }
const expires_at = '2027-01-01T00:00:00.000Z'

/** The profile of an agent has fields that the profile of a person lacks. */
export const alsoByAgent = /^user_context\.(hello|get)$/

/** Further valid inputs on the full board, whose responses have fields that the samples' lack. */
export const moreSamples: Record<string, Sample[]> = {
  'agents.create': [
    (w) => ({
      ...{ team_id: w.team_id, name: 'Scribe', kind: 'native', instructions: 'Write' },
      project_ids: [w.board.project_id],
    }),
  ],
  'agents.get': [painter],
  'agents.update': [async (w) => ({ ...(await painter(w)), instructions: 'Write more' })],
  'access_tokens.create': [() => ({ name: 'phone', scopes: ['tasks:read'] })],
  'api_keys.create': [() => ({ name: 'phone', scopes: ['tasks:read'], expires_at })],
  'comments.add': [
    (w) => ({
      ...{ ...logo(w), text: 'See the file' },
      attachments: [FILE],
    }),
  ],
  'calendar_feeds.create': [(w) => ({ project_ids: [w.board.project_id] })],
  'comments.list': [logo],
  'custom_fields.create': [(w) => ({ ...onBoard(w), name: 'Stage', type: 'select' })],
  'decision_requests.list': [() => ({ status: 'answered' })],
  'drafts.publish': [
    async (w) => {
      const { items } = await w.ada['drafts.list']({ ...logo(w), draft_type: 'comment' })
      return { draft_id: items[0]!.draft_id }
    },
  ],
  'evidence.add': [
    async (w) => {
      const { items } = await w.ada['attachments.list'](logo(w))
      const { attachment_id } = items[0]!
      return { ...logo(w), kind: 'file', summary: 'The brief', attachment_id }
    },
  ],
  'guidance.version': [(w) => versionOf(w, 'playbook'), (w) => versionOf(w, 'skill')],
  'guidance.restore': [(w) => versionOf(w, 'skill')],
  'inbox.list': [
    (w) => ({ ...onBoard(w), composition: true }),
    async (w) => {
      const { items } = await w.ada['inbox.list']({})
      const [first, second] = items.map(({ notification_id }) => notification_id!)
      await w.ada['inbox.read']({ notification_ids: [first!] })
      await w.ada['inbox.archive']({ notification_ids: [second!] })
      return { archived: true }
    },
  ],
  'inbox.move_task': [(w) => ({ ...logo(w), agent_id: w.bot.caller.agent_id! })],
  'invitations.create': [
    (w) => ({ ...onBoard(w), team_id: w.team_id, email: 'v@example.com', role: 'guest' }),
  ],
  'leases.claim': [(w) => ({ task_id: w.tasks.copy.task_id, owner_id: 'desk' })],
  'messages.ack': [() => ({ ids: ['no such message'] })],
  'my_tasks.add': [
    (w) => ({ ...onBoard(w), title: 'Tea tomorrow #bug !high', natural: true, dry_run: true }),
  ],
  'my_tasks.list': [() => ({ include_done: true, include_snoozed: true })],
  'my_tasks.groups': [() => ({ grouping: 'board', include_snoozed: true })],
  'pages.get': [
    (w) => pageOf(w, 'Old', 'Archive'),
    async (w) => {
      const { items } = await w.ada['pages.list'](logo(w))
      return { page_id: items.find(({ parent_page_id }) => parent_page_id)!.page_id }
    },
    async (w) => {
      const content = '<!doctype html><title>Logo</title><p>Drawn.</p>'
      const page = { ...logo(w), content, canvas: true }
      return { page_id: (await w.ada['pages.create'](page)).page_id }
    },
  ],
  'pages.search': [() => ({ query: 'blue' })],
  'pages.versions': [(w) => pageOf(w, 'Colours', 'Normal')],
  'projects.board': [onBoard],
  'projects.invite_member': [(w) => ({ ...onBoard(w), member_identifier: w.cleo.caller.actor_id })],
  'projects.set_instructions': [(w) => ({ ...onBoard(w), custom_instruction: 'Be kind' })],
  'projects.set_playbook': [(w) => ({ ...onBoard(w), notes: 'Ask twice' })],
  'pull_requests.create': [
    (w) => ({ ...logo(w), url: 'https://github.com/acme/site/pull/9', title: 'Draw' }),
  ],
  'reports.get': [
    async (w) => {
      const { items } = await w.ada['reports.list'](onBoard(w))
      return { report_id: items.find(({ title }) => title === 'Weekly status')!.report_id }
    },
  ],
  'runs.get': [runOf],
  'search.related': [() => ({ text: 'Which colours are there, red or blue?' })],
  'search.tasks': [() => ({ query: 'is:done' })],
  'sections.get': [(w) => ({ ...onBoard(w), section_id: w.sections.Doing, include_tasks: true })],
  'sections.update': [(w) => ({ ...onBoard(w), section_id: w.sections.Doing, is_done: true })],
  'tasks.context': [(w) => ({ ...logo(w), summary: true })],
  'tasks.get': [(w) => ({ task_id: w.tasks.domain.task_id })],
  'tasks.versions': [
    async (w) => {
      await w.ada['tasks.update']({ ...logo(w), description: '<p>In one.</p>' })
      return logo(w)
    },
  ],
  'time.status': [
    async (w) => {
      const task_identifier = w.tasks.link.ticket_number
      const { state } = await w.ada['time.status']({ task_identifier })
      if (state === 'none') await w.ada['time.start']({ task_identifier })
      return { task_identifier }
    },
  ],
  'tasks.update': [(w) => ({ ...logo(w), section_id: w.sections.Done })],
  'views.list': [
    async (w) => {
      await w.ada['views.get'](await hotView(w))
      return onBoard(w)
    },
  ],
  'views.tasks': [
    hotView,
    async (w) => {
      const view = { ...onBoard(w), title: 'Nested', subtask_setting: 'Card' as const }
      return { view_id: (await w.ada['views.create'](view)).view_id }
    },
  ],
}
