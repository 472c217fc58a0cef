import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { growingTables, type Plan, queryPlans, stepsOf } from '../support/query-plans.ts'
import { world } from '../support/world.ts'

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

test('the queue of a board is read with its four indexes and never sorted as a whole', async () => {
  const { cleo, board } = await world()
  const plans = await queryPlans(() => cleo['tasks.next']({ project_id: board.project_id }))
  const queues = plans.filter(({ sql }) => /"priority" (=|<>) 1/.test(sql))
  expect(
    new Set(queues.map(({ steps }) => steps.find((step) => /^SEARCH tasks/.test(step)))),
  ).toEqual(
    new Set([
      'SEARCH tasks USING INDEX tasks_queue_urgent_due (team_id=? AND section_id=? AND status=? AND leased_by=? AND assigned=? AND due_at>?)',
      'SEARCH tasks USING INDEX tasks_queue_urgent (team_id=? AND section_id=? AND status=? AND leased_by=? AND assigned=?)',
      'SEARCH tasks USING INDEX tasks_queue_due (team_id=? AND section_id=? AND status=? AND leased_by=? AND assigned=? AND due_at>?)',
      'SEARCH tasks USING INDEX tasks_queue (team_id=? AND section_id=? AND status=? AND leased_by=? AND assigned=?)',
    ]),
  )
  expect(queues.flatMap(({ steps }) => steps)).not.toContain('USE TEMP B-TREE FOR ORDER BY')
})

test('a view in manual order is read column by column and not sorted', async () => {
  const { cleo, board } = await world()
  const { view_id } = await cleo['views.create']({ project_id: board.project_id, title: 'All' })
  const plans = await queryPlans(() => cleo['views.tasks']({ view_id }))
  const columns = plans.filter(({ sql }) => /order by "tasks"."rank" asc/.test(sql))
  const steps = columns.flatMap((plan) => plan.steps)
  expect(steps.join()).toContain(
    'USING COVERING INDEX tasks_order (team_id=? AND section_id=? AND status=?)',
  )
  expect(steps.join()).not.toContain('TEMP B-TREE')
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

test('a query plan that visits all rows of a table, a team or a board is detected', () => {
  const database = new Database(':memory:')
  database.run('create table tasks (task_id integer primary key, team_id, project_id, title)')
  database.run('create index tasks_board on tasks (team_id, project_id)')
  database.run('create table projects (project_id integer primary key, team_id unique)')
  database.run('create table task_labels (team_id, task_id, label_id)')
  database.run('create index task_labels_label on task_labels (team_id, label_id, task_id)')
  const growing = (sql: string) => growingTables({ sql, steps: stepsOf(database, sql) })
  const ofBoard = 'from tasks where team_id = 1 and project_id = 2'
  expect(growing('select * from tasks where title = 2')).toEqual(['tasks'])
  expect(growing('select label_id from task_labels where team_id = 1')).toEqual(['task_labels'])
  expect(growing(`select * ${ofBoard} order by title limit 5`)).toEqual(['tasks'])
  expect(growing(`select count(*) ${ofBoard}`)).toEqual(['tasks'])
  expect(growing('select * from projects')).toEqual(['projects'])
  expect(growing('select * from projects where team_id = 1')).toEqual([])
  expect(growing(`select * ${ofBoard} limit 5`)).toEqual([])
  expect(growing('select * from tasks where task_id = 7')).toEqual([])
})
