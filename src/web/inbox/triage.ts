import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { remember } from '../frame/recent.ts'
import { archive, look, snooze, turnRead, unarchive } from './deeds.ts'
import type { Look } from './look.ts'
import type { Note } from './shapes.ts'

const NONE: ReadonlySet<number> = new Set()
const NOBODY: readonly Note[] = []

/** Shows a task beside the list, or none. */
function useBeside() {
  const [query, setQuery] = useSearchParams()
  const ticket = query.get('task')
  const show = (next: string | undefined) => {
    if ((next ?? null) === ticket) return
    setQuery(
      (now) => {
        if (next) now.set('task', next)
        else now.delete('task')
        return now
      },
      { replace: ticket !== null && next !== undefined },
    )
  }
  return { ticket, show }
}

/** Which one the keys are at. `asked` counts up where one of them took the focus there. */
function useReach() {
  const { ticket, show } = useBeside()
  const [active, setActive] = useState<number>()
  const [asked, setAsked] = useState(0)
  const focus = () => setAsked((many) => many + 1)
  const reach = (note: Note | undefined) => {
    setActive(note?.notification_id)
    if (note) focus()
    else document.getElementById('main')?.focus({ preventScroll: true })
    if (ticket === null) return
    // What is read goes along with the keys.
    show(note?.task.ticket_number)
    if (note) look(note)
  }
  const open = (note: Note) => {
    const { notification_id, task } = note
    setActive(notification_id)
    remember({ kind: 'task', id: task.ticket_number, name: task.title })
    look(note)
    show(task.ticket_number)
  }
  return { active, setActive, asked, focus, reach, open }
}

/** Several that are meant together; another folder begins anew. */
function useChosen(folder: unknown) {
  const [chosen, setChosen] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the folder counts
  useEffect(() => setChosen(NONE), [folder])
  return {
    ...{ chosen, setChosen },
    drop: () => setChosen(NONE),
    turn(id: number) {
      const next = new Set(chosen)
      if (!next.delete(id)) next.add(id)
      setChosen(next)
    },
  }
}

/** What can be done with the list, by pointer and by keys. */
export function useTriage(notes: readonly Note[], { isArchive, asked: folder }: Look) {
  const at = useReach()
  const some = useChosen(folder)
  const [answering, setAnswering] = useState<number>()
  const [snoozing, setSnoozing] = useState<readonly Note[]>(NOBODY)
  const { active, reach } = at
  const { chosen, drop } = some
  const index = notes.findIndex(({ notification_id }) => notification_id === active)
  /** Some go away; the keys go on below where they were. */
  const leave = (gone: readonly Note[]) => {
    const ids = new Set(gone.map(({ notification_id }) => notification_id))
    const last = notes.findLastIndex(({ notification_id }) => ids.has(notification_id))
    const stays = ({ notification_id }: Note) => !ids.has(notification_id)
    drop()
    reach(notes.slice(last + 1).find(stays) ?? notes.slice(0, last).findLast(stays))
  }
  return {
    ...{ ...at, ...some, answering, setAnswering, snoozing, setSnoozing, at: index, leave },
    meant: notes.filter((one, nth) =>
      chosen.size ? chosen.has(one.notification_id) : nth === index,
    ),
    goTo: (next: number) =>
      notes.length ? reach(notes[Math.max(0, Math.min(next, notes.length - 1))]) : false,
    putAway(gone: readonly Note[]) {
      leave(gone)
      const back = () => {
        at.setActive(gone[0]?.notification_id)
        at.focus()
      }
      void (isArchive ? unarchive(gone) : archive(gone, back))
    },
    turnRead: (meant: readonly Note[]) =>
      void turnRead(
        meant,
        meant.some(({ read_at }) => !read_at),
      ),
    snooze(some: readonly Note[], until: string) {
      leave(some)
      void snooze(some, until)
    },
  }
}
export type Triage = ReturnType<typeof useTriage>

/** Rows stay as they are drawn while these do, so they are the same ones all the time. */
export function useSame<T extends object>(now: T): T {
  const latest = useRef(now)
  latest.current = now
  const [same] = useState(
    () => new Proxy(now, { get: (_, name) => latest.current[name as keyof T] }),
  )
  return same
}
