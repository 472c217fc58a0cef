import { useState } from 'react'
import { IN_LIST, useShortcuts } from '../frame/keys.ts'
import { toggleTimer } from '../timers/at-hand.ts'
import type { RowDeeds } from './row.tsx'
import type { Row } from './shapes.ts'

export interface Elsewhere {
  add(): void
  filter(): void
}

/** At which task the keys are. `asked` counts up where one of them took the focus there. */
export function useRowKeys(rows: readonly Row[], deeds: Omit<RowDeeds, 'reach'>, to: Elsewhere) {
  const [active, setActive] = useState<number>()
  const [asked, setAsked] = useState(0)
  const tasks = rows.flatMap((row) => (row.kind === 'task' ? row.task : []))
  const at = tasks.findIndex(({ task_id }) => task_id === active)
  const task = tasks[at]
  const reach = (task_id: number | undefined) => {
    if (task_id === undefined) return to.add()
    setActive(task_id)
    setAsked((many) => many + 1)
  }
  const goTo = (next: number) =>
    tasks.length && reach(tasks[Math.max(0, Math.min(next, tasks.length - 1))]!.task_id)
  /** A row goes away; the keys go on beside where it was. */
  const leave = (task_id: number) => {
    const was = tasks.findIndex((one) => one.task_id === task_id)
    reach((tasks[was + 1] ?? tasks[was - 1])?.task_id)
  }
  useShortcuts(IN_LIST, {
    next: () => goTo(at + 1),
    back: () => goTo(at - 1),
    open: () => (task ? deeds.open(task) : false),
    done: () => (task ? deeds.turn(task) : false),
    edit: () => (task ? deeds.edit(task) : false),
    due: () => (task ? deeds.ask('due', task) : false),
    priority: () => (task ? deeds.ask('priority', task) : false),
    snooze: () => (task ? deeds.ask('snooze', task) : false),
    timer: () => (task ? toggleTimer(task) : false),
    create: to.add,
    filter: to.filter,
  })
  return { active, asked, setActive, leave, focusAgain: () => setAsked((many) => many + 1) }
}
