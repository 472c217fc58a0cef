import type { Task, Text } from './data.ts'

/** What the list shows: the first results of each kind, or all results of one kind. */
export type ResultKind = 'all' | 'tasks' | 'texts'

export type GroupKind = 'tasks' | 'partial' | 'texts'

export type Line =
  | {
      kind: 'head'
      key: string
      resultKind: GroupKind
      moreCount: number
    }
  | { kind: 'task'; key: string; task: Task }
  | { kind: 'text'; key: string; text: Text }

/** A line that can be opened. */
export type Hit = Exclude<Line, { kind: 'head' }>

const FEW_TASKS = 8
const FEW_TEXTS = 6

interface Results {
  tasks: readonly Task[]
  total: number | undefined
  texts: readonly Text[]
}

export function linesOf({ tasks, total, texts }: Results, resultKind: ResultKind): Line[] {
  const isAll = resultKind === 'all'
  const shownTasks = resultKind === 'texts' ? [] : tasks.slice(0, isAll ? FEW_TASKS : undefined)
  const shownTexts = resultKind === 'tasks' ? [] : texts.slice(0, isAll ? FEW_TEXTS : undefined)
  const head = (kind: GroupKind, moreCount: number): Line => ({
    ...{ kind: 'head', key: kind, resultKind: kind },
    moreCount: isAll ? Math.max(0, moreCount) : 0,
  })
  const full = shownTasks.filter(({ partial }) => !partial)
  const partial = shownTasks.filter((task) => task.partial)
  const moreTasks = (total ?? tasks.length) - shownTasks.length
  return [
    ...(full.length ? [head('tasks', moreTasks)] : []),
    ...full.map(taskLine),
    ...(partial.length ? [head('partial', full.length ? 0 : moreTasks)] : []),
    ...partial.map(taskLine),
    ...(shownTexts.length ? [head('texts', texts.length - shownTexts.length)] : []),
    ...shownTexts.map(
      (text): Line => ({
        ...{ kind: 'text', text },
        key: `${text.source.kind} ${text.source.id}`,
      }),
    ),
  ]
}

const taskLine = (task: Task): Line => ({ kind: 'task', key: `task ${task.task_id}`, task })

export const isHit = (line: Line): line is Hit => line.kind !== 'head'
