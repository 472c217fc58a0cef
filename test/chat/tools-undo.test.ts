import { describe, expect, test } from 'bun:test'
import { UNDO_RULES } from '../../src/chat/tools/undo/index.ts'
import { sampleInput, samples } from '../support/samples.ts'
import type { World } from '../support/world.ts'
import { catchRefusal, chatToolsOf, chatToolsWorld } from './chat-tools.ts'

type Fields = Record<string, unknown>
type Sample = (w: World) => Fields | Promise<Fields>

/** Fields that an undo changes again, because it is a change itself: times, versions, authors. */
const IGNORED_FIELDS = [
  ...['updated_at', 'last_used_at', 'edited_at', 'description_version', 'version', 'has_more'],
  ...['updated_by', 'created_at', 'wrote_at', 'current', 'activity'],
]

/** Returns all that the owner can read of the board, as one string to compare. */
async function boardSnapshot({ ada, board, tasks, team_id }: World): Promise<string> {
  const { project_id } = board
  const all = { limit: 50 }
  const rows = await ada['tasks.list']({ project_id, ...all })
  const ids = rows.items.map(({ task_id }) => task_id).sort((a, b) => a - b)
  const taskRecords = await Promise.all(
    ids.map(async (task_id) => [
      await ada['tasks.get']({ task_id }),
      (await ada['comments.list']({ task_id })).items,
      (await ada['attachments.list']({ task_id })).items,
      (await ada['relations.list']({ task_id })).items.map(({ relation_id: _, ...rest }) => rest),
    ]),
  )
  const pages = (await ada['pages.list']({ ...tasks.logo })).items
  return JSON.stringify(
    [
      taskRecords,
      await Promise.all(pages.map(({ page_id }) => ada['pages.get']({ page_id }))),
      await ada['projects.manifest']({ project_id }),
      (await ada['projects.list']({})).items,
      (await ada['sections.list']({ project_id, include_hidden: true })).items,
      (await ada['projects.members']({ project_id })).items,
      (await ada['invitations.list']({ team_id })).items,
      (await ada['templates.list']({ projectId: project_id })).items,
      await Promise.all(
        (await ada['drafts.list']({})).items.map(({ draft_id }) => ada['drafts.get']({ draft_id })),
      ),
      (await ada['views.list']({ project_id })).items,
      (await ada['rules.list']({ project_id })).items,
      await Promise.all(
        (await ada['reports.list']({ project_id })).items.map(({ report_id }) =>
          ada['reports.get']({ report_id }),
        ),
      ),
      (await ada['user_context.get']({})).profile,
      (await ada['inbox.list']({})).items,
      (await ada['inbox.list']({ archived: true })).items,
      (await ada['time.list']({})).items,
    ],
    (name, value) => (IGNORED_FIELDS.includes(name) ? undefined : value),
  )
}

const page: Sample = async ({ ada, tasks }) => {
  const { page_id } = await ada['pages.create']({
    ...{ ticket_number: tasks.logo.ticket_number, title: 'Plan', content: '# One' },
  })
  await ada['pages.update']({ page_id, content: '# Two' })
  return { page_id }
}

const view: Sample = async ({ ada, board }) => {
  const { view_id } = await ada['views.create']({
    ...{ project_id: board.project_id, title: 'Urgent', label_names: ['bug'] },
    sorting_stack: [{ mode: 'DueDate' }, { mode: 'Title', order: 'Descending' }],
  })
  return { view_id }
}

const notificationSample =
  (firstOperation: 'inbox.archive' | 'inbox.read'): Sample =>
  async (w) => {
    const { notification_ids } = (await samples['inbox.read']!.input(w)) as {
      notification_ids: number[]
    }
    await w.ada[firstOperation]({ notification_ids })
    return { notification_ids }
  }

/** Further cases, besides the sample of each operation. */
const MORE_CASES: [name: string, what: string, sample: Sample][] = [
  [
    'tasks.update',
    'every field at once',
    (w) => ({
      ...{ ticket_number: w.tasks.logo.ticket_number, title: 'A', description: '<p>B</p>' },
      ...{ section_id: w.sections.Review, priority: 'Low', estimate: 5, due_date: null },
      ...{ start_date: '2026-11-21', recurrence: 'Weekly', labels: [], status: 'Archive' },
      assignee_ids: [w.ben.caller.actor_id],
    }),
  ],
  [
    'tasks.update',
    'a completed repeating task, which created its next occurrence',
    async (w) => {
      const { ticket_number } = w.tasks.logo
      await w.ada['tasks.update']({ ticket_number, recurrence: 'Weekly' })
      return { ticket_number, section_id: w.sections.Done }
    },
  ],
  [
    'tasks.update',
    'a move to a column with auto-assign',
    async (w) => {
      await w.ada['sections.update']({
        ...{ project_id: w.board.project_id, section_id: w.sections.Review },
        auto_assign: w.bot.caller.agent_id!,
      })
      return { ticket_number: w.tasks.copy.ticket_number, section_id: w.sections.Review }
    },
  ],
  [
    'tasks.update_many',
    'tasks with different values',
    (w) => ({
      ticket_numbers: [w.tasks.logo.ticket_number, w.tasks.link.ticket_number],
      ...{ priority: 'Low', section_id: w.sections.Next, assignee_ids: [] },
    }),
  ],
  [
    'tasks.assign_to',
    'two assignees, one of whom is already assigned',
    (w) => ({
      ticket_numbers: [w.tasks.logo.ticket_number, w.tasks.copy.ticket_number],
      assignees: ['Cleo', 'Bot'],
    }),
  ],
  ['tasks.unassign', 'all assignees', (w) => ({ ticket_numbers: [w.tasks.logo.ticket_number] })],
  [
    'tasks.restore',
    'an earlier description',
    async (w) => {
      const { ticket_number } = w.tasks.logo
      await w.ada['tasks.update']({ ticket_number, description: '<p>Changed</p>' })
      const { items } = await w.ada['tasks.versions']({ ticket_number })
      return { ticket_number, version_id: items.at(-1)!.version_id }
    },
  ],
  [
    'tasks.snooze',
    'the end of a snooze',
    async (w) => {
      const { ticket_number } = w.tasks.logo
      await w.ada['tasks.snooze']({ ticket_number, until: '2026-12-01' })
      return { ticket_number, until: null }
    },
  ],
  ['inbox.unarchive', 'an archived notification', notificationSample('inbox.archive')],
  ['inbox.unread', 'a read notification', notificationSample('inbox.read')],
  ['pages.update', 'a new text', async (w) => ({ ...(await page(w)), content: '# Three' })],
  [
    'pages.update',
    'an appended text',
    async (w) => ({ ...(await page(w)), content: 'x', mode: 'append' }),
  ],
  ['pages.update', 'a new title', async (w) => ({ ...(await page(w)), title: 'Other' })],
  [
    'projects.update',
    'all settings',
    (w) => ({
      ...{ project_id: w.board.project_id, title: 'X', description: '<p>Y</p>' },
      ...{ access: 'invited', auto_archive_days: 30 },
    }),
  ],
  [
    'projects.invite_member',
    'a guest of the team',
    (w) => ({ project_id: w.board.project_id, member_identifier: w.gus.caller.actor_id }),
  ],
  [
    'sections.update',
    'position, role, limit, color and auto-assign',
    (w) => ({
      ...{ project_id: w.board.project_id, section_id: w.sections.Doing, role: 'verify' },
      ...{ move_after_section_id: null, auto_assign: w.ben.caller.actor_id, wip_limit: 3 },
      color: '#d14343',
    }),
  ],
  [
    'views.update',
    'filters, sorting and title',
    async (w) => ({
      ...{ ...(await view(w)), title: 'X', label_names: ['ui'], match: 'ANY' },
      ...{ sorting_mode: 'Priority', visibility: 'Private' },
    }),
  ],
  [
    'views.set_default',
    'another default',
    async (w) => {
      const { view_id } = (await view(w)) as { view_id: string }
      await w.ada['views.set_default']({ view_id })
      return view(w)
    },
  ],
  [
    'reports.update',
    'every field',
    async (w) => ({
      ...(await sampleInput('reports.update', w)),
      ...{ slug: 'other', description: 'X', body_html: null },
    }),
  ],
  [
    'comments.update',
    'a comment by the caller',
    async (w) => {
      const comment = await w.ada['comments.add']({
        ...w.tasks.logo,
        text: '**A**',
        content_type: 'markdown',
      })
      return { comment_id: comment.comment_id, text: '<p>B</p>' }
    },
  ],
]

/** Operations whose effect is not part of `boardSnapshot`. */
const NOT_IN_SNAPSHOT = ['tasks.next', 'leases.claim']
/** Operations whose sample belongs to another actor or changes nothing. */
const WITHOUT_OWN_SAMPLE = ['leases.claim', 'inbox.unarchive', 'inbox.unread', 'comments.update']
/** Operations with undo tests in a file of their own. */
const TESTED_ELSEWHERE = /^skills\./

const undoableNames = Object.keys(UNDO_RULES).filter((name) => typeof UNDO_RULES[name] !== 'string')
const cases: [string, string, Sample][] = [
  ...undoableNames
    .filter((name) => !WITHOUT_OWN_SAMPLE.includes(name) && !TESTED_ELSEWHERE.test(name))
    .map((name): [string, string, Sample] => [name, 'its sample', samples[name]!.input]),
  ...MORE_CASES,
]

describe('undoing a call restores the previous state of the board', () => {
  for (const [name, description, sample] of cases)
    test(`${name}: ${description}`, async () => {
      const w = await chatToolsWorld(({ ada }) => ada)
      const input = await sample(w)
      const callInput = name === 'tasks.next' ? { ...input, claim: true } : input
      const before = await boardSnapshot(w)
      const { undo } = await w.chat.call(name.replaceAll('.', '_'), callInput)
      if (!NOT_IN_SNAPSHOT.includes(name)) expect(await boardSnapshot(w)).not.toBe(before)
      // The undo is stored as JSON until it is requested.
      await w.chat.undo(JSON.parse(JSON.stringify(undo)))
      expect(JSON.parse(await boardSnapshot(w))).toEqual(JSON.parse(before))
    })
})

test('undoing a claim of an agent releases the lease', async () => {
  const w = await chatToolsWorld(({ bot }) => bot)
  const { ticket_number } = w.tasks.copy
  const { undo } = await w.chat.call('leases_claim', { ticket_number })
  expect((await w.ada['leases.get']({ ticket_number })).lease).not.toBeNull()
  await w.chat.undo(undo)
  expect((await w.ada['leases.get']({ ticket_number })).lease).toBeNull()
})

test('an undo conflicts with a later change of the same field, and keeps changes of other fields', async () => {
  const w = await chatToolsWorld()
  const { ticket_number } = w.tasks.copy
  const { undo } = await w.chat.call('tasks_update', { ticket_number, title: 'A', priority: 'Low' })
  await w.ben['tasks.update']({ ticket_number, estimate: 3 })
  await w.ben['tasks.update']({ ticket_number, title: 'B' })
  const seq = (await w.changeTypes()).length
  const { code, hint } = await catchRefusal(w.chat.undo(undo))
  expect([code, hint]).toEqual(['conflict', 'Check its current state and change it manually'])
  expect(await w.changeTypes()).toHaveLength(seq)
  await w.ben['tasks.update']({ ticket_number, title: 'A' })
  await w.chat.undo(undo)
  expect(await w.ada['tasks.get']({ ticket_number })).toMatchObject({
    ...{ title: 'Write the copy', priority: 0, estimate: 3 },
  })
})

test('a caller without the right to make a call cannot undo it', async () => {
  const w = await chatToolsWorld(({ ada }) => ada)
  const { project_id } = w.board
  const { undo } = await w.chat.call('projects_archive', { project_id })
  const cleo = chatToolsOf(w, w.cleo)
  expect((await catchRefusal(cleo.undo(undo))).code).toBe('forbidden')
  const otto = chatToolsOf(w, w.otto)
  expect((await catchRefusal(otto.undo(undo))).code).toBe('not_found')
  await w.chat.undo(undo)
  expect((await w.ada['projects.manifest']({ project_id })).status).toBe('Normal')
})

test('a read, a call without effect and the first description of a task have no undo', async () => {
  const w = await chatToolsWorld()
  const { ticket_number } = w.tasks.copy
  const same = { ticket_number, title: 'Write the copy' }
  expect((await w.chat.call('tasks_update', same)).undo).toBeUndefined()
  expect((await w.chat.call('tasks_get', { ticket_number })).undo).toBeUndefined()
  const label = { ticket_numbers: [ticket_number], label: 'bug' }
  expect((await w.chat.call('tasks_remove_label', label)).undo).toBeUndefined()
  expect((await catchRefusal(w.chat.call('tasks_update', { ...same, title: '' }))).code).toBe(
    'invalid',
  )
  const empty = { ticket_number, description: '<p>Now</p>' }
  expect((await w.chat.call('tasks_update', empty)).undo).toBeUndefined()
})
