import { claimed } from './furniture.ts'
import { kitHost } from './hosting.ts'
import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** The agent of the member. */
const botOf = ({ bot }: World) => ({ agent_id: bot.caller.agent_id! })

/** The samples of what agents and people do about the work of agents. */
/** The first of two versions of a board's instructions. */
const versionOf = async ({ ada, board: { project_id } }: World) => {
  for (const custom_instruction of ['Be kind', 'Be quick'])
    await ada['projects.set_instructions']({ project_id, custom_instruction })
  const { items } = await ada['guidance.versions']({ project_id, kind: 'instructions' })
  return { project_id, version_id: items.at(-1)!.version_id }
}

export const atWork: Record<string, (w: World) => Fields | Promise<Fields>> = {
  'guidance.versions': (w: World) => ({ project_id: w.board.project_id }),
  'guidance.version': versionOf,
  'guidance.restore': versionOf,
  'projects.remove_member': async (w) => {
    const { project_id } = w.board
    const user_id = w.gus.caller.actor_id
    await w.ada['projects.invite_member']({ project_id, member_identifier: user_id })
    return { project_id, user_id }
  },
  'tasks.snooze': (w) => ({ task_id: w.tasks.logo.task_id, until: '2026-12-24' }),
  'tasks.create_many': (w) => ({
    project_id: w.board.project_id,
    tasks: [
      { title: 'Paint the fence', assignees: ['Cleo'] },
      { title: 'Buy paint', parent: 0 },
    ],
  }),
  'tasks.add_label': ({ tasks }) => ({ ticket_numbers: [tasks.logo.ticket_number], label: 'bug' }),
  'tasks.remove_label': ({ tasks }) => ({
    ...{ ticket_numbers: [tasks.logo.ticket_number], label: 'ui' },
  }),
  'tasks.assign_to': ({ tasks }) => ({
    ...{ ticket_numbers: [tasks.logo.ticket_number], assignees: ['Ada'] },
  }),
  'tasks.unassign': ({ tasks }) => ({
    ...{ ticket_numbers: [tasks.logo.ticket_number], assignees: ['Cleo'] },
  }),
  'tasks.place': (w) => ({
    ...{ task_id: w.tasks.logo.task_id, section_id: w.sections.Next },
    above_task_id: w.tasks.copy.task_id,
  }),
  'templates.list': (w) => ({ projectId: w.board.project_id }),
  'templates.create': (w) => ({ taskId: w.tasks.logo.task_id, includeSubtasks: true }),
  'templates.delete': patterned,
  'templates.apply': patterned,
  'skills.list': (w) => ({ project_id: w.board.project_id }),
  'skills.get': skilled,
  'skills.create': (w) => ({
    ...{ name: 'Triage', description: 'Sorts what is new', body: 'Look at each task.' },
    ...ofBoard(w),
  }),
  'skills.update': async (w) => ({ ...(await skilled(w)), enabled: false }),
  'skills.delete': skilled,
  'skills.import': (w) => ({ url: `${kitHost(w)}/ada/kit`, ...ofBoard(w), dry_run: true }),
  'calendar.list': () => ({ from: '2026-11-01', to: '2026-11-30' }),
  'browser_sessions.list': () => ({}),
  'browser_sessions.end': () => ({ session_id: 1 }),
  'browser_sessions.end_others': () => ({}),
  'password.change': () => ({ old_password: 'the old words', new_password: 'some new words' }),
  'calendar_feeds.list': () => ({}),
  'calendar_feeds.create': () => ({ title: 'Work', what: 'all' }),
  'calendar_feeds.delete': async ({ ada }) => ({
    feed_id: (await ada['calendar_feeds.create']({})).feed_id,
  }),
  'time.start': timed,
  'time.status': timed,
  'time.log': (w) => ({ ...timed(w), minutes: 30, date: '2026-11-19' }),
  'time.list': () => ({ user_id: 'me' }),
  'time.running': () => ({}),
  'time.report': () => ({ group_by: 'task' }),
  'flow.report': (w) => ({ project_id: w.board.project_id }),
  'time.stop': started,
  'time.pause': started,
  'time.resume': async (w) => {
    await w.ada['time.pause'](await started(w))
    return timed(w)
  },
  'time.update': async (w) => ({ ...(await spent(w)), minutes: 20 }),
  'time.delete': spent,
  'evidence.add': (w) => ({
    ...{ task_id: w.tasks.logo.task_id, kind: 'link' },
    ...{ summary: 'The build is green', url: 'https://ci.example.com/build/12' },
  }),
  'evidence.list': (w) => ({ task_id: w.tasks.logo.task_id }),
  'evidence.delete': shownBy,
  'escalations.create': (w) => ({
    task_id: w.tasks.logo.task_id,
    reason: 'The key has expired',
    to_user_id: w.ben.caller.actor_id,
  }),
  'escalations.list': (w) => ({ task_id: w.tasks.logo.task_id }),
  'escalations.resolve': async (w) => ({ ...(await escalated(w)), note: 'Renewed it' }),
  'runs.create': (w) => ({
    task_id: w.tasks.logo.task_id,
    agent_id: w.bot.caller.agent_id,
    prompt: 'Draw it in blue',
  }),
  'runs.list': (w) => ({ task_id: w.tasks.logo.task_id }),
  'runs.get': running,
  'runs.update': async (w) => ({ ...(await running(w)), state: 'done', summary: 'In blue' }),
  'runs.prompt': async (w) => ({ ...(await running(w)), text: 'In red as well' }),
  'runs.stop': async (w) => ({ ...(await running(w)), reason: 'It is done' }),
  'runs.append': async (w) => ({ ...(await running(w)), entries: [{ text: 'Opened the file' }] }),
  'runs.transcript': running,
  'sessions.list': (w) => ({ project_id: w.board.project_id, prefer: 'paged=true' }),
  'sessions.transcripts': async (w) => {
    const { project_id } = w.board
    await running(w)
    const asked = { project_id, prefer: 'paged=true' } as const
    const { page } = await w.ada['sessions.list'](asked)
    return { project_id, history_key: page.history_key }
  },
  'messages.list': () => ({}),
  'webhooks.configure': (w) => ({
    agent_id: w.bot.caller.agent_id,
    url: 'https://example.com/hook',
    events: ['task.assigned'],
  }),
  'webhooks.get': hooked,
  'webhooks.test': hooked,
  'webhooks.rotate': hooked,
  'webhooks.delete': hooked,
  'webhooks.deliveries': hooked,
  'webhooks.replay': async (w) => {
    const bot = await hooked(w)
    const { delivery_id } = await w.bot['webhooks.test']({ agent_id: 'self' })
    return { ...bot, delivery_id }
  },
  'messages.ack': async (w) => ({ ids: [await told(w)] }),
  'leases.claim': (w) => ({ ticket_number: w.tasks.logo.ticket_number, ttl: 60_000 }),
  'leases.get': (w) => ({ task_id: w.tasks.logo.task_id }),
  'leases.heartbeat': async (w) => ({ ...(await leaseOf(w)), ttl: 60_000 }),
  'leases.list': (w) => ({ team_id: w.team_id }),
  'leases.release': leaseOf,
  'agents.create': (w) => ({ team_id: w.team_id, name: 'Helper' }),
  'agents.list': (w) => ({ team_id: w.team_id }),
  'agents.presence': (w) => ({ team_id: w.team_id }),
  'agents.get': botOf,
  'agents.update': (w) => ({ ...botOf(w), name: 'Aide', scopes: ['tasks:read'] }),
  'agents.rotate': botOf,
  'agents.deactivate': botOf,
  'agents.enable': async (w) => {
    await w.cleo['agents.deactivate'](botOf(w))
    return botOf(w)
  },
  'agents.archive': botOf,
  'agents.revoke': botOf,
  'agents.delete': botOf,
}

function timed({ tasks }: World) {
  return { task_identifier: tasks.logo.ticket_number }
}

/** A timer of the owner, begun anew where there is one. */
async function started(w: World) {
  const { state } = await w.ada['time.status'](timed(w))
  if (state !== 'none') await w.ada['time.stop'](timed(w))
  await w.ada['time.start'](timed(w))
  return timed(w)
}

/** Time that the owner logged. */
async function spent(w: World) {
  const { entry_id } = await w.ada['time.log']({ ...timed(w), minutes: 30 })
  return { entry_id }
}

/** A run of the agent of the member, which it began itself. */
async function running({ bot, tasks }: World) {
  const { run_id } = await bot['runs.create']({ task_id: tasks.logo.task_id })
  return { run_id }
}

const ofBoard = ({ board }: World) => ({
  ...{ scope: 'project' as const, project_id: board.project_id },
})

/** A skill of the board. */
async function skilled(w: World) {
  const { items } = await w.ada['skills.list']({ project_id: w.board.project_id })
  const draft = { name: 'Sort', body: 'Look.', ...ofBoard(w) }
  return { skill_id: (items[0] ?? (await w.ada['skills.create'](draft))).skill_id }
}

/** A template that the owner saved. */
async function patterned({ ada, tasks }: World) {
  const { template_id } = await ada['templates.create']({ taskId: tasks.logo.task_id })
  return { templateId: template_id }
}

/** Evidence of the agent of the member. */
async function shownBy({ bot, tasks }: World) {
  const { task_id } = tasks.logo
  const { evidence_id } = await bot['evidence.add']({ task_id, kind: 'note', summary: 'Done' })
  return { task_id, evidence_id }
}

/** The agent calls its owner, the member. */
async function escalated({ bot, tasks }: World) {
  const { task_id } = tasks.logo
  const { escalation_id } = await bot['escalations.create']({ task_id, reason: 'I am stuck' })
  return { task_id, escalation_id }
}

/** The agent of the member with a webhook, at an address where nobody is. */
async function hooked(w: World) {
  w.config.allowHosts.push('127.0.0.1')
  const webhook = { url: 'http://127.0.0.1:1/hook', events: ['task.created'], active: true }
  await w.bot['webhooks.configure']({ agent_id: 'self', ...webhook })
  return { agent_id: w.bot.caller.agent_id! }
}

/** What the agent of the member is told of something new. */
async function told({ ada, bot, board }: World): Promise<string> {
  await bot['messages.list']({})
  await ada['tasks.create']({ project_id: board.project_id, title: 'Sweep' })
  return (await bot['messages.list']({})).items[0]!.id
}

/** A lease of the owner. */
async function leaseOf({ ada, tasks }: World) {
  const { lease_id } = await claimed(ada, tasks.copy)
  return { lease_id }
}
