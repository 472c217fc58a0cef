import { afterAll, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { webhookDeliveries } from '../../src/features/webhooks/index.ts'
import { examples } from '../../src/surfaces/cli/examples.ts'
import { cliOperations } from '../../src/surfaces/cli/index.ts'
import { commandOf, nameOf } from '../../src/surfaces/cli/operation-command.ts'
import { everyNth } from '../extent.ts'
import { kitHost } from '../hosting.ts'
import { spokenOn } from '../samples-chat.ts'
import { nowhere, sweep, terminal } from '../terminal.ts'
import { type World, world } from '../world.ts'

afterAll(sweep)

const spoken = cliOperations(catalog)

/** The world with everything that the examples mention. */
async function home() {
  const w = await world({ furnished: false })
  const { project_id } = await w.ada['projects.create']({
    team_id: w.team_id,
    title: 'Home',
    sections: ['Inbox', 'Next', 'Doing'].map((title) => ({ title })),
    labels: [{ name: 'bug' }, { name: 'ui' }],
  })
  const titles = ['Draw the logo', 'Write the copy', 'Mend the link']
  for (const one of titles) await w.ada['tasks.create']({ project_id, title: one })
  await spokenOn(w, { project_id, task_id: 1 })
  const ends = { source_ticket_number: 'HOM-1', target_ticket_number: 'HOM-3' }
  await w.ada['relations.create']({ ...ends, relation_type: 'RelatedTo' })
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
  await patterned(w)
  await w.ada['skills.create']({ name: 'Triage', body: 'Look.' })
  await timed(w)
  await noted(w)
  await hooked(w)
  await worked(w)
  await w.ada['pull_requests.create']({ ticket_number, url: 'https://git.example.com/pull/7' })
  await w.ada['projects.invite_member']({ project_id, member_identifier: 'cleo@example.com' })
  await w.ada['pull_request_receivers.create']({ project_id, host: 'github' })
  const { team_id } = w
  await w.ada['invitations.create']({ team_id, email: 'x@example.com', role: 'member' })
  await w.ada['teams.set_role']({ team_id, user_id: w.ben.caller.actor_id, role: 'owner' })
  // Its id follows those of the six credentials that the world begins with.
  await w.ada['access_tokens.create']({ name: 'editor' })
  await w.ada['projects.set_playbook']({ project_id, notes: 'Ask first' })
  const { items } = await w.ada['guidance.versions']({ project_id })
  return { ...w, versionId: items[0]!.version_id }
}

/** Creates a template from the first task. */
async function patterned({ ada }: World) {
  const { items } = await ada['tasks.list']({ query: 'logo' })
  await ada['templates.create']({ taskId: items[0]!.task_id })
}

/** Logs time on the first task, pauses a timer on the third and starts one on the second. */
async function timed({ ada }: World) {
  await ada['time.log']({ task_identifier: 'HOM-1', minutes: 45 })
  await ada['time.start']({ task_identifier: 'HOM-3' })
  await ada['time.pause']({})
  await ada['time.start']({ task_identifier: 'HOM-2' })
}

/** Gives the first task a page that was changed once, and a canvas. */
async function noted({ ada }: World) {
  const ticket_number = 'HOM-1'
  const { page_id } = await ada['pages.create']({ ticket_number, content: '# Colours\n\nRed.' })
  await ada['pages.update']({ page_id, content: 'Or blue.', mode: 'append' })
  await ada['pages.create']({ ticket_number, content: '<p>Red</p>', canvas: true, title: 'Swatch' })
}

/** Gives the agent a webhook with one delivery. Nothing listens at its URL. */
async function hooked(w: World) {
  w.config.allowHosts.push('127.0.0.1')
  const webhook = { url: 'http://127.0.0.1:1/hook', events: ['task.assigned'] }
  await w.bot['webhooks.configure']({ agent_id: 'self', ...webhook })
  await w.bot['webhooks.test']({ agent_id: 'self' })
  await w.store.write((tx) => tx.update(webhookDeliveries).set({ delivery_id: 'dlv_1' }))
}

/** Gives the agent a run on the first task, with evidence and an escalation. */
async function worked({ bot }: World) {
  const ticket_number = 'HOM-1'
  await bot['runs.create']({ ticket_number })
  await bot['evidence.add']({ ticket_number, kind: 'note', summary: 'Tried it' })
  await bot['escalations.create']({ ticket_number, reason: 'I am stuck' })
}

/** Operations that only agents use. */
const BY_AGENT = ['messages.list', 'messages.ack', 'runs.update', 'runs.append']

/** Splits a line as a shell does: at white space outside of quotes. */
const parted = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)

for (const one of everyNth(spoken, { sqlite: 4, postgres: 10 }))
  test(`the example of cork ${nameOf(one.op)} works`, async () => {
    const { op } = one
    const w = await home()
    const { example } = commandOf(one, catalog, nowhere)
    const here = example
      .replace('https://github.com', kitHost(w))
      .replace(/(version|restore) HOM \d+/, `$1 HOM ${w.versionId}`)
    const words = parted(here)
    expect(words.slice(0, 3).join(' ')).toBe(`cork ${nameOf(op)}`)
    const who = BY_AGENT.includes(op.name) ? w.bot : w.ada
    const { code, err } = await terminal(w, who).cork(...words.slice(1))
    expect([example, code, code ? err : '']).toEqual([example, 0, ''])
  })

test('every command has an example, and every example has a command', () => {
  expect(Object.keys(examples).sort()).toEqual(spoken.map(({ op }) => nameOf(op)).sort())
})
