import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { TaskRecord } from '../../src/features/tasks/index.ts'
import { dialect } from '../../src/store/columns.ts'
import { migrationsOf } from '../../src/store/migrations.ts'
import { opened, place } from '../database.ts'
import { refused } from '../refused.ts'
import { NOON, world } from '../world.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** A board with one column for each role. */
async function board(furnished = true) {
  const w = await world({ furnished })
  const made = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Works' },
    sections: [
      { title: 'Ideas', role: 'intake' },
      { title: 'Next', role: 'committed' },
      { title: 'Doing', role: 'building' },
      { title: 'Check', role: 'verify' },
      { title: 'Done', role: 'done', is_done: true },
    ],
  })
  const { project_id } = made
  const ids = new Map(made.sections.map(({ title, section_id }) => [title, section_id]))
  const to = (task_id: number, title: string) =>
    w.ada['tasks.update']({ task_id, section_id: ids.get(title)! })
  const add = async (title: string, column: string) =>
    (await w.ada['tasks.create']({ project_id, title, section_id: ids.get(column)! })).task_id
  const flow = (more: object = {}) => w.ada['flow.report']({ project_id, ...more })
  return { ...w, project_id, ids, to, add, flow }
}

test('completed tasks are counted per day, with their cycle and lead times', async () => {
  const w = await board()
  const kite = await w.add('Kite', 'Ideas')
  const boat = await w.add('Boat', 'Next')
  const note = await w.add('Note', 'Ideas')
  w.clock.pass(DAY)
  await w.to(kite, 'Next')
  w.clock.pass(DAY)
  await w.to(kite, 'Doing')
  w.clock.pass(6 * HOUR)
  await w.to(kite, 'Next')
  await w.to(kite, 'Check')
  w.clock.pass(4 * HOUR)
  await w.to(kite, 'Done')
  await w.to(boat, 'Done')
  await w.to(note, 'Done')
  const found = await w.flow()
  expect(found).toMatchObject({ from: '2026-10-24', to: '2026-11-22', completed: 3 })
  expect(found.days).toHaveLength(30)
  expect(found.days.filter(({ completed }) => completed)).toMatchObject([
    { day: '2026-11-22', completed: 3 },
  ])
  // The cycle starts with work, or else when the task is committed. Without both there is none.
  const hours = found.done.map(({ title, cycle_seconds, lead_seconds }) => [
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
  expect(found.cycle).toEqual({ tasks: 2, median: 10 * hour, p85: 58 * hour, p95: 58 * hour })
  expect(found.lead).toMatchObject({ tasks: 3, median: 58 * hour })
})

test('column counts are those at the end of each day, with deleted columns in one extra column', async () => {
  const w = await board()
  const kite = await w.add('Kite', 'Ideas')
  await w.add('Boat', 'Ideas')
  w.clock.pass(DAY)
  await w.to(kite, 'Doing')
  w.clock.pass(DAY)
  await w.ada['tasks.update']({ task_id: kite, status: 'Archive' })
  const levels = async () =>
    (await w.flow({ from: '2026-11-19' })).days.map(({ tasks }) => tasks.join(' '))
  const before = ['0 0 0 0 0', '2 0 0 0 0', '1 0 1 0 0', '1 0 0 0 0']
  expect(await levels()).toEqual(before)
  // A task that was archived and restored is missing only in between.
  w.clock.pass(DAY)
  await w.ada['tasks.update']({ task_id: kite, status: 'Normal' })
  expect(await levels()).toEqual([...before, '1 0 1 0 0'])
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
  const w = await board()
  const kite = await w.add('Kite', 'Next')
  await w.add('Boat', 'Check')
  w.clock.pass(DAY)
  await w.to(kite, 'Doing')
  w.clock.pass(HOUR)
  const { going, going_total } = await w.flow()
  expect(going_total).toBe(2)
  expect(going.map(({ title, age_seconds }) => [title, age_seconds / 3600])).toEqual([
    ['Boat', 25],
    ['Kite', 1],
  ])
})

test('a completed task moved to a hidden board still counts, without its key and title', async () => {
  const w = await board()
  const kite = await w.add('Kite', 'Doing')
  await w.to(kite, 'Done')
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Hidden', access: 'invited' },
    sections: [{ title: 'Open' }, { title: 'Done', is_done: true }],
  })
  await w.ada['tasks.move']({ task_id: kite, target_project_id: other.project_id })
  const here = await w.ben['flow.report']({ project_id: w.project_id })
  expect(here).toMatchObject({ completed: 1, done: [{ ticket_number: null, title: null }] })
  const there = await w.ada['flow.report']({ project_id: other.project_id })
  expect(there.completed).toBe(0)
  expect(there.days.at(-1)!.tasks).toEqual([0, 1])
})

test('an invalid, reversed or too long date range and a hidden board are refused', async () => {
  const w = await board()
  const why = async (more: object) => (await refused(w.flow(more))).message
  expect(await why({ from: '2026-02-30' })).toBe('from is not a valid date')
  expect(await why({ from: '2026-11-21' })).toBe('from is after to, or in the future')
  expect(await why({ from: '2025-11-19' })).toBe('The range has 367 days; the maximum is 366')
  expect((await w.flow({ from: '2025-11-20', to: '2027-01-01' })).days).toHaveLength(366)
  const strange = await refused(w.otto['flow.report']({ project_id: w.project_id }))
  expect(strange.code).toBe('not_found')
})

test('the CSV has a row per day or per completed task, and escapes formulas', async () => {
  const w = await board()
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

type Board = Awaited<ReturnType<typeof board>>
type Flow = Awaited<ReturnType<Board['flow']>>

/** Records what the board showed at the end of each day, and when its tasks were completed. */
class Model {
  readonly levels = new Map<string, Map<number, number>>()
  readonly done = new Map<number, { on: number; day: string }>()

  constructor(
    readonly w: Board,
    readonly tasks: number[],
    readonly columns: number[],
    readonly elsewhere: number,
  ) {}

  async look() {
    const { w } = this
    const { sections } = await w.ada['projects.board']({ project_id: w.project_id })
    const counts = sections.map(({ section_id, task_count }) => [section_id, task_count] as const)
    this.levels.set(dayAt(w.clock.now), new Map(counts))
    for (const task_id of this.tasks) {
      const task = await w.ada['tasks.get']({ task_id })
      const { completed_at, project_id } = task as TaskRecord
      if (!completed_at) this.done.delete(task_id)
      else if (!this.done.has(task_id))
        this.done.set(task_id, { on: project_id, day: dayAt(new Date(completed_at)) })
    }
  }
}

const zone = Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short' })
const dayAt = (date: Date) => zone.format(date)

type Deed = (model: Model, task_id: number, column: number) => Promise<unknown>
const DEEDS: Record<string, Deed> = {
  move: ({ w }, task_id, section_id) => w.ada['tasks.update']({ task_id, section_id }),
  again: ({ w }, task_id, section_id) => w.ada['tasks.update']({ task_id, section_id }),
  archive: ({ w }, task_id) => w.ada['tasks.update']({ task_id, status: 'Archive' }),
  erase: ({ w }, task_id) => w.ada['tasks.update']({ task_id, status: 'Deleted' }),
  restore: ({ w }, task_id) => w.ada['tasks.update']({ task_id, status: 'Normal' }),
  leave: ({ w, elsewhere }, task_id) =>
    w.ada['tasks.move']({ task_id, target_project_id: elsewhere }),
  come: ({ w }, task_id) => w.ada['tasks.move']({ task_id, target_project_id: w.project_id }),
  create: async (model, _, section_id) => {
    const { project_id } = model.w
    const made = await model.w.ada['tasks.create']({ project_id, title: 'New', section_id })
    model.tasks.push(made.task_id)
  },
  turn: async ({ w }, _, section_id) => {
    const { section } = await w.ada['sections.get']({ project_id: w.project_id, section_id })
    await w.ada['sections.update']({
      ...{ project_id: w.project_id, section_id, is_done: !section.done },
    })
  },
  drop: async ({ w, columns }, _, section_id) => {
    if (columns.length < 3) return
    columns.splice(columns.indexOf(section_id), 1)
    const { project_id } = w
    await w.ada['sections.delete']({
      ...{ project_id, section_id, move_tasks_to_section_id: columns[0]! },
    })
  },
}

async function played(steps: readonly Step[]): Promise<Model> {
  const w = await board()
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Other' },
    sections: [{ title: 'Open' }, { title: 'Done', is_done: true }],
  })
  const tasks = [await w.add('Kite', 'Ideas'), await w.add('Boat', 'Doing')]
  const model = new Model(w, tasks, [...w.ids.values()], other.project_id)
  await model.look()
  for (const { deed, task, column, hours } of steps) {
    // Hours pass before each step, so that some steps fall on the same day and some on later ones.
    w.clock.pass(hours * HOUR)
    await model.look()
    const { tasks, columns } = model
    const doing = DEEDS[deed]!(
      model,
      tasks[task % tasks.length]!,
      columns[column % columns.length]!,
    )
    // Moving a task to a column of a board that the task is not on is refused.
    await doing.catch((error) => expect(error).toHaveProperty('code'))
    await model.look()
  }
  return model
}

interface Step {
  deed: string
  task: number
  column: number
  hours: number
}
const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.constantFrom(...Object.keys(DEEDS)),
  task: fc.nat(5),
  column: fc.nat(4),
  hours: fc.nat(30),
})

const flowOf = ({ w }: Model) => w.flow({ from: '2026-11-20', to: dayAt(w.clock.now) })

function expectDone({ w, done }: Model, { days }: Flow) {
  const has = [...done.values()].filter(({ on }) => on === w.project_id)
  for (const { day, completed } of days)
    expect([day, completed]).toEqual([day, has.filter((one) => one.day === day).length])
}

function expectLevels({ levels }: Model, { columns, days }: Flow) {
  let last = new Map<number, number>()
  for (const { day, tasks } of days) {
    last = levels.get(day) ?? last
    // Tasks of columns that are deleted by now are counted together in an extra column.
    const here = new Set(columns.map(({ section_id }) => section_id))
    const gone = [...last].reduce((sum, [id, many]) => sum + (here.has(id) ? 0 : many), 0)
    const wanted = columns.map(({ section_id }) =>
      section_id === null ? gone : (last.get(section_id) ?? 0),
    )
    expect([day, tasks]).toEqual([day, wanted])
    if (!here.has(null)) expect(gone).toBe(0)
  }
}

/** Replaces the recorded moves by those that the migration derives from an older database. */
async function forgetAndRecall({ w }: Model) {
  const { statements } = migrationsOf(dialect).find(({ name }) => name.endsWith('task_moves'))!
  const filling = statements.filter((one) => one.includes('INSERT INTO task_moves'))
  expect(filling).toHaveLength(2)
  await w.store.write(async (tx) => {
    const raw = tx as unknown as Record<'run' | 'execute', (query: SQL) => Promise<unknown>>
    for (const one of ['delete from task_moves', ...filling])
      await raw[dialect === 'sqlite' ? 'run' : 'execute'](sql.raw(one))
  })
}

test('after any sequence of changes, the report matches what the board showed each day', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const model = await played(steps)
      const flow = await flowOf(model)
      expectDone(model, flow)
      expectLevels(model, flow)
      await forgetAndRecall(model)
      expectLevels(model, await flowOf(model))
    }),
    { numRuns: dialect === 'sqlite' ? 10 : 3 },
  )
}, 60_000)

test('the queries of the flow report use the indexes of task moves', async () => {
  const where = await place()
  if (where.url) return
  await (await opened(where, () => NOON)).close()
  const database = new Database(where.path, { readonly: true })
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
