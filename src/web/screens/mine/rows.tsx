import { Suspense, useRef, useState } from 'react'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { addRecent } from '../../entities/task/recent.ts'
import { lazyComponent, usePreloaded } from '../../kit/lazy-component.ts'
import { complete, rename, reopen } from './actions.ts'
import { type ScreenActions, useRowKeys } from './keys.ts'
import type { Editing } from './list.tsx'
import type { PickerKind } from './picker.tsx'
import type { RowActions } from './row.tsx'
import type { MyTask, Row } from './types.ts'

const Picker = lazyComponent(() => import('./picker.tsx'))
const PRELOADED = [Picker]

interface OpenPicker {
  kind: PickerKind
  task: MyTask
  anchor: Element | null
}

/** The actions on rows, by pointer and by shortcuts. */
export function useRows(rows: readonly Row[], screen: ScreenActions) {
  usePreloaded(PRELOADED)
  const openTask = useOpenTask()
  const [editing, setEditing] = useState<Editing>()
  const [openPicker, setOpenPicker] = useState<OpenPicker>()
  const handlers = {
    open({ ticket_number, title }: MyTask) {
      addRecent({ kind: 'task', id: ticket_number, name: title })
      openTask(ticket_number)
    },
    toggleDone(task: MyTask) {
      if (task.done) return void reopen(task)
      keys.leaveRow(task.task_id)
      void complete(task)
    },
    async rename(task: MyTask, title: string) {
      const isDone = await rename(task, title)
      // Reopens the field with the refused title.
      if (!isDone) setEditing({ task_id: task.task_id, text: title })
    },
    edit(task: MyTask | undefined) {
      setEditing(task && { task_id: task.task_id, text: task.title })
      if (!task) keys.focusAgain()
    },
    showPicker(kind: PickerKind, task: MyTask) {
      const row = document.querySelector(`.mine [data-task="${task.task_id}"]`)
      const anchor = row?.querySelector(kind === 'priority' ? '.key' : '.ends') ?? null
      setOpenPicker({ kind, task, anchor })
    },
  }
  const keys = useRowKeys(rows, handlers, screen)
  const picker = openPicker && (
    <Suspense>
      <Picker
        {...openPicker}
        onClose={() => {
          setOpenPicker(undefined)
          keys.focusAgain()
        }}
        onLeave={() => keys.leaveRow(openPicker.task.task_id)}
      />
    </Suspense>
  )
  const actions = useStableActions({ ...handlers, activate: keys.setActive })
  return { actions, keys, editing, picker }
}

/** Keeps the identity of the actions stable, so that memoized rows do not re-render. */
function useStableActions(actions: RowActions): RowActions {
  const latest = useRef(actions)
  latest.current = actions
  const [stable] = useState<RowActions>(() => ({
    open: (task) => latest.current.open(task),
    toggleDone: (task) => latest.current.toggleDone(task),
    rename: (task, title) => latest.current.rename(task, title),
    edit: (task) => latest.current.edit(task),
    showPicker: (kind, task) => latest.current.showPicker(kind, task),
    activate: (task_id) => latest.current.activate(task_id),
  }))
  return stable
}
