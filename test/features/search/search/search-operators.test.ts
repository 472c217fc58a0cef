import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, world } from '../../../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const found = async (actor: Actor, query: string) =>
  (await actor['search.tasks']({ query, limit: 50 })).items
    .map(({ ticket_number }) => ticket_number)
    .toSorted()

/** The fixture tasks HP-1 to HP-4 with differences, and ten days later HP-5 and HP-6. */
async function varied() {
  const w = await world()
  const { cleo, ben, clock, tasks, board } = w
  const { project_id } = board
  await cleo['relations.create']({
    ...{ source_task_id: tasks.copy.task_id, target_task_id: tasks.logo.task_id },
    relation_type: 'BlockedBy',
  })
  clock.advance(10 * DAY_MS)
  await ben['tasks.create']({ project_id, title: 'Order "blue ink" today', due_date: '2026-11-30' })
  await ben['tasks.create']({
    project_id,
    title: 'Blue paper ink',
    assignee_ids: [ben.caller.actor_id],
  })
  await ben['tasks.update']({ task_id: tasks.link.task_id, status: 'Archive' })
  return w
}

const cases: [query: string, keys: string[]][] = [
  ['is:open', ['HP-1', 'HP-2', 'HP-5', 'HP-6']],
  ['is:done', ['HP-4']],
  ['-is:done', ['HP-1', 'HP-2', 'HP-5', 'HP-6']],
  ['is:archived', ['HP-3']],
  ['-is:archived is:done', ['HP-4']],
  ['is:overdue', ['HP-1']],
  ['is:blocked', ['HP-2']],
  ['is:blocking', ['HP-1']],
  ['is:blocked OR is:blocking', ['HP-1', 'HP-2']],
  ['has:due', ['HP-1', 'HP-5']],
  ['has:pr', []],
  ['-has:comment -has:attachment is:done', ['HP-4']],
  ['assignee:cleo', ['HP-1']],
  ['assignee:@me', ['HP-1']],
  ['by:@ben', ['HP-5', 'HP-6']],
  ['assignee:me,ben', ['HP-1', 'HP-6']],
  ['assignee:none is:open', ['HP-2', 'HP-5']],
  ['by:ben', ['HP-5', 'HP-6']],
  ['label:UI', ['HP-1']],
  ['label:none is:open', ['HP-2', 'HP-5', 'HP-6']],
  ['section:doing', ['HP-1']],
  ['board:"home page" is:done', ['HP-4']],
  ['board:hp is:done', ['HP-4']],
  ['-board:hp', []],
  ['priority:high', ['HP-1']],
  ['priority:high,none -is:done', ['HP-1', 'HP-2', 'HP-5', 'HP-6']],
  ['size:S', ['HP-1']],
  ['due:2026-11-30', ['HP-5']],
  ['due:today', ['HP-5']],
  ['due:<=2026-11-27', ['HP-1']],
  ['due:<2026-11-27', []],
  ['due:>2026-11-27', ['HP-5']],
  ['due:>=2026-11-27', ['HP-1', 'HP-5']],
  ['due:week', ['HP-5']],
  ['due:<+7d', ['HP-1', 'HP-5']],
  ['due:>-1d', ['HP-5']],
  ['due:+0d', ['HP-5']],
  ['due:overdue', ['HP-1']],
  ['due:none is:open', ['HP-2', 'HP-6']],
  ['created:>7d -is:done', ['HP-1', 'HP-2']],
  ['created:<7d', ['HP-5', 'HP-6']],
  ['created:<-7d -is:done', ['HP-1', 'HP-2']],
  ['created:>=-7d', ['HP-5', 'HP-6']],
  ['created:today', ['HP-5', 'HP-6']],
  ['updated:<2026-11-25 is:open', ['HP-1', 'HP-2']],
  ['completed:>7d', ['HP-4']],
  ['completed:<7d', []],
  ['moved:<7d', ['HP-5', 'HP-6']],
  ['commented:today', []],
  // Words, phrases and keys, with and without operators.
  ['blue ink', ['HP-5', 'HP-6']],
  ['"blue ink"', ['HP-5']],
  ['ink -paper', ['HP-5']],
  ['ink -hp-5', ['HP-6']],
  ['hp-5 OR paper', ['HP-5', 'HP-6']],
  ['-ink is:open', ['HP-1', 'HP-2']],
  ['ink -"blue ink"', ['HP-6']],
  ['logo OR paper', ['HP-1', 'HP-6']],
  ['ink assignee:me', []],
  ['ink due:today', ['HP-5']],
  ['pap', ['HP-6']],
  ['colours', ['HP-1']],
  ['COLÓUR', ['HP-1']],
  ['link is:archived', ['HP-3']],
]

test('each operator finds the matching tasks, alone, negated and combined with words', async () => {
  const { cleo } = await varied()
  for (const [query, keys] of cases)
    expect([query, await found(cleo, query)]).toEqual([query, keys])
})

test('a task list takes the same queries in query or search, and combines the two', async () => {
  const { cleo, board } = await varied()
  for (const field of ['query', 'search'])
    for (const [query, keys] of cases) {
      const listed = await cleo['tasks.list']({ [field]: query, limit: 50 })
      const tickets = listed.items.map(({ ticket_number }) => ticket_number)
      expect([field, query, tickets.toSorted()]).toEqual([field, query, keys])
      expect(listed.page.total).toBe(keys.length)
    }
  const both = { query: 'ink', search: 'paper', project_id: board.project_id }
  expect((await cleo['tasks.list'](both)).items.map(({ title }) => title)).toEqual([
    'Blue paper ink',
  ])
})

test('an unknown operator or invalid value in a query is refused with a hint', async () => {
  const { cleo } = await world()
  const bad: [string, RegExp][] = [
    ['is:opne', /no is:opne.*Did you mean is:open\?/],
    ['is:asleep', /Available: open, done, archived, overdue, blocked, blocking, snoozed/],
    ['has:poem', /Available: due, pr, attachment, comment, page/],
    ['due:soon', /2026-12-01/],
    ['priority:huge', /priority must be one of/],
    ['size:huge', /size must be one of/],
    ['created:>2026-02-30', /valid ISO 8601 date/],
    ['asignee:me', /Did you mean assignee:\?/],
  ]
  for (const [query, expected] of bad)
    for (const operation of ['search.tasks', 'tasks.list'] as const) {
      const { message, hint, details } = await faultOf(cleo[operation]({ query }))
      expect([query, details.field]).toEqual([query, 'query'])
      expect(`${message} ${hint}`).toMatch(expected)
    }
})

test('an unknown board, label, section or assignee in a query finds nothing, with a warning', async () => {
  const { cleo, http } = await world()
  for (const query of ['board:nowhere', 'label:nothing', 'section:nowhere', 'assignee:nobody']) {
    const path = `/api/v1/search/tasks?query=${encodeURIComponent(query)}`
    const { body } = await http(cleo, 'GET', path)
    expect([query, body.data, body.warnings?.[0]?.field]).toEqual([query, [], 'query'])
  }
})
