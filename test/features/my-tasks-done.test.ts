import { expect, test } from 'bun:test'
import { refused } from '../refused.ts'
import { type Actor, type World, world } from '../world.ts'

const TITLES = ['Sweep', 'air', 'Mend', 'Wash', 'rake']
const DUE = [undefined, '2026-11-10', '2026-12-24', '2026-11-21', '2026-11-10']

interface Made {
  task_id: number
  board: string
  title: string
  due: string | undefined
  done: boolean
}

/** Creates boards with overdue tasks, one with only completed tasks and one with only open ones. */
async function crowded(w: World): Promise<Made[]> {
  const made: Made[] = []
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
      made.push({ task_id, board, title, due, done })
    }
  }
  return made
}

async function leafed(who: Actor, asked: object, limit: number) {
  const seen: number[] = []
  let cursor: string | null | undefined
  do {
    const { items, page } = await who['my_tasks.list']({
      ...asked,
      limit,
      ...(cursor && { cursor }),
    })
    expect(page).toMatchObject({ total: 40, offset: seen.length })
    seen.push(...items.map(({ task_id }) => task_id))
    cursor = page.next_cursor
  } while (cursor)
  return seen
}

const LATE = '2026-11-20'
const late = ({ done, due }: Made) => !done && due !== undefined && due < LATE
const group = (one: Made) =>
  one.done ? 9 : late(one) ? 0 : one.due === undefined ? 4 : one.due < '2026-11-28' ? 2 : 3
const by = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)
const due = ({ due: one }: Made) => one ?? '9999'

test('completed tasks come last, in group Done or within their board, on pages of any size', async () => {
  const w = await world()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, status: 'Archive' })
  const made = await crowded(w)
  const lateOn = new Set(made.filter(late).map(({ board }) => board))
  const place = (one: Made) => [lateOn.has(one.board) ? 0 : 1, one.board.toLowerCase()] as const
  const standing = (one: Made) => (late(one) ? 0 : one.done ? 2 : 1)
  const title = (a: Made, b: Made) => by(b.title.toLowerCase(), a.title.toLowerCase())
  const last = (a: Made, b: Made) => by(due(a), due(b)) || a.task_id - b.task_id
  const ahead = {
    due: (a: Made, b: Made) => group(a) - group(b),
    board: (a: Made, b: Made) =>
      place(a)[0] - place(b)[0] || by(place(a)[1], place(b)[1]) || standing(a) - standing(b),
  }
  const sorting_stack = [{ mode: 'Title', order: 'Descending' }]
  for (const grouping of ['due', 'board'] as const) {
    const plain = made.toSorted((a, b) => ahead[grouping](a, b) || last(a, b))
    const named = made.toSorted((a, b) => ahead[grouping](a, b) || title(a, b) || last(a, b))
    for (const limit of [1, 3, 7, 40]) {
      const asked = { grouping, include_done: true }
      const ids = (all: Made[]) => all.map(({ task_id }) => task_id)
      expect(await leafed(w.cleo, asked, limit)).toEqual(ids(plain))
      expect(await leafed(w.cleo, { ...asked, sorting_stack }, limit)).toEqual(ids(named))
    }
  }
})

test('group counts include completed tasks, and respect filters and archived boards', async () => {
  const w = await world()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, status: 'Archive' })
  const made = await crowded(w)
  const many = (place: number) => made.filter((one) => group(one) === place).length
  expect([0, 2, 3, 4].map(many).every((one) => one > 1)).toBe(true)
  const counted = async (asked: object) => {
    const { groups } = await w.cleo['my_tasks.groups']({ include_done: true, ...asked })
    return groups.map(({ title, total, overdue }) => [title, total, overdue])
  }
  expect(await counted({})).toEqual([
    ['Overdue', many(0), many(0)],
    ['This week', many(2), 0],
    ['Later', many(3), 0],
    ['No due date', many(4), 0],
    ['Done', 21, 0],
  ])
  expect((await counted({ grouping: 'board' })).map(([title, total]) => [title, total])).toEqual([
    ['Attic', 10],
    ['zoo', 10],
    ['cellar', 10],
    ['Garden', 10],
  ])
  const { items } = await w.cleo['projects.list']({})
  const cellar = items.find(({ title }) => title === 'cellar')!
  const project_ids = [cellar.project_id]
  expect(await counted({ project_ids })).toEqual([['Done', 10, 0]])
  expect(await counted({ project_ids, due_date_before: '2026-11-30' })).toEqual([['Done', 6, 0]])
  await w.ada['projects.archive']({ project_id: cellar.project_id })
  expect((await counted({})).at(-1)).toEqual(['Done', 11, 0])
})

test('a forged cursor into the completed tasks is refused', async () => {
  const w = await world()
  await crowded(w)
  const asked = { include_done: true, limit: 30 }
  const { page } = await w.cleo['my_tasks.list'](asked)
  const [made, , id, seen] = JSON.parse(Buffer.from(page.next_cursor!, 'base64url').toString())
  for (const mark of ['soon', true, -1.5, 's\u0000']) {
    const value = [5, 2, mark, mark]
    const cursor = Buffer.from(JSON.stringify([made, value, id, seen])).toString('base64url')
    const { code, details } = await refused(w.cleo['my_tasks.list']({ ...asked, cursor }))
    expect([code, details.field]).toEqual(['invalid', 'cursor'])
  }
})
