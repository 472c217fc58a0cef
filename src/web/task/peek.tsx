import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { useTask } from './data.ts'
import { ToPage } from './head.tsx'
import { neighbourOf } from './next.ts'
import { Shape } from './shape.tsx'
import { TaskView } from './task.tsx'
import './task.css'

const wide = matchMedia('(min-width: 1100px)')

const useWide = () =>
  useSyncExternalStore(
    (tell) => {
      wide.addEventListener('change', tell)
      return () => wide.removeEventListener('change', tell)
    },
    () => wide.matches,
  )

/** A task beside what it was opened from, or above it where there is no room for both. */
export default function Peek({ ticket }: { ticket: string }) {
  const [, setQuery] = useSearchParams()
  const { task, error } = useTask(ticket)
  const isWide = useWide()
  const panel = useRef<HTMLElement>(null)
  const show = (next: string | undefined) =>
    setQuery(
      (query) => {
        if (next) query.set('task', next)
        else query.delete('task')
        return query
      },
      { replace: next !== undefined },
    )
  const close = () => show(undefined)
  useAlone(!isWide)
  useFocus(panel, ticket)
  const go = (step: 1 | -1) => {
    const next = neighbourOf(ticket, step)
    if (next) show(next)
  }
  const end = (
    <>
      <ToPage ticket={task?.ticket_number ?? ticket} />
      <button type="button" className="button quiet only" onClick={close}>
        <Icon name="close" label="Close the task" />
      </button>
    </>
  )
  return (
    <>
      {!isWide && <div className="veil" aria-hidden="true" onClick={close} />}
      <section
        ref={panel}
        className="peek"
        tabIndex={-1}
        aria-label={`Task ${ticket}`}
        {...(!isWide && { role: 'dialog', 'aria-modal': true })}
      >
        {task ? (
          <TaskView
            key={task.task_id}
            task={task}
            onClose={close}
            onNext={go}
            onOther={show}
            onGone={close}
          >
            {end}
          </TaskView>
        ) : (
          <Shape ticket={ticket} error={error}>
            {end}
          </Shape>
        )}
      </section>
    </>
  )
}

/** The focus goes into what opened, and back to where it was, or to the card, once it closes. */
function useFocus(panel: React.RefObject<HTMLElement | null>, ticket: string) {
  const last = useRef(ticket)
  last.current = ticket
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    panel.current?.focus({ preventScroll: true })
    return () => {
      const isThere = before?.isConnected && before !== document.body
      const card = [...document.querySelectorAll<HTMLElement>('[data-task] .key')].find(
        ({ textContent }) => textContent === last.current,
      )
      const row = card?.closest('[data-task]')
      const button =
        row?.querySelector<HTMLElement>('button.what') ?? row?.querySelector<HTMLElement>('button')
      const back = button ?? (isThere ? before : document.getElementById('main'))
      back?.focus({ preventScroll: true })
    }
  }, [panel])
}

/** Where it stands above the rest, nothing of the rest can be reached. */
function useAlone(isAlone: boolean) {
  useEffect(() => {
    if (!isAlone) return
    const others = [...document.querySelectorAll<HTMLElement>('#main, .side, .bar, .skip')]
    for (const one of others) one.inert = true
    return () => {
      for (const one of others) one.inert = false
    }
  }, [isAlone])
}
