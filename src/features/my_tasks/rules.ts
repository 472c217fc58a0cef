/** How My Tasks are grouped and ordered. Nothing here reads a clock or a database. */
export const GROUPINGS = ['due', 'board'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const DUE_GROUPS = {
  overdue: 'Overdue',
  today: 'Today',
  this_week: 'This week',
  later: 'Later',
  none: 'No due date',
  /** Whatever its date: what is finished is late for nothing. */
  done: 'Done',
} as const
type DueGroup = keyof typeof DUE_GROUPS
const DUE_ORDER = Object.keys(DUE_GROUPS)

/** A task that is to be done. */
export interface Found {
  task_id: number
  project_id: number
  due_date: string | null
  due_at: Date | null
  /** What the caller sorts by; nothing where it has no such value. */
  marks: readonly Piece[]
}

/** Where today and this week end for the caller: the last days, and the moments after them. */
export interface Days {
  now: Date
  today: string
  week: string
  afterToday: Date
  afterWeek: Date
}

const WEEK_DAYS = 7

export function daysAt(now: Date, zone: string): Days {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  const week = today.add({ days: WEEK_DAYS })
  const after = (day: Temporal.PlainDate) =>
    new Date(day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds)
  return {
    ...{ now, today: today.toString(), week: week.toString() },
    ...{ afterToday: after(today), afterWeek: after(week) },
  }
}

const DAY_LENGTH = 10

/** Days are compared with days, so that a task's own time zone does not push it over the edge. */
export function dueGroup({ due_date, due_at }: Found, days: Days): DueGroup {
  if (!due_at || due_date === null) return 'none'
  if (due_at < days.now) return 'overdue'
  const isDay = due_date.length === DAY_LENGTH
  const until = (day: string, after: Date) => (isDay ? due_date <= day : due_at < after)
  if (until(days.today, days.afterToday)) return 'today'
  return until(days.week, days.afterWeek) ? 'this_week' : 'later'
}

export const isLate = ({ due_at }: Found, now: Date) =>
  due_at !== null && due_at.getTime() < now.getTime()

type Piece = number | string | null
/** Where a task stands: compared piece by piece, and by its number in the end. */
export type Place = Piece[]

export interface Placed {
  task_id: number
  group: string
  place: Place
  late: boolean
}

export interface Group {
  key: string
  title: string
  project_id?: number
  total: number
  overdue: number
}

/** How many of somebody's tasks are finished, by board. */
export type Finished = ReadonlyMap<number, number>

/** Finished tasks that stand together; where each of them stands, only the database knows. */
export interface Pile extends Placed {
  boards: readonly number[]
  many: number
}

interface Laid {
  placed: Placed[]
  piles: Pile[]
}

/** Overdue tasks, then those that are still to be done, then finished ones. */
const [LATE, OPEN, FINISHED] = [0, 1, 2]

/** In the order asked for, then by due date; without one comes last. */
const inGroup = (task: Found, late: boolean): Place => [
  late ? LATE : OPEN,
  ...task.marks,
  task.due_at?.getTime() ?? null,
]

export function byDue(found: readonly Found[], finished: Finished, days: Days): Laid {
  const placed = found.map((task) => {
    const group = dueGroup(task, days)
    const late = isLate(task, days.now)
    const place = [DUE_ORDER.indexOf(group), ...inGroup(task, late)]
    return { task_id: task.task_id, group, late, place }
  })
  const place = [DUE_ORDER.indexOf('done'), FINISHED]
  return { placed, piles: finished.size ? [pile('done', place, finished)] : [] }
}

const pile = (group: string, place: Place, finished: Finished): Pile => ({
  ...{ task_id: 0, group, late: false, place, boards: [...finished.keys()] },
  many: [...finished.values()].reduce((sum, many) => sum + many, 0),
})

/** Boards with overdue tasks stand above the others; titles that are alike, by number. */
export function byBoard(
  found: readonly Found[],
  finished: Finished,
  titles: ReadonlyMap<number, string>,
  now: Date,
): Laid {
  const lateOn = new Set(found.filter((task) => isLate(task, now)).map((task) => task.project_id))
  const boardAt = (project_id: number): Place => {
    const title = titles.get(project_id)!.toLowerCase()
    return [lateOn.has(project_id) ? 0 : 1, title, project_id]
  }
  const placed = found.map((task) => {
    const { task_id, project_id } = task
    const late = isLate(task, now)
    const place = [...boardAt(project_id), ...inGroup(task, late)]
    return { task_id, group: String(project_id), late, place }
  })
  const piles = [...finished].map((one) =>
    pile(String(one[0]), [...boardAt(one[0]), FINISHED], new Map([one])),
  )
  return { placed, piles }
}

/** What stands in a place before the marks. */
const AHEAD: Record<Grouping, number> = { due: 2, board: 4 }

type Way = 'asc' | 'desc'
type Standing = Pick<Placed, 'place' | 'task_id'>
export type Order = (a: Standing, b: Standing) => number

/** How two tasks are compared whose marks go these ways. */
export function orderOf(grouping: Grouping, ways: readonly Way[]): Order {
  const first = AHEAD[grouping]
  return (a, b) => {
    for (let at = 0; at < a.place.length; at++) {
      const piece = a.place[at]!
      const other = b.place[at]
      if (other === undefined || piece === other) continue
      if (piece === null || other === null) return piece === null ? 1 : -1
      return piece < other === (ways[at - first] !== 'desc') ? -1 : 1
    }
    return a.task_id - b.task_id
  }
}

/** The piles of which a page may need some, which begins after a place and ends before another. */
export function pilesFor(piles: readonly Pile[], inOrder: Order, after?: Standing, end?: Standing) {
  const from = (one: Pile) => ({ place: after!.place.slice(0, one.place.length), task_id: 0 })
  return piles.filter(
    (one) => !(after && inOrder(one, from(one)) < 0) && !(end && inOrder(one, end) > 0),
  )
}

/** Two lists in order, as one. */
export function merged(open: readonly Placed[], done: readonly Placed[], inOrder: Order): Placed[] {
  const all: Placed[] = []
  let at = 0
  for (const one of done) {
    while (at < open.length && inOrder(open[at]!, one) < 0) all.push(open[at++]!)
    all.push(one)
  }
  return [...all, ...open.slice(at)]
}

/** The groups of tasks, and of piles of them, that are in order already. */
export function groupsOf(
  placed: readonly (Placed & { many?: number })[],
  titleOf: (key: string) => string,
): Group[] {
  const groups = new Map<string, Group>()
  for (const { group: key, late, many = 1 } of placed) {
    const group = groups.get(key) ?? { key, title: titleOf(key), total: 0, overdue: 0 }
    group.total += many
    if (late) group.overdue++
    groups.set(key, group)
  }
  return [...groups.values()]
}
