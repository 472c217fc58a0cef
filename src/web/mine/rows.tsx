import { Suspense, useRef, useState } from 'react'
import { useOpenTask } from '../frame/places.ts'
import { remember } from '../frame/recent.ts'
import { part } from '../parts/part.ts'
import { complete, rename, reopen } from './deeds.ts'
import { type Elsewhere, useRowKeys } from './keys.ts'
import type { Editing } from './list.tsx'
import type { What } from './picker.tsx'
import type { RowDeeds } from './row.tsx'
import type { MyTask, Row } from './shapes.ts'

const Picker = part(() => import('./picker.tsx'))

interface Asking {
  what: What
  task: MyTask
  anchor: Element | null
}

/** What can be done with the rows, by pointer and by keys. */
export function useRows(rows: readonly Row[], to: Elsewhere) {
  const openTask = useOpenTask()
  const [editing, setEditing] = useState<Editing>()
  const [asking, setAsking] = useState<Asking>()
  const chosen = {
    open({ ticket_number, title }: MyTask) {
      remember({ kind: 'task', id: ticket_number, name: title })
      openTask(ticket_number)
    },
    turn(task: MyTask) {
      if (task.done) return void reopen(task)
      keys.leave(task.task_id)
      void complete(task)
    },
    async rename(task: MyTask, title: string) {
      const isDone = await rename(task, title)
      // What was typed is there again where it was refused.
      if (!isDone) setEditing({ task_id: task.task_id, text: title })
    },
    edit(task: MyTask | undefined) {
      setEditing(task && { task_id: task.task_id, text: task.title })
      if (!task) keys.focusAgain()
    },
    ask(what: What, task: MyTask) {
      const row = document.querySelector(`.mine [data-task="${task.task_id}"]`)
      const anchor = row?.querySelector(what === 'priority' ? '.key' : '.ends') ?? null
      setAsking({ what, task, anchor })
    },
  }
  const keys = useRowKeys(rows, chosen, to)
  const picker = asking && (
    <Suspense>
      <Picker
        {...asking}
        onClose={() => {
          setAsking(undefined)
          keys.focusAgain()
        }}
        onLeave={() => keys.leave(asking.task.task_id)}
      />
    </Suspense>
  )
  const deeds = useSame({ ...chosen, reach: keys.setActive })
  return { deeds, keys, editing, picker }
}

/** Rows stay as they are drawn while these do, so they are the same ones all the time. */
function useSame(now: RowDeeds): RowDeeds {
  const latest = useRef(now)
  latest.current = now
  const [same] = useState<RowDeeds>(() => ({
    open: (task) => latest.current.open(task),
    turn: (task) => latest.current.turn(task),
    rename: (task, title) => latest.current.rename(task, title),
    edit: (task) => latest.current.edit(task),
    ask: (what, task) => latest.current.ask(what, task),
    reach: (task_id) => latest.current.reach(task_id),
  }))
  return same
}
