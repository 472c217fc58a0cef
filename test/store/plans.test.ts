import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { type Plan, queryPlans, stepsOf, unboundedSteps } from '../support/query-plans.ts'
import { world } from '../support/world.ts'

/** The most frequent reads of people and agents, on one board and across boards. */
const READS: Record<string, (board: { project_id: number }) => [name: string, input: object]> = {
  'a board': (board) => ['projects.board', board],
  'the changes of a board': (board) => ['projects.board', { ...board, since: 1 }],
  'the next task': (board) => ['tasks.next', { ...board, limit: 1 }],
  'the next unblocked task': (board) => ['tasks.next', { ...board, exclude_blocked: true }],
  'tasks of a board': (board) => ['tasks.list', { ...board, limit: 1 }],
  'tasks of a column': (board) => ['tasks.list', { ...board, section: 'Doing', limit: 1 }],
  'tasks of all boards': () => ['tasks.list', { limit: 1 }],
  'tasks of all boards by title': () => ['tasks.list', { sort: 'title:desc', limit: 1 }],
  'tasks of all boards by due date': () => ['tasks.list', { sort: 'dueDate', limit: 1 }],
  'tasks of all boards by priority': () => ['tasks.list', { sort: 'priority', limit: 1 }],
}

for (const [description, read] of Object.entries(READS))
  test(`a query for ${description} visits only rows of its boards`, async () => {
    const { cleo, board } = await world()
    const [name, input] = read({ project_id: board.project_id })
    const plans = await queryPlans(() => cleo[name as 'tasks.list'](input))
    expect(plans.length).toBeGreaterThan(0)
    expect(
      plans.flatMap((plan) => unboundedSteps(plan).map((step) => ({ ...plan, step }))),
    ).toEqual([])
  })

const stepsMatching = (plans: Plan[], pattern: RegExp) =>
  plans.filter(({ sql }) => pattern.test(sql)).flatMap(({ steps }) => steps)

test('leased tasks are counted for tasks.next with the index tasks_taken', async () => {
  const { cleo, board } = await world()
  const input = { project_id: board.project_id, limit: 1 }
  const plans = await queryPlans(() => cleo['tasks.next'](input))
  expect(stepsMatching(plans, /^select count.*leased_by" is not null/).join()).toMatch(
    /^SEARCH tasks USING INDEX tasks_taken \(team_id=\? AND section_id=\? AND status=\?\)$/,
  )
})

test('the total of a filter without an index is counted with the index tasks_created', async () => {
  const { cleo, board } = await world()
  const input = { project_id: board.project_id, has_comments: false, limit: 1 }
  const plans = await queryPlans(() => cleo['tasks.list'](input))
  const steps = stepsMatching(plans, /^select count/)
  expect(steps.filter((step) => step.startsWith('SEARCH'))).toEqual([
    'SEARCH tasks USING INDEX tasks_created (team_id=? AND project_id=? AND status=?)',
  ])
})

test('the total of a column is counted with a covering index', async () => {
  const { cleo, board, sections } = await world()
  await cleo['tasks.create']({
    ...{ project_id: board.project_id, section_id: sections.Next, title: 'Second' },
  })
  const input = { project_id: board.project_id, section_id: sections.Next, limit: 1 }
  const plans = await queryPlans(() => cleo['tasks.list'](input))
  expect(stepsMatching(plans, /^select count/).join()).toContain('COVERING INDEX tasks_order')
})

test('a statement that scans a whole team or table is detected', () => {
  const database = new Database(':memory:')
  database.run('create table tasks (task_id integer primary key, team_id, section_id)')
  database.run('create index tasks_order on tasks (team_id, section_id)')
  database.run('create table task_labels (team_id, task_id, label_id)')
  database.run('create index task_labels_label on task_labels (team_id, label_id, task_id)')
  const sql = `select label_id from tasks join task_labels using (team_id, task_id)
    where team_id = 1 and section_id = 2 order by label_id`
  expect(unboundedSteps({ sql, steps: stepsOf(database, sql) })).toEqual([
    'SEARCH task_labels USING COVERING INDEX task_labels_label (team_id=?)',
  ])
  const scanSql = 'select * from tasks where section_id = 2'
  expect(unboundedSteps({ sql: scanSql, steps: stepsOf(database, scanSql) })).toEqual([
    'SCAN tasks',
  ])
})
