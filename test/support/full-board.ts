import type { Fixtures } from './fixtures.ts'
import { waitForFollowers } from './followers.ts'
import type { Actor, World } from './world.ts'

type Server = Pick<World, 'store' | 'config'>
interface Cast extends Fixtures {
  ada: Actor
  ben: Actor
  cleo: Actor
  gus: Actor
  bot: Actor
  team_id: number
}

const DAY = '2026-11-20'
const fileInput = (filename: string) => ({
  files: [{ filename, content_type: 'text/plain', data: 'SGk=' }],
})

/**
 * Sets as many fields as possible of the board and its people, so that checks of responses find
 * values instead of nulls and empty lists.
 */
export async function fillWorld(server: Server, cast: Cast): Promise<void> {
  await fillBoard(cast)
  await fillTask(cast)
  await addRelations(cast)
  await addDiscussion(cast)
  await addReports(cast)
  await addWork(cast)
  await addViews(cast)
  await fillAccounts(cast)
  await addWebhook(server, cast)
  await waitForFollowers(server)
}

async function fillBoard({ ada, cleo, board: { project_id }, sections }: Cast) {
  const set = { project_id, description: 'The page that visitors see first', auto_archive_days: 90 }
  await ada['projects.update'](set)
  await ada['projects.set_limits']({ project_id, budget_usd: 500 })
  await ada['projects.set_playbook']({
    ...{ project_id, working_rules: 'Small steps', definition_of_done: ['It is printed'] },
    ...{ notes: 'Ask first', model_selected: 'any' },
  })
  await ada['projects.set_instructions']({ project_id, custom_instruction: 'Be brief' })
  await ada['sections.update']({
    ...{ project_id, section_id: sections.Doing, wip_limit: 3, color: '#2a8244' },
    auto_assign: cleo.caller.actor_id,
  })
  await ada['sections.create']({ project_id, title: 'Icebox', hidden: true, role: 'intake' })
  for (const [type, name] of Object.entries(FIELDS))
    await ada['custom_fields.create']({
      ...{ project_id, name, type: type as 'text' },
      ...(type === 'select' && { options: [{ label: 'Draft' }, { label: 'Final' }] }),
    })
}

const FIELDS = {
  ...{ number: 'Weight', text: 'Client', select: 'Phase', date: 'Review on' },
  ...{ checkbox: 'Approved', url: 'Source' },
}
const VALUES = {
  ...{ Weight: 5, Client: 'Acme', Phase: 'Draft', 'Review on': '2026-12-01' },
  ...{ Approved: true, Source: 'https://example.com/brief' },
}

async function fillTask({ ada, tasks, board: { project_id } }: Cast) {
  const { task_id } = tasks.logo
  const parent = await ada['tasks.create']({ project_id, title: 'Renew the brand' })
  await ada['tasks.update']({
    ...{ task_id, parent_task_id: parent.task_id, start_date: '2026-11-21T09:00:00.000Z' },
    recurrence: 'Weekly',
  })
  await ada['tasks.create']({
    ...{ project_id, title: 'Sketch', parent_task_id: task_id, due_date: DAY, labels: ['bug'] },
  })
  await ada['tasks.snooze']({ task_id, until: '2026-11-24' })
  for (const [field_name, value] of Object.entries(VALUES))
    await ada['custom_fields.set']({ task_id, field_name, value })
}

async function addRelations({ ada, tasks, board: { project_id } }: Cast) {
  const source_task_id = tasks.logo.task_id
  for (const relation_type of ['BlockedBy', 'BlockedTo', 'RelatedTo'] as const) {
    const title = `A neighbour (${relation_type})`
    const { task_id } = await ada['tasks.create']({ project_id, title })
    await ada['relations.create']({ source_task_id, target_task_id: task_id, relation_type })
  }
  await ada['pull_requests.create']({
    ...{ task_id: source_task_id, url: 'https://github.com/acme/site/pull/7' },
    ...{ title: 'Draw it', state: 'open', checks: 'failing' },
  })
  await ada['attachments.create']({ task_id: source_task_id, ...fileInput('brief.txt') })
}

async function addDiscussion({ ada, ben, bot, cleo, tasks }: Cast) {
  const { task_id } = tasks.logo
  const first = await ada['comments.add']({
    ...{ task_id, text: '<p>@Ben, in blue?</p>', attachments: fileInput('blue.txt').files },
    mentions: [{ user_id: ben.caller.actor_id, display_name: 'Ben' }],
  })
  const { comment_id } = first
  await ada['comments.update']({ comment_id, text: '<p>@Ben, in light blue?</p>' })
  await bot['comments.add']({ task_id, text: 'Yes', reply_to_comment_id: comment_id })
  for (const actor of [ada, bot]) await actor['comments.react']({ comment_id, emoji: '🎉' })
  const page = await ada['pages.create']({
    task_id,
    title: 'Colours',
    content: '# Colours\n\nRed.',
  })
  const { page_id } = page
  await bot['pages.update']({ page_id, content: 'Or blue.', mode: 'append', note: 'Adds blue' })
  await ada['pages.create']({ task_id, content: 'Beneath.', parent_page_id: page_id })
  const old = await ada['pages.create']({ task_id, title: 'Old', content: 'Grey.' })
  await ada['pages.archive']({ page_id: old.page_id })
  await ada['drafts.create']({ task_id, text: 'Perhaps green', draft_type: 'comment' })
  const request = await bot['decision_requests.create']({
    ...{ task_id, question: 'Which blue?', options: ['Light', 'Dark'], note: 'For print' },
    user_ids: [cleo.caller.actor_id],
  })
  const { decision_request_id } = request
  await cleo['decision_requests.answer']({
    ...{ decision_request_id, selected_option: 'Dark', note: 'It lasts' },
  })
  const open = { task_id, question: 'Which red?', options: ['Light', 'Dark'] }
  await bot['decision_requests.create'](open)
}

async function addReports({ ada, ben, bot, tasks, board: { project_id } }: Cast) {
  const { task_id } = tasks.logo
  const { attachments } = await bot['attachments.create']({ task_id, ...fileInput('log.txt') })
  const { attachment_id } = attachments[0]!
  const url = 'https://ci.example.com/build/12'
  await bot['evidence.add']({ task_id, kind: 'link', summary: 'The build is green', url })
  await bot['evidence.add']({ task_id, kind: 'file', summary: 'The log', attachment_id })
  const reasons = ['The key has expired', 'The printer is offline']
  for (const [at, reason] of reasons.entries()) {
    const to_user_id = ben.caller.actor_id
    const escalation = await bot['escalations.create']({ task_id, reason, to_user_id })
    const { escalation_id } = escalation
    if (at) await ben['escalations.resolve']({ task_id, escalation_id, note: 'Switched it on' })
  }
  const body_html = '<p>All is well.</p>'
  const described = { description: 'Each week', body_html }
  await ada['reports.create']({ project_id, title: 'Weekly status', ...described })
}

async function addWork({ ada, bot, tasks }: Cast) {
  const { task_id, ticket_number } = tasks.logo
  const entry = { task_identifier: ticket_number, minutes: 45, date: DAY, note: 'First sketch' }
  for (const actor of [ada, bot]) await actor['time.log'](entry)
  await bot['time.start']({ task_identifier: tasks.copy.ticket_number })
  const run = await bot['runs.create']({ task_id, prompt: 'Draw it' })
  const { run_id } = run
  await bot['runs.append']({
    ...{ run_id, entries: [{ kind: 'action', text: 'Opened the file', at: `${DAY}T11:00:00Z` }] },
  })
  await bot['runs.update']({
    ...{ run_id, state: 'done', summary: 'Drawn in blue' },
    ...{ input_tokens: 12_000, output_tokens: 900, cost_usd: 0.25 },
  })
  await ada['leases.claim']({ task_id })
}

/** Every field of it, although no layout uses all of them. */
const DISPLAY = {
  columns: [{ field: 'title', width: 320 }],
  sorting: [{ mode: 'Section', order: 'Ascending' as const }],
  color: 'priority' as const,
  ...{ group: 'assignee', subgroup: 'priority', collapsed: ['assignee:none'] },
  totals: [{ field: 'size', kind: 'average' as const }],
}

async function addViews({ ada, tasks, board: { project_id }, sections }: Cast) {
  const groups = [{ rules: [{ field: 'priority', op: 'is' as const, value: 'High' }] }]
  const sorting_stack = [{ mode: 'DueDate', order: 'Descending' as const }, { mode: 'Title' }]
  const shared = { board_filters: { groups }, sorting_stack }
  const { view_id } = await ada['views.create']({
    ...{ project_id, title: 'Hot', visibility: 'Public', set_as_default: true },
    ...{ visible_section_ids: [sections.Doing], subtask_setting: 'Flattened', ...shared },
  })
  await ada['views.set_display']({ view_id, display: DISPLAY })
  await ada['my_views.create']({
    ...{ title: 'Mine', grouping: 'board', project_ids: [project_id], show_done: true, ...shared },
    ...{ hidden_section_ids: [sections.Done], default_project_id: project_id },
  })
  await ada['calendar_feeds.create']({ title: 'Work', what: 'all', project_ids: [project_id] })
  await ada['templates.create']({ taskId: tasks.logo.task_id, includeSubtasks: true })
  await ada['skills.create']({
    ...{ name: 'Tidy', description: 'Sorts new logos', body: 'Look at each task.' },
    ...{ argument_hint: 'a column', scope: 'project', project_id },
  })
  await ada['pull_request_receivers.create']({ project_id, host: 'github' })
}

async function fillAccounts({ ada, ben, cleo, gus, bot, team_id, board, tasks }: Cast) {
  const { project_id } = board
  await ada['user_context.update_profile']({
    ...{ default_board: project_id, avatar: 'https://example.com/ada.png', locale: 'en-GB' },
  })
  await ada['invitations.create']({ team_id, email: 'z@example.com', role: 'guest', project_id })
  const member_identifier = gus.caller.actor_id
  await ada['projects.invite_member']({ project_id, member_identifier })
  const expires_at = '2027-01-01T00:00:00.000Z'
  await ada['api_keys.create']({ name: 'laptop', scopes: ['tasks:read'], expires_at })
  await ada['access_tokens.create']({ name: 'editor' })
  const painter = await cleo['agents.create']({
    ...{
      team_id,
      name: 'Painter',
      kind: 'native',
      instructions: 'Paint',
      project_ids: [project_id],
    },
  })
  await cleo['agents.update']({ agent_id: painter.agent_id, budget_usd: 20, paused: true })
  const agent_id = bot.caller.agent_id!
  await ada['tasks.assign']({ task_id: tasks.copy.task_id, agent_id })
  const user_id = ada.caller.actor_id
  for (const { task_id } of [tasks.logo, tasks.link, tasks.domain])
    await ben['tasks.assign']({ task_id, user_id })
  await ben['inbox.move_task']({ task_id: tasks.logo.task_id, user_id: ada.caller.actor_id })
  await ben['comments.add']({
    ...{ task_id: tasks.logo.task_id, text: '@Ada, have a look' },
    mentions: [{ user_id: ada.caller.actor_id, display_name: 'Ada' }],
  })
}

/**
 * Creates a webhook whose URL refuses connections, so that its delivery fails with a reason. It is
 * then turned off, so that messages are read by polling.
 */
async function addWebhook({ config }: Server, { bot, ada, board: { project_id } }: Cast) {
  config.allowHosts.push('127.0.0.1')
  const url = 'http://127.0.0.1:1/hook'
  const events = ['task.created', 'task.assigned']
  await bot['webhooks.configure']({ agent_id: 'self', url, events, project_id })
  await bot['webhooks.test']({ agent_id: 'self' })
  await bot['webhooks.configure']({ agent_id: 'self', active: false })
  await bot['messages.list']({})
  await ada['tasks.create']({ project_id, title: 'Sweep the yard' })
}
