import { afterAll, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { webhookDeliveries } from '../../src/features/agents/webhooks/model/index.ts'
import { boardWebhookDeliveries } from '../../src/features/boards/webhooks/model/tables.ts'
import { cliOperations } from '../../src/surfaces/cli/index.ts'
import { commandOf, nameOf } from '../../src/surfaces/cli/operation-command.ts'
import { scriptedHost } from '../features/code/linked.ts'
import { createSampleThread } from '../support/chat-threads.ts'
import { startKitHost } from '../support/code-host-archives.ts'
import { everyNth } from '../support/scale.ts'
import { removeTemporaryFolders, silentIO, terminal } from '../support/terminal.ts'
import { type World, world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

const cliCommands = cliOperations(catalog)

/** The world with every record that the examples mention. */
async function exampleWorld() {
  const w = await world({ hasBoard: false })
  const { project_id } = await w.ada['projects.create']({
    team_id: w.team_id,
    title: 'Home',
    sections: ['Inbox', 'Next', 'Doing'].map((title) => ({ title })),
    labels: [{ name: 'bug' }, { name: 'ui' }],
  })
  const titles = ['Draw the logo', 'Write the copy', 'Mend the link']
  for (const title of titles) await w.ada['tasks.create']({ project_id, title })
  await createSampleThread(w, { project_id, task_id: 1 })
  const relationEnds = { source_ticket_number: 'HOM-1', target_ticket_number: 'HOM-3' }
  await w.ada['relations.create']({ ...relationEnds, relation_type: 'RelatedTo' })
  const note = { filename: 'note.txt', content_type: 'text/plain', data: 'SGk=' }
  await w.ada['attachments.create']({ ticket_number: 'HOM-1', files: [note] })
  const ticket_number = 'HOM-1'
  await w.ada['tasks.update']({ ticket_number, description: '<p>In two colours.</p>' })
  await w.ada['leases.claim']({ ticket_number: 'HOM-2' })
  await w.ada['comments.add']({ ticket_number, text: 'Which colours?' })
  await w.ada['drafts.create']({ ticket_number, text: '<p>In one.</p>', draft_type: 'comment' })
  await w.ben['inbox.move_task']({ ticket_number, user_id: w.ada.caller.actor_id })
  await w.cleo['decision_requests.create']({
    ...{ ticket_number, question: 'Ship it?', options: ['Yes', 'No'] },
  })
  await w.ada['views.create']({ project_id, title: 'Due soon', sorting_mode: 'DueDate' })
  await w.ada['my_views.create']({ title: 'Mine' })
  await w.ada['calendar_feeds.create']({ title: 'Work' })
  await w.ada['custom_fields.set']({ ticket_number, field_name: 'Points', value: 3 })
  await w.ada['reports.create']({ project_id, title: 'Status' })
  await createTemplate(w)
  await w.ada['skills.create']({ name: 'Triage', body: 'Look.' })
  await trackTime(w)
  await createPages(w)
  await createWebhook(w)
  await createRun(w)
  await w.ada['pull_requests.create']({ ticket_number, url: 'https://git.example.com/pull/7' })
  await w.ada['projects.invite_member']({ project_id, member_identifier: 'cleo@example.com' })
  await w.ada['pull_request_receivers.create']({ project_id, host: 'github' })
  const { team_id } = w
  await w.ada['invitations.create']({ team_id, email: 'x@example.com', role: 'member' })
  await w.ada['teams.set_role']({ team_id, user_id: w.ben.caller.actor_id, role: 'owner' })
  // The example refers to the id after those of the six initial credentials.
  await w.ada['access_tokens.create']({ name: 'editor' })
  await w.ada['projects.set_playbook']({ project_id, notes: 'Ask first' })
  const { items } = await w.ada['guidance.versions']({ project_id })
  const placeholderId = await importTasks(w)
  const host = await connectOutside(w, project_id)
  const ruleId = await createRule(w, project_id)
  return { ...w, placeholderId, ruleId, host, versionId: items[0]!.version_id }
}

/** Two code hosts, one with a linked repository, a webhook with a delivery, and a channel. */
async function connectOutside(w: World, project_id: number) {
  const { team_id } = w
  const [host, other] = [scriptedHost(w), scriptedHost(w)]
  const kind = 'forgejo' as const
  const connect = ({ url, token }: typeof host) =>
    w.ada['code_hosts.create']({ team_id, kind, url, token })
  const { host_id } = await connect(host)
  await connect(other)
  await w.ada['repositories.link']({ project_id, host_id, name: 'acme/site' })
  const user_id = w.cleo.caller.actor_id
  await w.ada['code_host_accounts.assign']({ host_id, login: 'octocat', user_id })
  const hook = { url: 'http://127.0.0.1:1/hook', events: ['task.created'] as const }
  const { webhook_id } = await w.ada['board_webhooks.create']({
    ...{ project_id, ...hook, events: [...hook.events] },
  })
  await w.ada['board_webhooks.test']({ project_id, webhook_id })
  await w.store.write((tx) => tx.update(boardWebhookDeliveries).set({ delivery_id: 'dlv_1' }))
  await w.ada['channels.create']({ kind: 'ntfy', url: 'http://127.0.0.1:1', topic: 'lantern' })
  return host
}

async function createRule(w: World, project_id: number): Promise<string> {
  const when = { event: 'task_completed' } as const
  const actions = [{ do: 'comment', text: 'Done' }] as const
  const input = { project_id, when, actions: [...actions] }
  return (await w.ada['rules.create'](input)).rule_id
}

/** Imports a person who is no member, so that there is a placeholder. */
async function importTasks({ ada, team_id }: World) {
  const origin = { id: 'harbour', title: 'Harbour' }
  const { import_id } = await ada['imports.start']({ team_id, source: 'trello', origin })
  const records = [{ person: { id: 'p', name: 'Olga' } }]
  await ada['imports.write']({ import_id, records })
  const { items } = await ada['placeholders.list']({ team_id })
  return items[0]!.user_id
}

/** Creates a template from the first task. */
async function createTemplate({ ada }: World) {
  const { items } = await ada['tasks.list']({ query: 'logo' })
  await ada['templates.create']({ taskId: items[0]!.task_id })
}

/** Logs time on the first task, pauses a timer on the third and starts one on the second. */
async function trackTime({ ada }: World) {
  await ada['time.log']({ task_identifier: 'HOM-1', minutes: 45 })
  await ada['time.start']({ task_identifier: 'HOM-3' })
  await ada['time.pause']({})
  await ada['time.start']({ task_identifier: 'HOM-2' })
}

/** Gives the first task a page that was changed once, and a canvas. */
async function createPages({ ada }: World) {
  const ticket_number = 'HOM-1'
  const { page_id } = await ada['pages.create']({ ticket_number, content: '# Colours\n\nRed.' })
  await ada['pages.update']({ page_id, content: 'Or blue.', mode: 'append' })
  await ada['pages.create']({ ticket_number, content: '<p>Red</p>', canvas: true, title: 'Swatch' })
}

/** Gives the agent a webhook with one delivery. Nothing listens at its URL. */
async function createWebhook(w: World) {
  w.config.allowHosts.push('127.0.0.1')
  const webhook = { url: 'http://127.0.0.1:1/hook', events: ['task.assigned'] }
  await w.bot['webhooks.configure']({ agent_id: 'self', ...webhook })
  await w.bot['webhooks.test']({ agent_id: 'self' })
  await w.store.write((tx) => tx.update(webhookDeliveries).set({ delivery_id: 'dlv_1' }))
}

/** Gives the agent a run on the first task, with evidence and an escalation. */
async function createRun({ bot }: World) {
  const ticket_number = 'HOM-1'
  await bot['runs.create']({ ticket_number })
  await bot['evidence.add']({ ticket_number, kind: 'note', summary: 'Tried it' })
  await bot['escalations.create']({ ticket_number, reason: 'I am stuck' })
}

/** Operations that only agents use. */
const BY_AGENT = ['messages.list', 'messages.ack', 'runs.update', 'runs.append']

/** Splits a line as a shell does: at white space outside quotes. */
const splitWords = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)

for (const cliCommand of everyNth(cliCommands, { sqlite: 4, postgres: 10 }))
  test(`the example of cork ${nameOf(cliCommand.op)} works`, async () => {
    const { op } = cliCommand
    const w = await exampleWorld()
    const { example } = commandOf(cliCommand, catalog, silentIO)
    const commandLine = example
      .replace('https://github.com', startKitHost(w))
      .replace('RULE_ID', w.ruleId)
      .replace('https://git.example.com 1234', `${scriptedHost(w).url} '${w.host.token}'`)
      .replace(/(hosts (update|claim) 1) 5678/, `$1 '${w.host.token}'`)
      .replace(/(placeholders assign) \d+/, `$1 ${w.placeholderId}`)
      .replace(/(version|restore) HOM \d+/, `$1 HOM ${w.versionId}`)
    const words = splitWords(commandLine)
    expect(words.slice(0, 3).join(' ')).toBe(`cork ${nameOf(op)}`)
    const actor = BY_AGENT.includes(op.name) ? w.bot : w.ada
    const { code, err } = await terminal(w, actor).cork(...words.slice(1))
    expect([example, code, code ? err : '']).toEqual([example, 0, ''])
  })
