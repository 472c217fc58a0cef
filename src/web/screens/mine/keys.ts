import { useState } from 'react'
import { toggleTimer } from '../../entities/timer/lazy-toggle.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import type { RowActions } from './row.tsx'
import { IN_LIST } from './shortcuts.ts'
import type { Row } from './types.ts'

export interface ScreenActions {
  add(): void
  filter(): void
}

/**
 * The active task of the keyboard shortcuts. `focusRequest` increments when a shortcut moves the
 * focus.
 */
export function useRowKeys(
  rows: readonly Row[],
  actions: Omit<RowActions, 'activate'>,
  screen: ScreenActions,
) {
  const [active, setActive] = useState<number>()
  const [focusRequest, setFocusRequest] = useState(0)
  const tasks = rows.flatMap((row) => (row.kind === 'task' ? row.task : []))
  const index = tasks.findIndex(({ task_id }) => task_id === active)
  const task = tasks[index]
  const activate = (task_id: number | undefined) => {
    if (task_id === undefined) return screen.add()
    setActive(task_id)
    setFocusRequest((count) => count + 1)
  }
  const goTo = (next: number) =>
    tasks.length && activate(tasks[Math.max(0, Math.min(next, tasks.length - 1))]!.task_id)
  /** Activates the neighbour of a row that is removed. */
  const leaveRow = (task_id: number) => {
    const index = tasks.findIndex((one) => one.task_id === task_id)
    activate((tasks[index + 1] ?? tasks[index - 1])?.task_id)
  }
  useShortcuts(IN_LIST, {
    next: () => goTo(index + 1),
    back: () => goTo(index - 1),
    open: () => (task ? actions.open(task) : false),
    done: () => (task ? actions.toggleDone(task) : false),
    edit: () => (task ? actions.edit(task) : false),
    due: () => (task ? actions.showPicker('due', task) : false),
    priority: () => (task ? actions.showPicker('priority', task) : false),
    snooze: () => (task ? actions.showPicker('snooze', task) : false),
    timer: () => (task ? toggleTimer(task) : false),
    create: screen.add,
    filter: screen.filter,
  })
  return {
    active,
    focusRequest,
    setActive,
    leaveRow,
    focusAgain: () => setFocusRequest((count) => count + 1),
  }
}
