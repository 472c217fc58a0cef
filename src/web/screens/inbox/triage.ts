import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { addRecent } from '../../entities/task/recent.ts'
import { archive, markSeen, setRead, snooze, unarchive } from './actions.ts'
import type { InboxView } from './inbox-view.ts'
import type { Note } from './types.ts'

const NONE: ReadonlySet<number> = new Set()
const NOBODY: readonly Note[] = []

/** The task in the task panel, kept in the URL. */
function useTaskPanel() {
  const [query, setQuery] = useSearchParams()
  const ticket = query.get('task')
  const show = (next: string | undefined) => {
    if ((next ?? null) === ticket) return
    setQuery(
      (params) => {
        if (next) params.set('task', next)
        else params.delete('task')
        return params
      },
      { replace: ticket !== null && next !== undefined },
    )
  }
  return { ticket, show }
}

/** The active notification. `focusRequest` increments when a shortcut moves the focus. */
function useActiveRow() {
  const { ticket, show } = useTaskPanel()
  const [active, setActive] = useState<number>()
  const [focusRequest, setFocusRequest] = useState(0)
  const focus = () => setFocusRequest((count) => count + 1)
  const activate = (note: Note | undefined) => {
    setActive(note?.notification_id)
    if (note) focus()
    else document.getElementById('main')?.focus({ preventScroll: true })
    if (ticket === null) return
    // An open task panel follows the active row.
    show(note?.task.ticket_number)
    if (note) markSeen(note)
  }
  const open = (note: Note) => {
    const { notification_id, task } = note
    setActive(notification_id)
    addRecent({ kind: 'task', id: task.ticket_number, name: task.title })
    markSeen(note)
    show(task.ticket_number)
  }
  return { active, setActive, focusRequest, focus, activate, open }
}

/** The selected notifications. Changing the query clears the selection. */
function useSelection(folder: unknown) {
  const [selected, setSelected] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another folder clears the selection
  useEffect(() => setSelected(NONE), [folder])
  return {
    ...{ selected, setSelected },
    clearSelection: () => setSelected(NONE),
    toggleSelected(id: number) {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      setSelected(next)
    },
  }
}

/** The actions on the list, by pointer and by shortcuts. */
export function useTriage(notes: readonly Note[], { isArchive, listQuery: query }: InboxView) {
  const activeRow = useActiveRow()
  const selection = useSelection(query)
  const [replyingTo, setReplyingTo] = useState<number>()
  const [snoozing, setSnoozing] = useState<readonly Note[]>(NOBODY)
  const { active, activate } = activeRow
  const { selected, clearSelection } = selection
  const index = notes.findIndex(({ notification_id }) => notification_id === active)
  /** Activates the neighbour of rows that are removed. */
  const leaveRows = (leaving: readonly Note[]) => {
    clearSelection()
    activate(neighbourOf(notes, leaving))
  }
  return {
    ...{
      ...activeRow,
      ...selection,
      replyingTo,
      setReplyingTo,
      snoozing,
      setSnoozing,
      index,
      leaveRows,
    },
    targets: notes.filter((note, position) =>
      selected.size ? selected.has(note.notification_id) : position === index,
    ),
    goTo: (next: number) =>
      notes.length ? activate(notes[Math.max(0, Math.min(next, notes.length - 1))]) : false,
    archiveOrRestore(moved: readonly Note[]) {
      leaveRows(moved)
      const revert = () => {
        activeRow.setActive(moved[0]?.notification_id)
        activeRow.focus()
      }
      void (isArchive ? unarchive(moved) : archive(moved, revert))
    },
    toggleRead: (targets: readonly Note[]) =>
      void setRead(
        targets,
        targets.some(({ read_at }) => !read_at),
      ),
    snooze(notes: readonly Note[], until: string) {
      leaveRows(notes)
      void snooze(notes, until)
    },
  }
}
export type Triage = ReturnType<typeof useTriage>

/** The row after those that leave; if they are the last ones, the row before them. */
function neighbourOf(notes: readonly Note[], leaving: readonly Note[]): Note | undefined {
  const ids = new Set(leaving.map(({ notification_id }) => notification_id))
  const last = notes.findLastIndex(({ notification_id }) => ids.has(notification_id))
  const remains = ({ notification_id }: Note) => !ids.has(notification_id)
  return notes.slice(last + 1).find(remains) ?? notes.slice(0, last).findLast(remains)
}

/** Keeps the identity of the actions stable, so that memoized rows do not re-render. */
export function useStable<T extends object>(current: T): T {
  const latest = useRef(current)
  latest.current = current
  const [stable] = useState(
    () => new Proxy(current, { get: (_, name) => latest.current[name as keyof T] }),
  )
  return stable
}
