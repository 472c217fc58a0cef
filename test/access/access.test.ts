import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, operation } from '../../src/kernel/operation.ts'
import { everyNth } from '../extent.ts'
import { ask, KINDS } from './access.ts'

/**
 * Who may do what, written by hand and not taken from the declarations it checks. Columns as in
 * KINDS: nobody, revoked, expired, outsider, guest, invited guest, member, admin, owner, agent of
 * the member, agent of another team, agent without scopes, key without scopes, key with every scope
 * of reading and no other.
 */
const TABLE: [operations: string[], may: string][] = [
  // The outsider owns another team, and may do what names no team or board of the first one.
  [['user_context.hello', 'user_context.get'], '---++++++++--+'],
  [['user_context.update_profile'], '---++++++++---'],
  [['api_keys.list'], '---++++++----+'],
  [['api_keys.create', 'api_keys.revoke'], '---++++++-----'],
  [['access_tokens.list'], '---++++++----+'],
  [['access_tokens.create', 'access_tokens.revoke'], '---++++++-----'],
  // Only a browser session gives access to browser sessions and the password.
  [['browser_sessions.list', 'browser_sessions.end'], '--------------'],
  [['browser_sessions.end_others', 'password.change'], '--------------'],
  // A calendar feed URL is a credential, and agents cannot manage credentials.
  [['calendar_feeds.list'], '---++++++----+'],
  [['calendar_feeds.create'], '---++++++-----'],
  // The sample is a feed of the owner.
  [['calendar_feeds.delete'], '--------+-----'],
  [['teams.list'], '---++++++++--+'],
  [['teams.get', 'teams.members'], '----++++++---+'],
  [['teams.create'], '---+---++-----'],
  [['teams.leave'], '----+++++-----'],
  [['teams.rename', 'teams.set_role', 'teams.remove_member'], '-------++-----'],
  [['invitations.list', 'invitations.create', 'invitations.revoke'], '-------++-----'],
  [['agents.list', 'agents.get', 'agents.presence'], '----++++++---+'],
  // The sample is an agent of the member: its owner and managers of the team.
  [['agents.create', 'agents.update', 'agents.rotate', 'agents.delete'], '------+++-----'],
  [['agents.deactivate', 'agents.enable', 'agents.archive', 'agents.revoke'], '------+++-----'],
  [['audit.list'], '-------++-----'],
  [['audit.own'], '---++++++----+'],
  // An agent has no email address.
  [['mail.get'], '---++++++----+'],
  [['mail.update', 'mail.test'], '---++++++-----'],
  [['projects.list'], '---++++++++--+'],
  [['projects.manifest', 'projects.members', 'projects.get_playbook'], '-----+++++---+'],
  [['projects.board', 'flow.report'], '-----+++++---+'],
  [['tasks.place'], '-----+++++----'],
  // It converts a text and reads no records.
  [['drafts.preview'], '---++++++++--+'],
  [['projects.get_instructions', 'sections.list', 'sections.get', 'labels.list'], '-----+++++---+'],
  [['projects.create'], '------++++----'],
  [['projects.rename', 'projects.update'], '------++++----'],
  // An agent cannot change guidance unless that was granted to it.
  [['projects.set_playbook', 'projects.set_instructions', 'guidance.restore'], '------+++-----'],
  [['guidance.versions', 'guidance.version'], '-----+++++---+'],
  [['sections.create', 'sections.update', 'sections.delete', 'labels.create'], '------++++----'],
  [['projects.archive', 'projects.invite_member'], '-------++-----'],
  // The sample is a person who was invited to the board.
  [['projects.remove_member'], '-------++-----'],
  [['decision_requests.list'], '---++++++++--+'],
  [['decision_requests.get'], '-----+++++---+'],
  [['decision_requests.create'], '-----+++++----'],
  // Only people decide; agents can only ask.
  [['decision_requests.answer'], '-----++++-----'],
  // The agent that asked, its owner, and managers of the board.
  [['decision_requests.cancel'], '------++++----'],
  [['inbox.list', 'inbox.summary'], '---++++++++--+'],
  [['feedback.report'], '---++++++++---'],
  // The webhook of an agent of the member: that agent, its owner, and managers of the team.
  [['webhooks.get'], '------++++----'],
  [['webhooks.configure', 'webhooks.test', 'webhooks.replay'], '------++++----'],
  [['webhooks.rotate', 'webhooks.delete'], '------++++----'],
  [['webhooks.deliveries'], '------++++----'],
  // Messages are only for agents; people have an inbox.
  [['messages.list', 'messages.ack'], '---------++---'],
  // The sample is a notification of the owner.
  [['inbox.read', 'inbox.unread', 'inbox.archive'], '--------+-----'],
  [['inbox.unarchive', 'inbox.mark'], '--------+-----'],
  // The sample moves a task into the inbox of another person.
  [['inbox.move_task'], '-------++-----'],
  [['custom_fields.list', 'reports.list', 'reports.get'], '-----+++++---+'],
  [['custom_fields.create', 'custom_fields.update', 'custom_fields.delete'], '------++++----'],
  [['reports.create', 'reports.update', 'reports.delete'], '------++++----'],
  [['custom_fields.set', 'pull_requests.create'], '-----+++++----'],
  [['pull_requests.list'], '-----+++++---+'],
  [['pull_requests.delete', 'pull_requests.sync'], '-----+++++----'],
  [['pull_request_receivers.list', 'pull_request_receivers.create'], '-------++-----'],
  [['pull_request_receivers.delete'], '-------++-----'],
  [['tasks.list', 'tasks.get'], '-----+++++---+'],
  [['search.tasks', 'search.help', 'search.semantic', 'pages.search'], '---++++++++--+'],
  [['search.related'], '-----+++++---+'],
  [['tasks.versions', 'drafts.list'], '-----+++++---+'],
  [['tasks.restore', 'drafts.create'], '-----+++++----'],
  // The thread and the draft of the samples belong to the owner.
  [['chat.status'], '---++++++++--+'],
  [['chat.threads'], '---++++++----+'],
  [['chat.thread'], '--------+----+'],
  [['chat.update', 'chat.delete', 'chat.stop', 'chat.undo'], '--------+-----'],
  [['chat.reply'], '--------++----'],
  [['drafts.get'], '--------+----+'],
  [['drafts.update', 'drafts.publish', 'drafts.delete'], '--------+-----'],
  [['attachments.list', 'attachments.get'], '-----+++++---+'],
  [['attachments.create'], '-----+++++----'],
  // The file of another person: managers of the board.
  [['attachments.delete'], '-------++-----'],
  [['comments.list', 'comments.get'], '-----+++++---+'],
  [['comments.add'], '-----+++++----'],
  [['comments.react', 'comments.unreact'], '-----+++++----'],
  [['pages.list', 'pages.get'], '-----+++++---+'],
  [['pages.create', 'pages.update'], '-----+++++----'],
  [['pages.versions', 'pages.diff'], '-----+++++---+'],
  [['pages.restore'], '-----+++++----'],
  [['pages.archive'], '-----+++++----'],
  [['pages.canvas'], '-----+++++---+'],
  // A comment of an agent of the member: only the agent edits it; its owner and managers delete it.
  [['comments.update'], '---------+----'],
  [['comments.delete'], '------++++----'],
  [['tasks.create', 'tasks.update', 'tasks.move', 'tasks.assign'], '-----+++++----'],
  [['tasks.set_start_date', 'tasks.set_recurrence'], '-----+++++----'],
  [['tasks.snooze', 'templates.create'], '-----+++++----'],
  [['templates.list'], '-----+++++---+'],
  [['templates.delete', 'templates.apply'], '-----+++++----'],
  [['views.list', 'views.get', 'views.tasks'], '-----+++++---+'],
  [['views.create'], '-----+++++----'],
  [['views.set_default'], '-----+++++----'],
  // Views of My Tasks belong to a person and not to a board.
  [['my_tasks.list', 'my_tasks.groups', 'my_views.list'], '---++++++++--+'],
  [['my_views.create'], '---++++++++---'],
  [['calendar.list'], '---++++++++--+'],
  [['my_tasks.add'], '-----+++++----'],
  // The sample is a view of the owner.
  [['my_views.update', 'my_views.delete'], '--------+-----'],
  // The view of another person: managers of the board.
  [['views.update', 'views.delete'], '-------++-----'],
  [['relations.list', 'tasks.next', 'tasks.tree', 'tasks.context'], '-----+++++---+'],
  [['tasks.create_many', 'tasks.add_label', 'tasks.remove_label'], '-----+++++----'],
  [['tasks.assign_to', 'tasks.unassign'], '-----+++++----'],
  [['tasks.update_many', 'leases.claim'], '-----+++++----'],
  [['leases.get'], '-----+++++---+'],
  [['leases.list'], '----++++++---+'],
  // The sample is a lease of the owner.
  [['leases.heartbeat', 'leases.release'], '--------+-----'],
  [['time.start', 'time.log'], '-----+++++----'],
  [['time.status'], '-----+++++---+'],
  [['time.list', 'time.running', 'time.report'], '---++++++++--+'],
  // The sample is a time entry of the owner.
  [['time.stop', 'time.pause', 'time.resume', 'time.update', 'time.delete'], '--------+-----'],
  [['evidence.add', 'escalations.create'], '-----+++++----'],
  [['evidence.list', 'escalations.list'], '-----+++++---+'],
  // Evidence of an agent of the member: that agent, and managers of the board.
  [['evidence.delete'], '-------+++----'],
  // An escalation of that agent to its owner, the member.
  [['escalations.resolve'], '------++++----'],
  [['runs.list', 'runs.get', 'runs.transcript'], '-----+++++---+'],
  [['sessions.list', 'sessions.transcripts'], '-----+++++---+'],
  // A run of an agent of the member: the member, managers of the team, and the agent itself.
  [['runs.create', 'runs.stop'], '------++++----'],
  [['runs.prompt'], '-----++++-----'],
  [['runs.update', 'runs.append'], '---------+----'],
  [['labels.update', 'labels.delete'], '------++++----'],
  [['skills.list', 'skills.get'], '-----+++++---+'],
  [['skills.create', 'skills.update', 'skills.delete', 'skills.import'], '------+++-----'],
  [['relations.create', 'relations.delete'], '-----+++++----'],
]

const expected = new Map(TABLE.flatMap(([names, may]) => names.map((name) => [name, may])))

test('the table lists every operation exactly once', () => {
  const names = TABLE.flatMap(([operations]) => operations)
  expect(names.toSorted()).toEqual(catalog.map(({ name }) => name as string).toSorted())
  expect(TABLE.filter(([, may]) => may.length !== KINDS.length)).toEqual([])
})

describe('access matches the table for each kind of caller, and a refusal writes nothing', () => {
  for (const op of everyNth(catalog as readonly AnyOperation[], { sqlite: 9, postgres: 30 }))
    test(op.name, async () => {
      const verdicts = []
      for (const kind of KINDS) verdicts.push(await ask(op, kind))
      expect(verdicts.map(({ wrong }) => wrong).filter(Boolean)).toEqual([])
      const may = verdicts.map(({ allowed }) => (allowed ? '+' : '-')).join('')
      expect(may).toBe(expected.get(op.name)!)
    })
})

test('an operation without an access check is detected', async () => {
  const careless = operation({
    name: 'boards.peek',
    summary: 'Looks at any board',
    needs: 'profile:read',
    on: { rest: 'GET /api/v1/peek' },
    input: t.Object({}),
    output: t.Object({ seen: t.Boolean() }),
    run: async () => ({ seen: true }),
  })
  expect((await ask(careless, 'outsider', [careless])).allowed).toBe(true)
  expect((await ask(careless, 'blind agent', [careless])).allowed).toBe(false)
})
