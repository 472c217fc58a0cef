import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { allCards } from '../../../../src/features/boards/projects/operations/board-cards.ts'
import { sectionsOf } from '../../../../src/features/boards/sections/model/index.ts'
import type { Context } from '../../../../src/kernel/caller.ts'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type Board = Awaited<ReturnType<Actor['projects.board']>>
const MINUTE = 60_000

/** Returns the world with a second board, "Workshop", to which nobody is invited. */
async function twoBoards() {
  const w = await world()
  const { project_id } = w.board
  const workshop = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Workshop', access: 'invited' },
    sections: [{ title: 'Next' }, { title: 'Done' }],
    tasks: [{ title: 'Sharpen', section_index: 0 }],
  })
  const { items } = await w.ada['tasks.list']({ project_id: workshop.project_id })
  const read = (since?: number) => w.ada['projects.board']({ project_id, since })
  return { ...w, read, project_id, target: workshop.project_id, otherTaskId: items[0]!.task_id }
}

const byId = (a: { task_id: number }, b: { task_id: number }) => a.task_id - b.task_id

/** Applies a delta to the board that a reader already has. */
function applyDelta(before: Board, delta: Board): Board {
  if (delta.whole) return delta
  const replaced = new Set([...delta.gone, ...delta.cards.map(({ task_id }) => task_id)])
  const unchanged = before.cards.filter(({ task_id }) => !replaced.has(task_id))
  const keys = new Set(delta.actors.map(keyOf))
  const actors = before.actors.filter((one) => !keys.has(keyOf(one)))
  return {
    ...delta,
    cards: [...unchanged, ...delta.cards],
    actors: [...actors, ...delta.actors],
  }
}

const keyOf = (actor: Board['actors'][number]) =>
  actor.kind === 'agent' ? actor.agent_id : actor.kind === 'person' ? actor.user_id : 0

/** Normalizes a board for comparison: sorted cards and only the actors that they name. */
function normalized({ cards, actors, whole: _, gone: __, ...rest }: Board) {
  const actorIds = new Set(cards.flatMap((one) => [...(one.assignees ?? []), one.lease?.holder]))
  const key = (one: Board['actors'][number]) => String(keyOf(one))
  return {
    ...rest,
    cards: cards.toSorted(byId),
    actors: actors
      .filter((one) => actorIds.has(keyOf(one)))
      .toSorted((a, b) => (key(a) < key(b) ? -1 : 1)),
  }
}

test('a board is returned in one response by column, and cards omit their empty fields', async () => {
  const w = await twoBoards()
  const { ada, bot, cleo, tasks, sections, labels, project_id } = w
  const child = await ada['tasks.create']({
    ...{ project_id, title: 'Child', parent_task_id: tasks.logo.task_id },
    section_id: sections.Done,
  })
  await ada['relations.create']({
    ...{ source_task_id: tasks.logo.task_id, target_task_id: tasks.copy.task_id },
    relation_type: 'BlockedBy',
  })
  const { expires_at } = await claimTask(bot, tasks.logo)
  await cleo['comments.add']({ task_id: tasks.logo.task_id, text: 'Soon' })
  const snoozed_until = minutesFromNow(w, 60)
  await cleo['tasks.snooze']({ task_id: tasks.logo.task_id, until: snoozed_until })
  const board = await w.read()
  expect(board).toMatchObject({ project_id, title: 'Home page', key: 'HP', whole: true })
  expect(board).toMatchObject({ gone: [], left_out: 0 })
  expect(board.sections.map(({ title, task_count }) => `${title} ${task_count}`)).toEqual([
    ...['Inbox 1', 'Next 1', 'Doing 1', 'Review 0', 'Done 2'],
  ])
  expect(board.cards.map(({ ticket_number }) => ticket_number)).toEqual([
    ...['HP-3', 'HP-2', 'HP-1', 'HP-4', 'HP-5'],
  ])
  const logo = board.cards.find(({ task_id }) => task_id === tasks.logo.task_id)!
  expect(logo).toEqual({
    ...{ task_id: logo.task_id, ticket_number: 'HP-1', title: 'Draw the logo', rank: logo.rank },
    ...{ section_id: sections.Doing, priority: 2, estimate: 3, due_date: '2026-11-27' },
    ...{ labels: [labels.ui], assignees: [cleo.caller.actor_id], subtasks: [1, 1] },
    ...{ blocked: true, comment_count: 1, snoozed_until },
    lease: { holder: bot.caller.agent_id!, expires_at },
  })
  const minimal = board.cards.find(({ task_id }) => task_id === tasks.domain.task_id)!
  expect(Object.keys(minimal).sort()).toEqual([
    ...['rank', 'section_id', 'task_id', 'ticket_number', 'title'],
  ])
  expect(board.cards.find(({ task_id }) => task_id === child.task_id)).toMatchObject({
    parent_task_id: tasks.logo.task_id,
  })
  expect(board.actors.map(({ name }) => name).sort()).toEqual(['Bot', 'Cleo'])
})

test('a delta has changed cards and the ids of removed ones, without their new location', async () => {
  const w = await twoBoards()
  const { ada, tasks, read, target } = w
  const before = await read()
  expect(await read(before.seq)).toMatchObject({ whole: false, cards: [], gone: [], actors: [] })
  await ada['tasks.update']({ ...tasks.copy, title: 'Write less' })
  await ada['tasks.update']({ ...tasks.link, status: 'Archive' })
  await ada['tasks.update']({ ...tasks.domain, status: 'Deleted' })
  await ada['tasks.move']({ ...tasks.logo, target_project_id: target })
  const change = await read(before.seq)
  expect(change.whole).toBe(false)
  expect(change.cards.map(({ title }) => title)).toEqual(['Write less'])
  expect(change.gone.toSorted((a, b) => a - b)).toEqual(
    [tasks.logo, tasks.link, tasks.domain].map(({ task_id }) => task_id).sort((a, b) => a - b),
  )
  expect(JSON.stringify(change)).not.toContain('WOR-')
})

test('archiving a blocker on a hidden board unblocks the card and reveals nothing else', async () => {
  const w = await twoBoards()
  const { ada, cleo, tasks, project_id, otherTaskId } = w
  await ada['relations.create']({
    ...{
      source_task_id: tasks.copy.task_id,
      target_task_id: otherTaskId,
      relation_type: 'BlockedBy',
    },
  })
  const before = await cleo['projects.board']({ project_id })
  const cardIn = ({ cards }: Board) => cards.find((one) => one.task_id === tasks.copy.task_id)
  expect(cardIn(before)?.blocked).toBe(true)
  await ada['tasks.update']({ task_id: otherTaskId, status: 'Archive' })
  const change = await cleo['projects.board']({ project_id, since: before.seq })
  expect(change.cards).toHaveLength(1)
  expect(cardIn(change)).not.toHaveProperty('blocked')
  expect(change.gone).toEqual([])
})

test('a board is not found without access, whatever since is, and forbidden without a scope', async () => {
  const { gus, otto, bot, addAgent, cleo, team_id, read, project_id, target } = await twoBoards()
  const { seq } = await read()
  const unscoped = await addAgent(team_id, cleo, 'Blind', [])
  for (const [actor, id] of [
    [gus, project_id],
    [otto, project_id],
    [bot, target],
    [cleo, target],
  ] as const)
    for (const since of [undefined, 0, seq])
      expect(await faultOf(actor['projects.board']({ project_id: id, since }))).toMatchObject({
        code: 'not_found',
      })
  expect(await faultOf(unscoped['projects.board']({ project_id }))).toMatchObject({
    code: 'forbidden',
  })
})

test('the whole board is returned for a future since, a deleted label or a changed done mark', async () => {
  const { ada, labels, sections, read, project_id } = await twoBoards()
  const { seq } = await read()
  expect((await read(seq + 1000)).whole).toBe(true)
  await ada['sections.update']({ project_id, section_id: sections.Review, title: 'Look' })
  expect((await read(seq)).whole).toBe(false)
  await ada['labels.delete']({ project_id, label_id: labels.bug })
  expect((await read(seq)).whole).toBe(true)
  const later = await read()
  await ada['sections.update']({ project_id, section_id: sections.Review, is_done: true })
  expect((await read(later.seq)).whole).toBe(true)
})

test('a board above the card limit returns the cards of open columns first', async () => {
  const { ada, store, clock, team_id, sections, project_id } = await twoBoards()
  for (const at of [1, 2, 3])
    await ada['tasks.create']({ project_id, title: `Done ${at}`, section_id: sections.Done })
  const titlesOf = (limit: number) =>
    store.read(async (tx) => {
      const ctx = { tx, caller: ada.caller, now: clock.now } as Context
      const { cards } = await allCards(ctx, await sectionsOf(tx, { team_id, project_id }), limit)
      return cards.map(({ title }) => title)
    })
  const open = ['Mend the broken link', 'Write the copy', 'Draw the logo']
  expect(await titlesOf(100)).toEqual([...open, 'Buy the domain', 'Done 1', 'Done 2', 'Done 3'])
  expect(await titlesOf(5)).toEqual([...open, 'Done 2', 'Done 3'])
  expect(await titlesOf(2)).toEqual(open.slice(0, 2))
})

const MUTATIONS = {
  create: (w, { at }) =>
    w.ada['tasks.create']({
      project_id: w.project_id,
      title: 'New',
      due_date: minutesFromNow(w, at),
    }),
  rename: (w, { task, at }) => w.ada['tasks.update']({ task_id: task, title: `Title ${at}` }),
  field: (w, { task, at }) =>
    w.ada['tasks.update']({
      ...{ task_id: task, priority: at % 5, recurrence: at % 2 ? 'Daily' : null },
      due_date: at % 3 ? minutesFromNow(w, at) : null,
    }),
  column: (w, { task, at }) =>
    w.ada['tasks.place']({ task_id: task, section_id: Object.values(w.sections)[at % 5]! }),
  label: (w, { task, at }) =>
    w.ada['tasks.update']({ task_id: task, labels: at % 2 ? [w.labels.ui] : [] }),
  assign: (w, { task, at }) =>
    w.ada['tasks.update']({
      ...{ task_id: task, assignee_ids: at % 2 ? [w.cleo.caller.actor_id] : [] },
    }),
  parent: (w, { task, other }) =>
    w.ada['tasks.update']({ task_id: task, parent_task_id: task === other ? null : other }),
  snooze: (w, { task, at }) =>
    w.ada['tasks.snooze']({ task_id: task, until: at % 3 ? minutesFromNow(w, at) : null }),
  status: (w, { task, at }) =>
    w.ada['tasks.update']({ task_id: task, status: (['Archive', 'Normal'] as const)[at % 2] }),
  away: (w, { task }) => w.ada['tasks.move']({ task_id: task, target_project_id: w.target }),
  back: (w, { task }) => w.ada['tasks.move']({ task_id: task, target_project_id: w.project_id }),
  block: (w, { task, other }) =>
    w.ada['relations.create']({
      ...{ source_task_id: task, target_task_id: other, relation_type: 'BlockedBy' },
    }),
  free: (w, { task, other }) =>
    w.ada['relations.delete']({ source_task_id: task, target_task_id: other }),
  comment: (w, { task }) => w.ada['comments.add']({ task_id: task, text: 'So' }),
  page: (w, { task }) => w.ada['pages.create']({ task_id: task, title: 'P', content: 'p' }),
  pull: (w, { task, at }) =>
    w.ada['pull_requests.create']({ task_id: task, url: `https://git.example.com/pull/${at}` }),
  claim: (w, { task, at }) => w.bot['leases.claim']({ task_id: task, ttl: (at + 1) * MINUTE }),
  work: (w, { task, at }) => w.bot['tasks.update']({ task_id: task, priority: at % 5 }),
  release: async (w, { task }) => {
    const { lease_id } = await w.bot['leases.claim']({ task_id: task })
    return w.bot['leases.release']({ lease_id })
  },
  wait: async (w, { at }) => w.clock.advance(at * MINUTE),
  rename_person: (w, { at }) =>
    w.cleo['user_context.update_profile']({ display_name: `Cleo ${at}` }),
  rename_agent: (w, { at }) =>
    w.ada['agents.update']({ agent_id: w.bot.caller.agent_id!, name: `Bot ${at}` }),
  label_gone: (w) => w.ada['labels.delete']({ project_id: w.project_id, label_id: w.labels.ui }),
  done: (w, { at }) =>
    w.ada['sections.update']({
      ...{ project_id: w.project_id, section_id: w.sections.Review, is_done: at % 2 === 0 },
    }),
  column_gone: (w) =>
    w.ada['sections.delete']({
      ...{ project_id: w.project_id, section_id: w.sections.Doing },
      move_tasks_to_section_id: w.sections.Next,
    }),
} satisfies Record<string, (w: Fixture, input: MutationInput) => Promise<unknown>> as Record<
  string,
  (w: Fixture, input: MutationInput) => Promise<unknown>
>

type Fixture = World & Awaited<ReturnType<typeof twoBoards>>
interface MutationInput {
  task: number
  other: number
  at: number
}

const minutesFromNow = ({ clock }: World, at: number) =>
  new Date(clock.now.getTime() + at * MINUTE).toISOString()

test('after random changes, the previous board with the delta equals the current board', async () => {
  const step = fc.record({
    mutation: fc.constantFrom(...Object.keys(MUTATIONS)),
    task: fc.nat(5),
    other: fc.nat(5),
    at: fc.nat(12),
    shouldRead: fc.boolean(),
  })
  const performed = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const w = await twoBoards()
      const ids = [...Object.values(w.tasks).map(({ task_id }) => task_id), w.otherTaskId, 999]
      let board = await w.read()
      for (const { mutation, task, other, at, shouldRead } of steps) {
        // Some random steps are invalid, and must be refused with a fault.
        const input = { task: ids[task]!, other: ids[other]!, at }
        await MUTATIONS[mutation]!(w, input).then(
          () => performed.add(mutation),
          (error) => expect(error.code).toBeString(),
        )
        if (!shouldRead) continue
        board = applyDelta(board, await w.read(board.seq))
        expect(normalized(board)).toEqual(normalized(await w.read()))
      }
    }),
    { numRuns: Number(process.env.CORK_TEST_RUNS ?? (onPostgres ? 6 : 25)) },
  )
  expect(performed.size).toBeGreaterThan(12)
})
