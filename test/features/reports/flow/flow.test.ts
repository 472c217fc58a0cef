import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { TaskRecord } from '../../../../src/features/tasks/records/model/index.ts'
import { dialect } from '../../../../src/store/columns.ts'
import { migrationsOf } from '../../../../src/store/migrations.ts'
import { createDatabaseLocation, openTestStore } from '../../../support/database.ts'
import { faultOf } from '../../../support/faults.ts'
import { NOON, world } from '../../../support/world.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Creates a board with one column for each role. */
async function createFlowBoard(hasBoard = true) {
  const w = await world({ hasBoard })
  const project = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Works' },
    sections: [
      { title: 'Ideas', role: 'intake' },
      { title: 'Next', role: 'committed' },
      { title: 'Doing', role: 'building' },
      { title: 'Check', role: 'verify' },
      { title: 'Done', role: 'done', is_done: true },
    ],
  })
  const { project_id } = project
  const ids = new Map(project.sections.map(({ title, section_id }) => [title, section_id]))
  const to = (task_id: number, title: string) =>
    w.ada['tasks.update']({ task_id, section_id: ids.get(title)! })
  const add = async (title: string, column: string) =>
    (await w.ada['tasks.create']({ project_id, title, section_id: ids.get(column)! })).task_id
  const flow = (overrides: object = {}) => w.ada['flow.report']({ project_id, ...overrides })
  return { ...w, project_id, ids, to, add, flow }
}

test('completed tasks are counted per day, with their cycle and lead times', async () => {
  const w = await createFlowBoard()
  const kite = await w.add('Kite', 'Ideas')
  const boat = await w.add('Boat', 'Next')
  const note = await w.add('Note', 'Ideas')
  w.clock.advance(DAY)
  await w.to(kite, 'Next')
  w.clock.advance(DAY)
  await w.to(kite, 'Doing')
  w.clock.advance(6 * HOUR)
  await w.to(kite, 'Next')
  await w.to(kite, 'Check')
  w.clock.advance(4 * HOUR)
  await w.to(kite, 'Done')
  await w.to(boat, 'Done')
  await w.to(note, 'Done')
  const report = await w.flow()
  expect(report).toMatchObject({ from: '2026-10-24', to: '2026-11-22', completed: 3 })
  expect(report.days).toHaveLength(30)
  expect(report.days.filter(({ completed }) => completed)).toMatchObject([
    { day: '2026-11-22', completed: 3 },
  ])
  // The cycle starts with work, or else when the task is committed. Without both there is none.
  const hours = report.done.map(({ title, cycle_seconds, lead_seconds }) => [
    title,
    cycle_seconds === null ? null : cycle_seconds / 3600,
    lead_seconds / 3600,
  ])
  expect(hours).toEqual([
    ['Note', null, 58],
    ['Boat', 58, 58],
    ['Kite', 10, 58],
  ])
  const hour = 3600
  expect(report.cycle).toEqual({ tasks: 2, median: 10 * hour, p85: 58 * hour, p95: 58 * hour })
  expect(report.lead).toMatchObject({ tasks: 3, median: 58 * hour })
})

test('column counts are those at the end of each day, with deleted columns in one extra column', async () => {
  const w = await createFlowBoard()
  const kite = await w.add('Kite', 'Ideas')
  await w.add('Boat', 'Ideas')
  w.clock.advance(DAY)
  await w.to(kite, 'Doing')
  w.clock.advance(DAY)
  await w.ada['tasks.update']({ task_id: kite, status: 'Archive' })
  const dailyCounts = async () =>
    (await w.flow({ from: '2026-11-19' })).days.map(({ tasks }) => tasks.join(' '))
  const before = ['0 0 0 0 0', '2 0 0 0 0', '1 0 1 0 0', '1 0 0 0 0']
  expect(await dailyCounts()).toEqual(before)
  // A task that was archived and restored is missing only in between.
  w.clock.advance(DAY)
  await w.ada['tasks.update']({ task_id: kite, status: 'Normal' })
  expect(await dailyCounts()).toEqual([...before, '1 0 1 0 0'])
  await w.ada['sections.delete']({
    ...{ project_id: w.project_id, section_id: w.ids.get('Doing')! },
    move_tasks_to_section_id: w.ids.get('Check')!,
  })
  const { columns, days } = await w.flow({ from: '2026-11-21', to: '2026-11-23' })
  expect(columns.map(({ title }) => title)).toEqual([
    ...['Ideas', 'Next', 'Check', 'Done', 'Deleted columns'],
  ])
  expect(days.map(({ tasks }) => tasks.join(' '))).toEqual(['1 0 0 0 1', '1 0 0 0 0', '1 0 1 0 0'])
})

test('tasks in progress are listed with their age, oldest first', async () => {
  const w = await createFlowBoard()
  const kite = await w.add('Kite', 'Next')
  await w.add('Boat', 'Check')
  w.clock.advance(DAY)
  await w.to(kite, 'Doing')
  w.clock.advance(HOUR)
  const { going, going_total } = await w.flow()
  expect(going_total).toBe(2)
  expect(going.map(({ title, age_seconds }) => [title, age_seconds / 3600])).toEqual([
    ['Boat', 25],
    ['Kite', 1],
  ])
})

test('a completed task moved to a hidden board still counts, without its key and title', async () => {
  const w = await createFlowBoard()
  const kite = await w.add('Kite', 'Doing')
  await w.to(kite, 'Done')
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Hidden', access: 'invited' },
    sections: [{ title: 'Open' }, { title: 'Done', is_done: true }],
  })
  await w.ada['tasks.move']({ task_id: kite, target_project_id: other.project_id })
  const report = await w.ben['flow.report']({ project_id: w.project_id })
  expect(report).toMatchObject({ completed: 1, done: [{ ticket_number: null, title: null }] })
  const otherReport = await w.ada['flow.report']({ project_id: other.project_id })
  expect(otherReport.completed).toBe(0)
  expect(otherReport.days.at(-1)!.tasks).toEqual([0, 1])
})

test('an invalid, reversed or too long date range and a hidden board are refused', async () => {
  const w = await createFlowBoard()
  const errorMessage = async (overrides: object) => (await faultOf(w.flow(overrides))).message
  expect(await errorMessage({ from: '2026-02-30' })).toBe('from is not a valid date')
  expect(await errorMessage({ from: '2026-11-21' })).toBe('from is after to, or in the future')
  expect(await errorMessage({ from: '2025-11-19' })).toBe(
    'The range has 367 days; the maximum is 366',
  )
  expect((await w.flow({ from: '2025-11-20', to: '2027-01-01' })).days).toHaveLength(366)
  const strangerFault = await faultOf(w.otto['flow.report']({ project_id: w.project_id }))
  expect(strangerFault.code).toBe('not_found')
})

test('the CSV has a row per day or per completed task, and escapes formulas', async () => {
  const w = await createFlowBoard()
  await w.to(await w.add('=Kite', 'Doing'), 'Done')
  const days = await w.flow({ format: 'csv', from: '2026-11-20' })
  expect(days.csv).toBe(
    'day,completed,in Ideas,in Next,in Doing,in Check,in Done\n2026-11-20,1,0,0,0,0,1\n',
  )
  const { csv } = await w.flow({ format: 'csv', table: 'tasks' })
  expect(csv!.split('\n')[0]).toBe(
    'task_id,ticket_number,title,completed_at,cycle_seconds,lead_seconds',
  )
  expect(csv).toContain(",WOR-1,'=Kite,2026-11-20T12:00:00.000Z,0,0")
})

type Board = Awaited<ReturnType<typeof createFlowBoard>>
type Flow = Awaited<ReturnType<Board['flow']>>

/** Records what the board showed at the end of each day, and when its tasks were completed. */
class Model {
  readonly levels = new Map<string, Map<number, number>>()
  readonly done = new Map<number, { project_id: number; day: string }>()

  constructor(
    readonly w: Board,
    readonly tasks: number[],
    readonly columns: number[],
    readonly otherProjectId: number,
  ) {}

  async observe() {
    const { w } = this
    const { sections } = await w.ada['projects.board']({ project_id: w.project_id })
    const counts = sections.map(({ section_id, task_count }) => [section_id, task_count] as const)
    this.levels.set(dayAt(w.clock.now), new Map(counts))
    for (const task_id of this.tasks) {
      const task = await w.ada['tasks.get']({ task_id })
      const { completed_at, project_id } = task as TaskRecord
      if (!completed_at) this.done.delete(task_id)
      else if (!this.done.has(task_id))
        this.done.set(task_id, { project_id, day: dayAt(new Date(completed_at)) })
    }
  }
}

const zone = Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short' })
const dayAt = (date: Date) => zone.format(date)

type Action = (model: Model, task_id: number, column: number) => Promise<unknown>
const ACTIONS: Record<string, Action> = {
  move: ({ w }, task_id, section_id) => w.ada['tasks.update']({ task_id, section_id }),
  moveAgain: ({ w }, task_id, section_id) => w.ada['tasks.update']({ task_id, section_id }),
  archive: ({ w }, task_id) => w.ada['tasks.update']({ task_id, status: 'Archive' }),
  erase: ({ w }, task_id) => w.ada['tasks.update']({ task_id, status: 'Deleted' }),
  restore: ({ w }, task_id) => w.ada['tasks.update']({ task_id, status: 'Normal' }),
  moveAway: ({ w, otherProjectId }, task_id) =>
    w.ada['tasks.move']({ task_id, target_project_id: otherProjectId }),
  moveBack: ({ w }, task_id) => w.ada['tasks.move']({ task_id, target_project_id: w.project_id }),
  create: async (model, _, section_id) => {
    const { project_id } = model.w
    const task = await model.w.ada['tasks.create']({ project_id, title: 'New', section_id })
    model.tasks.push(task.task_id)
  },
  toggleDone: async ({ w }, _, section_id) => {
    const { section } = await w.ada['sections.get']({ project_id: w.project_id, section_id })
    await w.ada['sections.update']({
      ...{ project_id: w.project_id, section_id, is_done: !section.done },
    })
  },
  deleteColumn: async ({ w, columns }, _, section_id) => {
    if (columns.length < 3) return
    columns.splice(columns.indexOf(section_id), 1)
    const { project_id } = w
    await w.ada['sections.delete']({
      ...{ project_id, section_id, move_tasks_to_section_id: columns[0]! },
    })
  },
}

async function runSteps(steps: readonly Step[]): Promise<Model> {
  const w = await createFlowBoard()
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Other' },
    sections: [{ title: 'Open' }, { title: 'Done', is_done: true }],
  })
  const tasks = [await w.add('Kite', 'Ideas'), await w.add('Boat', 'Doing')]
  const model = new Model(w, tasks, [...w.ids.values()], other.project_id)
  await model.observe()
  for (const { action, task, column, hours } of steps) {
    // Hours pass before each step, so that some steps fall on the same day and some on later ones.
    w.clock.advance(hours * HOUR)
    await model.observe()
    const { tasks, columns } = model
    const change = ACTIONS[action]!(
      model,
      tasks[task % tasks.length]!,
      columns[column % columns.length]!,
    )
    // Moving a task to a column of a board that the task is not on is refused.
    await change.catch((error) => expect(error).toHaveProperty('code'))
    await model.observe()
  }
  return model
}

interface Step {
  action: string
  task: number
  column: number
  hours: number
}
const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...Object.keys(ACTIONS)),
  task: fc.nat(5),
  column: fc.nat(4),
  hours: fc.nat(30),
})

const flowOf = ({ w }: Model) => w.flow({ from: '2026-11-20', to: dayAt(w.clock.now) })

function expectDone({ w, done }: Model, { days }: Flow) {
  const completedHere = [...done.values()].filter(({ project_id }) => project_id === w.project_id)
  for (const { day, completed } of days)
    expect([day, completed]).toEqual([
      day,
      completedHere.filter((completion) => completion.day === day).length,
    ])
}

function expectLevels({ levels }: Model, { columns, days }: Flow) {
  let counts = new Map<number, number>()
  for (const { day, tasks } of days) {
    counts = levels.get(day) ?? counts
    // Tasks of columns that are deleted by now are counted together in an extra column.
    const columnIds = new Set(columns.map(({ section_id }) => section_id))
    const deletedColumnTasks = [...counts].reduce(
      (sum, [id, count]) => sum + (columnIds.has(id) ? 0 : count),
      0,
    )
    const expected = columns.map(({ section_id }) =>
      section_id === null ? deletedColumnTasks : (counts.get(section_id) ?? 0),
    )
    expect([day, tasks]).toEqual([day, expected])
    if (!columnIds.has(null)) expect(deletedColumnTasks).toBe(0)
  }
}

/** Replaces the recorded moves by those that the migration derives from an older database. */
async function rebuildTaskMoves({ w }: Model) {
  const { statements } = migrationsOf(dialect).find(({ name }) => name.endsWith('task_moves'))!
  const inserts = statements.filter((statement) => statement.includes('INSERT INTO task_moves'))
  expect(inserts).toHaveLength(2)
  await w.store.write(async (tx) => {
    const raw = tx as unknown as Record<'run' | 'execute', (query: SQL) => Promise<unknown>>
    for (const statement of ['delete from task_moves', ...inserts])
      await raw[dialect === 'sqlite' ? 'run' : 'execute'](sql.raw(statement))
  })
}

test('after any sequence of changes, the report matches what the board showed each day', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const model = await runSteps(steps)
      const flow = await flowOf(model)
      expectDone(model, flow)
      expectLevels(model, flow)
      await rebuildTaskMoves(model)
      expectLevels(model, await flowOf(model))
    }),
    { numRuns: dialect === 'sqlite' ? 10 : 3 },
  )
})

test('the queries of the flow report use the indexes of task moves', async () => {
  const location = await createDatabaseLocation()
  if (location.url) return
  await (await openTestStore(location, () => NOON)).close()
  const database = new Database(location.path, { readonly: true })
  const planOf = (query: string) =>
    database
      .query<{ detail: string }, []>(`explain query plan ${query}`)
      .all()
      .map(({ detail }) => detail)
  expect(
    planOf(`select * from task_moves where team_id = 1 and project_id = 1 and moved_at >= 5
      and (moved_at > 5 or move_id > 7) order by moved_at, move_id limit 500`),
  ).toEqual([
    'SEARCH task_moves USING INDEX task_moves_board (team_id=? AND project_id=? AND moved_at>?)',
  ])
  expect(
    planOf(`select task_id, role, min(moved_at) from task_moves where team_id = 1
      and task_id in (1, 2) and role in ('building', 'verify') group by task_id, role`),
  ).toEqual([
    'SEARCH task_moves USING COVERING INDEX task_moves_task (team_id=? AND task_id=? AND role=?)',
  ])
  database.close()
})
