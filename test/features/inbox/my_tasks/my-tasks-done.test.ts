import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const TITLES = ['Sweep', 'air', 'Mend', 'Wash', 'rake']
const DUE = [undefined, '2026-11-10', '2026-12-24', '2026-11-21', '2026-11-10']

interface CreatedTask {
  task_id: number
  board: string
  title: string
  due: string | undefined
  done: boolean
}

/** Creates boards with overdue tasks, one with only completed tasks and one with only open ones. */
async function createTasks(w: World): Promise<CreatedTask[]> {
  const tasks: CreatedTask[] = []
  const kinds: [string, boolean[]][] = [
    ['zoo', [true, false]],
    ['Attic', [false, true, true]],
    ['cellar', [true]],
    ['Garden', [false]],
  ]
  for (const [board, finished] of kinds) {
    const { project_id, sections } = await w.ada['projects.create']({
      ...{ team_id: w.team_id, title: board },
      sections: [{ title: 'To do' }, { title: 'Done' }],
    })
    for (let at = 0; at < 10; at++) {
      const done = finished[at % finished.length]!
      const title = TITLES[at % 3 === 0 ? 0 : at % 5]!
      const due = board === 'Garden' && !done ? undefined : DUE[(at * 3) % 5]
      const { task_id } = await w.ada['tasks.create']({
        ...{ project_id, title, ...(due && { due_date: due }) },
        section_id: sections[done ? 1 : 0]!.section_id,
        assignee_ids: [w.cleo.caller.actor_id],
      })
      tasks.push({ task_id, board, title, due, done })
    }
  }
  return tasks
}

async function readPages(actor: Actor, input: object, limit: number) {
  const ids: number[] = []
  let cursor: string | null | undefined
  do {
    const { items, page } = await actor['my_tasks.list']({
      ...input,
      limit,
      ...(cursor && { cursor }),
    })
    expect(page).toMatchObject({ total: 40, offset: ids.length })
    ids.push(...items.map(({ task_id }) => task_id))
    cursor = page.next_cursor
  } while (cursor)
  return ids
}

const TODAY = '2026-11-20'
const isLate = ({ done, due }: CreatedTask) => !done && due !== undefined && due < TODAY
const groupRank = (task: CreatedTask) =>
  task.done ? 9 : isLate(task) ? 0 : task.due === undefined ? 4 : task.due < '2026-11-28' ? 2 : 3
const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)
const dueOrLast = ({ due: date }: CreatedTask) => date ?? '9999'

test('completed tasks come last, in group Done or within their board, on pages of any size', async () => {
  const w = await world()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, status: 'Archive' })
  const tasks = await createTasks(w)
  const lateOn = new Set(tasks.filter(isLate).map(({ board }) => board))
  const boardOrder = (task: CreatedTask) =>
    [lateOn.has(task.board) ? 0 : 1, task.board.toLowerCase()] as const
  const statusRank = (task: CreatedTask) => (isLate(task) ? 0 : task.done ? 2 : 1)
  const byTitleDescending = (a: CreatedTask, b: CreatedTask) =>
    compare(b.title.toLowerCase(), a.title.toLowerCase())
  const byDueDate = (a: CreatedTask, b: CreatedTask) =>
    compare(dueOrLast(a), dueOrLast(b)) || a.task_id - b.task_id
  const byGroup = {
    due: (a: CreatedTask, b: CreatedTask) => groupRank(a) - groupRank(b),
    board: (a: CreatedTask, b: CreatedTask) =>
      boardOrder(a)[0] - boardOrder(b)[0] ||
      compare(boardOrder(a)[1], boardOrder(b)[1]) ||
      statusRank(a) - statusRank(b),
  }
  const sorting_stack = [{ mode: 'Title', order: 'Descending' }]
  for (const grouping of ['due', 'board'] as const) {
    const expected = tasks.toSorted((a, b) => byGroup[grouping](a, b) || byDueDate(a, b))
    const expectedByTitle = tasks.toSorted(
      (a, b) => byGroup[grouping](a, b) || byTitleDescending(a, b) || byDueDate(a, b),
    )
    for (const limit of [1, 3, 7, 40]) {
      const input = { grouping, include_done: true }
      const idsOf = (all: CreatedTask[]) => all.map(({ task_id }) => task_id)
      expect(await readPages(w.cleo, input, limit)).toEqual(idsOf(expected))
      expect(await readPages(w.cleo, { ...input, sorting_stack }, limit)).toEqual(
        idsOf(expectedByTitle),
      )
    }
  }
})

test('group counts include completed tasks, and respect filters and archived boards', async () => {
  const w = await world()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, status: 'Archive' })
  const tasks = await createTasks(w)
  const countIn = (rank: number) => tasks.filter((task) => groupRank(task) === rank).length
  expect([0, 2, 3, 4].map(countIn).every((count) => count > 1)).toBe(true)
  const groupCounts = async (input: object) => {
    const { groups } = await w.cleo['my_tasks.groups']({ include_done: true, ...input })
    return groups.map(({ title, total, overdue }) => [title, total, overdue])
  }
  expect(await groupCounts({})).toEqual([
    ['Overdue', countIn(0), countIn(0)],
    ['This week', countIn(2), 0],
    ['Later', countIn(3), 0],
    ['No due date', countIn(4), 0],
    ['Done', 21, 0],
  ])
  expect(
    (await groupCounts({ grouping: 'board' })).map(([title, total]) => [title, total]),
  ).toEqual([
    ['Attic', 10],
    ['zoo', 10],
    ['cellar', 10],
    ['Garden', 10],
  ])
  const { items } = await w.cleo['projects.list']({})
  const cellar = items.find(({ title }) => title === 'cellar')!
  const project_ids = [cellar.project_id]
  expect(await groupCounts({ project_ids })).toEqual([['Done', 10, 0]])
  expect(await groupCounts({ project_ids, due_date_before: '2026-11-30' })).toEqual([
    ['Done', 6, 0],
  ])
  await w.ada['projects.archive']({ project_id: cellar.project_id })
  expect((await groupCounts({})).at(-1)).toEqual(['Done', 11, 0])
})

test('a forged cursor into the completed tasks is refused', async () => {
  const w = await world()
  await createTasks(w)
  const input = { include_done: true, limit: 30 }
  const { page } = await w.cleo['my_tasks.list'](input)
  const [digest, , id, offset] = JSON.parse(Buffer.from(page.next_cursor!, 'base64url').toString())
  for (const invalidValue of ['soon', true, -1.5, 's\u0000']) {
    const value = [5, 2, invalidValue, invalidValue]
    const cursor = Buffer.from(JSON.stringify([digest, value, id, offset])).toString('base64url')
    const { code, details } = await faultOf(w.cleo['my_tasks.list']({ ...input, cursor }))
    expect([code, details.field]).toEqual(['invalid', 'cursor'])
  }
})
