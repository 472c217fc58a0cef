import { useState } from 'react'
import { IN_LIST, useShortcuts } from '../frame/keys.ts'
import type { Row } from './data.ts'
import type { RowDeeds } from './row.tsx'

/** At which task the keys are. `asked` counts up where one of them took the focus there. */
export function useRowKeys(rows: readonly Row[], deeds: Omit<RowDeeds, 'reach'>, add: () => void) {
  const [active, setActive] = useState<number>()
  const [asked, setAsked] = useState(0)
  const tasks = rows.flatMap((row) => (row.kind === 'task' ? row.task : []))
  const at = tasks.findIndex(({ task_id }) => task_id === active)
  const task = tasks[at]
  const goTo = (next: number) => {
    const there = tasks[Math.max(0, Math.min(next, tasks.length - 1))]
    if (!there) return
    setActive(there.task_id)
    setAsked(asked + 1)
  }
  /** A row goes away; the keys go on beside where it was. */
  const leave = (task_id: number) => {
    const was = tasks.findIndex((one) => one.task_id === task_id)
    const beside = tasks[was + 1] ?? tasks[was - 1]
    if (!beside) return add()
    setActive(beside.task_id)
    setAsked(asked + 1)
  }
  useShortcuts(IN_LIST, {
    next: () => goTo(at + 1),
    back: () => goTo(at - 1),
    open: () => (task ? deeds.open(task) : false),
    done: () => (task ? deeds.turn(task) : false),
    edit: () => (task ? deeds.edit(task.task_id) : false),
    due: () => (task ? deeds.ask('due', task) : false),
    snooze: () => (task ? deeds.ask('snooze', task) : false),
    create: add,
  })
  return { active, asked, setActive, leave, focusAgain: () => setAsked(asked + 1) }
}
