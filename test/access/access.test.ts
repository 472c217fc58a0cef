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
  // The outsider owns another team, so what names no team or board of ours is theirs to do.
  [['user_context.hello', 'user_context.get'], '---++++++++--+'],
  [['user_context.update_profile'], '---++++++++---'],
  [['api_keys.list'], '---++++++----+'],
  [['api_keys.create', 'api_keys.revoke'], '---++++++-----'],
  [['access_tokens.list'], '---++++++----+'],
  [['access_tokens.create', 'access_tokens.revoke'], '---++++++-----'],
  // A key is no way to the browsers and the password of its owner.
  [['browser_sessions.list', 'browser_sessions.end'], '--------------'],
  [['browser_sessions.end_others', 'password.change'], '--------------'],
  // An address at which tasks are read is a credential.
  [['calendar_feeds.list'], '---++++++----+'],
  [['calendar_feeds.create'], '---++++++-----'],
  // Of a feed of the owner.
  [['calendar_feeds.delete'], '--------+-----'],
  [['teams.list'], '---++++++++--+'],
  [['teams.get', 'teams.members'], '----++++++---+'],
  [['teams.create'], '---+---++-----'],
  [['teams.leave'], '----+++++-----'],
  [['teams.rename', 'teams.set_role', 'teams.remove_member'], '-------++-----'],
  [['invitations.list', 'invitations.create', 'invitations.revoke'], '-------++-----'],
  [['agents.list', 'agents.get', 'agents.presence'], '----++++++---+'],
  // An agent of the member: its owner, and whoever manages the team.
  [['agents.create', 'agents.update', 'agents.rotate', 'agents.delete'], '------+++-----'],
  [['agents.deactivate', 'agents.enable', 'agents.archive', 'agents.revoke'], '------+++-----'],
  [['audit.list'], '-------++-----'],
  [['audit.own'], '---++++++----+'],
  // An agent has no address.
  [['mail.get'], '---++++++----+'],
  [['mail.update', 'mail.test'], '---++++++-----'],
  [['projects.list'], '---++++++++--+'],
  [['projects.manifest', 'projects.members', 'projects.get_playbook'], '-----+++++---+'],
  [['projects.board', 'flow.report'], '-----+++++---+'],
  [['tasks.place'], '-----+++++----'],
  // Of a text, and of nothing that is here.
  [['drafts.preview'], '---++++++++--+'],
  [['projects.get_instructions', 'sections.list', 'sections.get', 'labels.list'], '-----+++++---+'],
  [['projects.create'], '------++++----'],
  [['projects.rename', 'projects.update'], '------++++----'],
  // An agent instructs nobody unless that was granted to it.
  [['projects.set_playbook', 'projects.set_instructions', 'guidance.restore'], '------+++-----'],
  [['guidance.versions', 'guidance.version'], '-----+++++---+'],
  [['sections.create', 'sections.update', 'sections.delete', 'labels.create'], '------++++----'],
  [['projects.archive', 'projects.invite_member'], '-------++-----'],
  // Somebody who was invited by name.
  [['projects.remove_member'], '-------++-----'],
  [['decision_requests.list'], '---++++++++--+'],
  [['decision_requests.get'], '-----+++++---+'],
  [['decision_requests.create'], '-----+++++----'],
  // People decide; an agent only asks.
  [['decision_requests.answer'], '-----++++-----'],
  // The agent that asked, its owner, and whoever manages the board.
  [['decision_requests.cancel'], '------++++----'],
  [['inbox.list', 'inbox.summary'], '---++++++++--+'],
  [['feedback.report'], '---++++++++---'],
  // Of the agent of the member: the agent itself, its owner, and whoever manages the team.
  [['webhooks.get'], '------++++----'],
  [['webhooks.configure', 'webhooks.test', 'webhooks.replay'], '------++++----'],
  [['webhooks.rotate', 'webhooks.delete'], '------++++----'],
  [['webhooks.deliveries'], '------++++----'],
  // What an agent is told is its own; people have an inbox.
  [['messages.list', 'messages.ack'], '---------++---'],
  // Whose notification it is: the owner's.
  [['inbox.read', 'inbox.unread', 'inbox.archive'], '--------+-----'],
  [['inbox.unarchive', 'inbox.mark'], '--------+-----'],
  // Into the inbox of somebody else.
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
  // Whose draft it is: the owner's.
  [['chat.status'], '---++++++++--+'],
  [['chat.threads'], '---++++++----+'],
  [['chat.thread'], '--------+----+'],
  [['chat.update', 'chat.delete', 'chat.stop', 'chat.undo'], '--------+-----'],
  [['chat.reply'], '--------++----'],
  [['drafts.get'], '--------+----+'],
  [['drafts.update', 'drafts.publish', 'drafts.delete'], '--------+-----'],
  [['attachments.list', 'attachments.get'], '-----+++++---+'],
  [['attachments.create'], '-----+++++----'],
  // Of somebody else's file: whoever manages the board.
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
  // Of the agent of the member: whoever owns it or manages the board deletes it.
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
  // How one looks at one's own tasks is one's own, wherever they are.
  [['my_tasks.list', 'my_tasks.groups', 'my_views.list'], '---++++++++--+'],
  [['my_views.create'], '---++++++++---'],
  [['calendar.list'], '---++++++++--+'],
  [['my_tasks.add'], '-----+++++----'],
  // Of a view of the owner.
  [['my_views.update', 'my_views.delete'], '--------+-----'],
  // Of somebody else's view: whoever manages the board.
  [['views.update', 'views.delete'], '-------++-----'],
  [['relations.list', 'tasks.next', 'tasks.tree', 'tasks.context'], '-----+++++---+'],
  [['tasks.create_many', 'tasks.add_label', 'tasks.remove_label'], '-----+++++----'],
  [['tasks.assign_to', 'tasks.unassign'], '-----+++++----'],
  [['tasks.update_many', 'leases.claim'], '-----+++++----'],
  [['leases.get'], '-----+++++---+'],
  [['leases.list'], '----++++++---+'],
  // Whose lease it is: the owner's.
  [['leases.heartbeat', 'leases.release'], '--------+-----'],
  [['time.start', 'time.log'], '-----+++++----'],
  [['time.status'], '-----+++++---+'],
  [['time.list', 'time.running', 'time.report'], '---++++++++--+'],
  // Whose timer it is: the owner's.
  [['time.stop', 'time.pause', 'time.resume', 'time.update', 'time.delete'], '--------+-----'],
  [['evidence.add', 'escalations.create'], '-----+++++----'],
  [['evidence.list', 'escalations.list'], '-----+++++---+'],
  // Of the agent of the member: the agent itself, and whoever manages the board.
  [['evidence.delete'], '-------+++----'],
  // Of that agent for its owner, the member.
  [['escalations.resolve'], '------++++----'],
  [['runs.list', 'runs.get', 'runs.transcript'], '-----+++++---+'],
  [['sessions.list', 'sessions.transcripts'], '-----+++++---+'],
  // The agent of the member is set to work by the member, by admins and by itself.
  [['runs.create', 'runs.stop'], '------++++----'],
  [['runs.prompt'], '-----++++-----'],
  [['runs.update', 'runs.append'], '---------+----'],
  [['labels.update', 'labels.delete'], '------++++----'],
  [['skills.list', 'skills.get'], '-----+++++---+'],
  [['skills.create', 'skills.update', 'skills.delete', 'skills.import'], '------+++-----'],
  [['relations.create', 'relations.delete'], '-----+++++----'],
]

const expected = new Map(TABLE.flatMap(([names, may]) => names.map((name) => [name, may])))

test('the table names every operation once, and no other', () => {
  const names = TABLE.flatMap(([operations]) => operations)
  expect(names.toSorted()).toEqual(catalog.map(({ name }) => name as string).toSorted())
  expect(TABLE.filter(([, may]) => may.length !== KINDS.length)).toEqual([])
})

describe('each kind of caller gets what the table says, and a refusal leaves no trace', () => {
  for (const op of everyNth(catalog as readonly AnyOperation[], { sqlite: 9, postgres: 30 }))
    test(op.name, async () => {
      const verdicts = []
      for (const kind of KINDS) verdicts.push(await ask(op, kind))
      expect(verdicts.map(({ wrong }) => wrong).filter(Boolean)).toEqual([])
      const may = verdicts.map(({ allowed }) => (allowed ? '+' : '-')).join('')
      expect(may).toBe(expected.get(op.name)!)
    })
})

test('an operation that forgets whose board it is shows up', async () => {
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
