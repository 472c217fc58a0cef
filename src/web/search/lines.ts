import type { Task, Text } from './data.ts'

/** What is shown: all of it in short, or one kind whole. */
export type Which = 'all' | 'tasks' | 'texts'

export type Line =
  | { kind: 'head'; key: string; which: Exclude<Which, 'all'>; more: number; note: string }
  | { kind: 'task'; key: string; task: Task }
  | { kind: 'text'; key: string; text: Text }

/** What can be opened. */
export type Hit = Exclude<Line, { kind: 'head' }>

const FEW_TASKS = 8
const FEW_TEXTS = 6

interface Found {
  tasks: readonly Task[]
  total: number | undefined
  texts: readonly Text[]
  /** Operators that texts are not narrowed by. */
  left: readonly string[]
}

export function linesOf({ tasks, total, texts, left }: Found, which: Which): Line[] {
  const isAll = which === 'all'
  const someTasks = which === 'texts' ? [] : tasks.slice(0, isAll ? FEW_TASKS : undefined)
  const someTexts = which === 'tasks' ? [] : texts.slice(0, isAll ? FEW_TEXTS : undefined)
  const head = (one: 'tasks' | 'texts', more: number, note: string): Line => ({
    ...{ kind: 'head', key: one, which: one, note },
    more: isAll ? Math.max(0, more) : 0,
  })
  const note = left.length ? `Not narrowed by ${left.join(' ')}` : ''
  return [
    ...(someTasks.length ? [head('tasks', (total ?? tasks.length) - someTasks.length, '')] : []),
    ...someTasks.map((task): Line => ({ kind: 'task', key: `task ${task.task_id}`, task })),
    ...(someTexts.length ? [head('texts', texts.length - someTexts.length, note)] : []),
    ...someTexts.map(
      (text): Line => ({
        ...{ kind: 'text', text },
        key: `${text.source.kind} ${text.source.id}`,
      }),
    ),
  ]
}

export const isHit = (line: Line): line is Hit => line.kind !== 'head'
