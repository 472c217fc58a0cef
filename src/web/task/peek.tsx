import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { Edge } from '../parts/edge.tsx'
import { Icon } from '../parts/icon.tsx'
import { useTask } from './data.ts'
import { ToPage } from './head.tsx'
import { neighbourOf } from './next.ts'
import { Shape } from './shape.tsx'
import { TaskView } from './task.tsx'
import './peek.css'
import './task.css'

const WIDTH = {
  label: 'Width of the task',
  name: 'peek-width',
  property: '--peek',
  least: 480,
  most: 720,
  usual: () => innerWidth * 0.4,
} as const

const wide = matchMedia('(min-width: 1100px)')

const useWide = () =>
  useSyncExternalStore(
    (tell) => {
      wide.addEventListener('change', tell)
      return () => wide.removeEventListener('change', tell)
    },
    () => wide.matches,
  )

/** Shows another task in the peek, or none. */
function useShow() {
  const [, setQuery] = useSearchParams()
  return (next: string | undefined) =>
    setQuery(
      (query) => {
        if (next) query.set('task', next)
        else query.delete('task')
        return query
      },
      { replace: next !== undefined },
    )
}

/** A task beside what it was opened from, or above it where there is no room for both. */
export default function Peek({ ticket }: { ticket: string }) {
  const isWide = useWide()
  const panel = useRef<HTMLElement>(null)
  const show = useShow()
  const close = () => show(undefined)
  useAlone(!isWide)
  useFocus(panel, ticket)
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
        {isWide && <Edge {...WIDTH} />}
        <Inside ticket={ticket} onShow={show} onClose={close} />
      </section>
    </>
  )
}

interface InsideProps {
  ticket: string
  onShow(ticket: string): void
  onClose(): void
}

function Inside({ ticket, onShow, onClose }: InsideProps) {
  const { task, error } = useTask(ticket)
  const early = useRef<string>(undefined)
  const step = (by: 1 | -1) => {
    early.current = undefined
    const next = neighbourOf(ticket, by)
    if (next) onShow(next)
  }
  const end = (
    <>
      <ToPage ticket={task?.ticket_number ?? ticket} />
      <button type="button" className="button quiet only" onClick={onClose}>
        <Icon name="close" label="Close the task" />
      </button>
    </>
  )
  if (!task)
    return (
      <Shape {...{ ticket, error, onClose, early }} onNext={step}>
        {end}
      </Shape>
    )
  return (
    <TaskView
      key={task.task_id}
      {...{ task, early, onClose }}
      onNext={step}
      onOther={onShow}
      onGone={onClose}
    >
      {end}
    </TaskView>
  )
}

/** The focus goes into what opened, and back to where it was, or to the card, once it closes. */
function useFocus(panel: RefObject<HTMLElement | null>, ticket: string) {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another task, what was in focus may be gone
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  }, [panel, ticket])
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
