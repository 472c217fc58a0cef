import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite } from '../../src/kernel/operation.ts'
import { talking } from './cast.ts'

/** A chat has no tools for chats. */
const operations = (catalog as readonly AnyOperation[]).filter(
  ({ name }) => !name.startsWith('chat.'),
)

/** Operations that always need approval in a chat. */
const ALWAYS = [
  ...['projects.remove_member', 'teams.set_role', 'teams.remove_member', 'teams.leave'],
  ...['sections.delete', 'labels.delete', 'custom_fields.delete', 'comments.delete'],
  ...['templates.delete', 'drafts.delete', 'pages.archive', 'views.delete', 'my_views.delete'],
  ...['attachments.delete', 'time.delete', 'evidence.delete', 'reports.delete', 'skills.delete'],
  ...['pull_requests.delete', 'pull_request_receivers.delete', 'calendar_feeds.delete'],
  ...['webhooks.delete', 'webhooks.rotate', 'invitations.revoke', 'api_keys.revoke'],
  ...['access_tokens.revoke', 'browser_sessions.end', 'browser_sessions.end_others'],
  ...['password.change', 'agents.rotate', 'agents.deactivate', 'agents.revoke'],
  ...['agents.archive', 'agents.delete', 'projects.invite_member', 'projects.set_instructions'],
  ...['guidance.restore'],
  ...['skills.import', 'skills.create', 'skills.update', 'projects.set_playbook'],
]

/** Operations that need approval with the first input, but not with the second. */
const SOMETIMES: Record<string, [does: object, not: object]> = {
  'tasks.update': [{ status: 'Deleted' }, { status: 'Archive' }],
  'tasks.update_many': [{ status: 'Deleted' }, { priority: 1 }],
  'attachments.create': [
    { files: [{ url: 'https://example.com/a' }] },
    { files: [{ data: 'YQ==' }] },
  ],
  'projects.archive': [{}, { status: 'Normal' }],
  'projects.update': [{ access: 'invited' }, { title: 'Home' }],
}

/** Operations that run without approval where writes are allowed. */
const NEVER = [
  ...['projects.rename', 'projects.create'],
  ...['sections.create', 'sections.update', 'labels.create'],
  ...['labels.update', 'custom_fields.create', 'custom_fields.update', 'custom_fields.set'],
  ...['user_context.update_profile', 'comments.add', 'comments.update', 'comments.react'],
  ...['comments.unreact', 'tasks.create', 'tasks.create_many', 'tasks.add_label'],
  ...['tasks.remove_label', 'tasks.move', 'tasks.assign', 'tasks.assign_to', 'tasks.unassign'],
  ...['tasks.set_start_date', 'tasks.set_recurrence', 'tasks.snooze', 'tasks.place'],
  ...['tasks.restore', 'leases.claim', 'leases.heartbeat', 'leases.release'],
  ...['relations.create', 'relations.delete', 'templates.create', 'templates.apply'],
  ...['drafts.create', 'drafts.update', 'drafts.publish', 'pages.create', 'pages.update'],
  ...['pages.restore', 'views.create', 'views.update', 'views.set_default', 'my_tasks.add'],
  ...['my_views.create', 'my_views.update', 'calendar_feeds.create', 'inbox.archive'],
  ...['inbox.unarchive', 'inbox.move_task', 'inbox.read', 'inbox.unread', 'inbox.mark'],
  ...['mail.update', 'mail.test', 'time.start', 'time.stop', 'time.log', 'time.pause'],
  ...['time.resume', 'time.update', 'decision_requests.create'],
  ...['decision_requests.answer', 'decision_requests.cancel', 'evidence.add'],
  ...['escalations.create', 'escalations.resolve', 'runs.create', 'runs.update', 'runs.prompt'],
  ...['runs.stop', 'runs.append', 'pull_requests.create', 'pull_requests.sync'],
  ...['pull_request_receivers.create', 'pull_request_receivers.list', 'feedback.report'],
  ...['reports.create', 'reports.update', 'messages.ack', 'webhooks.configure'],
  ...['webhooks.test', 'webhooks.replay', 'teams.create', 'teams.rename', 'invitations.list'],
  ...['invitations.create', 'agents.create', 'agents.update', 'agents.enable', 'audit.list'],
  ...['api_keys.create', 'access_tokens.create'],
]

test('every operation that writes is listed as destroying always, never or depending on its input', () => {
  const names = (ops: readonly AnyOperation[]) => ops.map(({ name }) => name).sort()
  const kind = (wanted: string) => operations.filter(({ destroys }) => typeof destroys === wanted)
  expect(names(kind('boolean'))).toEqual(ALWAYS.toSorted())
  expect(names(kind('function'))).toEqual(Object.keys(SOMETIMES).sort())
  const rest = operations.filter((op) => isWrite(op) && !op.destroys)
  expect(names(rest)).toEqual(NEVER.toSorted())
})

test('a conditional operation destroys with one listed input and not with the other', () => {
  for (const [name, [does, not]] of Object.entries(SOMETIMES)) {
    const { destroys } = operations.find((op) => op.name === name)!
    const ask = destroys as (input: object) => boolean
    expect([name, ask(does), ask(not)]).toEqual([name, true, false])
  }
})

test('no chat tool returns a secret that is shown once', async () => {
  const { chat, board, cleo, ada, ...w } = await talking(({ ada }) => ada)
  const once = operations.filter(({ on, output }) => on.chat && output.secret === true)
  expect(once.map(({ name }) => name)).toEqual(['projects.invite_member'])
  const names = [...chat.tools.keys()]
  for (const name of ['agents_create', 'agents_rotate', 'agents_enable', 'webhooks_configure'])
    expect(names).not.toContain(name)
  expect(names).not.toContain('webhooks_rotate')
  const { project_id } = board
  const invited = { project_id, member_identifier: 'new@example.com' }
  const { text, output, answer } = await chat.call('projects_invite_member', invited)
  const { link } = answer.data as { link: string }
  expect(link).toContain('/invitations/')
  for (const told of [text, JSON.stringify(output)]) {
    expect(told).toContain('invited')
    expect(told).not.toContain(link.split('/').at(-1)!)
  }
  expect(await w.emitted()).toHaveLength(1)
})
