/** Grouping and ordering of My Tasks. Pure functions: no clock, no database. */
export const GROUPINGS = ['due', 'board'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Which tasks are listed: those that the caller is assigned to, created or watches. */
export const INVOLVEMENTS = ['assigned', 'created', 'watched'] as const
export type Involvement = (typeof INVOLVEMENTS)[number]

export const DUE_GROUPS = {
  overdue: 'Overdue',
  today: 'Today',
  this_week: 'This week',
  later: 'Later',
  none: 'No due date',
  /** Completed tasks are in this group whatever their due date. */
  done: 'Done',
} as const
type DueGroup = keyof typeof DUE_GROUPS
const DUE_ORDER = Object.keys(DUE_GROUPS)

/** An open task. */
export interface OpenTask {
  task_id: number
  project_id: number
  due_date: string | null
  due_at: Date | null
  /** The values of the sort keys; null if the task has none. */
  sortValues: readonly PlacePart[]
}

/** The last days of today and this week for the caller, and the moments after them. */
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
    now,
    today: today.toString(),
    week: week.toString(),
    afterToday: after(today),
    afterWeek: after(week),
  }
}

const DAY_LENGTH = 10

/** Days are compared with days, so that the task's time zone does not shift it to another day. */
export function dueGroup({ due_date, due_at }: OpenTask, days: Days): DueGroup {
  if (!due_at || due_date === null) return 'none'
  if (due_at < days.now) return 'overdue'
  const isDay = due_date.length === DAY_LENGTH
  const until = (day: string, after: Date) => (isDay ? due_date <= day : due_at < after)
  if (until(days.today, days.afterToday)) return 'today'
  return until(days.week, days.afterWeek) ? 'this_week' : 'later'
}

export const isOverdue = ({ due_at }: OpenTask, now: Date) =>
  due_at !== null && due_at.getTime() < now.getTime()

type PlacePart = number | string | null
/** The position of a task: compared part by part, and finally by task_id. */
export type Place = PlacePart[]

export interface PlacedTask {
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

/** The number of completed tasks by board. */
export type Finished = ReadonlyMap<number, number>

/** Completed tasks that are adjacent in the list. Only the database knows their order within. */
export interface FinishedBlock extends PlacedTask {
  boards: readonly number[]
  count: number
}

interface Placements {
  placed: PlacedTask[]
  blocks: FinishedBlock[]
}

/** Overdue tasks come first, then other open ones, then completed ones. */
const [OVERDUE, OPEN, FINISHED] = [0, 1, 2]

/** In the requested order, then by due date. Tasks without one come last. */
const placeInGroup = (task: OpenTask, isOverdueTask: boolean): Place => [
  isOverdueTask ? OVERDUE : OPEN,
  ...task.sortValues,
  task.due_at?.getTime() ?? null,
]

export function byDue(found: readonly OpenTask[], finished: Finished, days: Days): Placements {
  const placed = found.map((task) => {
    const group = dueGroup(task, days)
    const late = isOverdue(task, days.now)
    const place = [DUE_ORDER.indexOf(group), ...placeInGroup(task, late)]
    return { task_id: task.task_id, group, late, place }
  })
  const place = [DUE_ORDER.indexOf('done'), FINISHED]
  return { placed, blocks: finished.size ? [finishedBlock('done', place, finished)] : [] }
}

const finishedBlock = (group: string, place: Place, finished: Finished): FinishedBlock => ({
  task_id: 0,
  group,
  late: false,
  place,
  boards: [...finished.keys()],
  count: [...finished.values()].reduce((sum, count) => sum + count, 0),
})

/** Boards with overdue tasks come first. Equal titles sort by project_id. */
export function byBoard(
  found: readonly OpenTask[],
  finished: Finished,
  titles: ReadonlyMap<number, string>,
  now: Date,
): Placements {
  const boardsWithOverdue = new Set(
    found.filter((task) => isOverdue(task, now)).map((task) => task.project_id),
  )
  const boardPlace = (project_id: number): Place => {
    const title = titles.get(project_id)!.toLowerCase()
    return [boardsWithOverdue.has(project_id) ? 0 : 1, title, project_id]
  }
  const placed = found.map((task) => {
    const { task_id, project_id } = task
    const late = isOverdue(task, now)
    const place = [...boardPlace(project_id), ...placeInGroup(task, late)]
    return { task_id, group: String(project_id), late, place }
  })
  const blocks = [...finished].map((entry) =>
    finishedBlock(String(entry[0]), [...boardPlace(entry[0]), FINISHED], new Map([entry])),
  )
  return { placed, blocks }
}

/** The number of place parts before the sort values. */
const GROUP_PIECES: Record<Grouping, number> = { due: 2, board: 4 }

type Direction = 'asc' | 'desc'
type Position = Pick<PlacedTask, 'place' | 'task_id'>
export type Order = (a: Position, b: Position) => number

/** Compares two positions whose sort values have these directions. */
export function orderOf(grouping: Grouping, directions: readonly Direction[]): Order {
  const groupPieces = GROUP_PIECES[grouping]
  return (a, b) => {
    for (let at = 0; at < a.place.length; at++) {
      const piece = a.place[at]!
      const other = b.place[at]
      if (other === undefined || piece === other) continue
      if (piece === null || other === null) return piece === null ? 1 : -1
      return piece < other === (directions[at - groupPieces] !== 'desc') ? -1 : 1
    }
    return a.task_id - b.task_id
  }
}

/** The blocks that may contribute to a page between two positions. */
export function blocksFor(
  blocks: readonly FinishedBlock[],
  compare: Order,
  after?: Position,
  end?: Position,
) {
  const samePrefix = (block: FinishedBlock) => ({
    place: after!.place.slice(0, block.place.length),
    task_id: 0,
  })
  return blocks.filter(
    (block) =>
      !(after && compare(block, samePrefix(block)) < 0) && !(end && compare(block, end) > 0),
  )
}

/** Merges two sorted lists. */
export function mergeSorted(
  open: readonly PlacedTask[],
  done: readonly PlacedTask[],
  compare: Order,
): PlacedTask[] {
  const result: PlacedTask[] = []
  let at = 0
  for (const task of done) {
    while (at < open.length && compare(open[at]!, task) < 0) result.push(open[at++]!)
    result.push(task)
  }
  return [...result, ...open.slice(at)]
}

/** The groups with their counts, from sorted tasks and blocks. */
export function groupsOf(
  placed: readonly (PlacedTask & { count?: number })[],
  titleOf: (key: string) => string,
): Group[] {
  const groups = new Map<string, Group>()
  for (const { group: key, late, count = 1 } of placed) {
    const group = groups.get(key) ?? { key, title: titleOf(key), total: 0, overdue: 0 }
    group.total += count
    if (late) group.overdue++
    groups.set(key, group)
  }
  return [...groups.values()]
}
