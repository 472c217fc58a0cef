import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { useTask } from '../../entities/task/data.ts'
import { neighbourOf } from '../../entities/task/neighbours.ts'
import { Icon } from '../../kit/icon.tsx'
import { ResizeHandle } from '../../kit/resize-handle.tsx'
import { t } from '../../messages/t.ts'
import { OpenPageLink } from './head.tsx'
import { TaskSkeleton } from './skeleton.tsx'
import { TaskView } from './task.tsx'
import './peek.css'
import '../../entities/task/task.css'

const WIDTH = {
  label: t('task.task_panel_width'),
  name: 'peek-width',
  property: '--peek',
  min: 480,
  max: 720,
  defaultWidth: () => innerWidth * 0.4,
} as const

const wide = matchMedia('(min-width: 1100px)')

const useIsWide = () =>
  useSyncExternalStore(
    (notify) => {
      wide.addEventListener('change', notify)
      return () => wide.removeEventListener('change', notify)
    },
    () => wide.matches,
  )

/** Shows another task in the panel, or closes it. */
function useShowTask() {
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

/** A task beside the list it was opened from, or as a modal above it on narrow screens. */
export default function TaskPanel({ ticket }: { ticket: string }) {
  const isWide = useIsWide()
  const panel = useRef<HTMLElement>(null)
  const show = useShowTask()
  const close = () => show(undefined)
  useModal(!isWide)
  useFocus(panel, ticket)
  return (
    <>
      {!isWide && <div className="backdrop" aria-hidden="true" onClick={close} />}
      <section
        ref={panel}
        className="peek"
        tabIndex={-1}
        aria-label={t('task.task_ticket', { ticket })}
        {...(!isWide && { role: 'dialog', 'aria-modal': true })}
      >
        {isWide && <ResizeHandle {...WIDTH} />}
        <Content ticket={ticket} onShow={show} onClose={close} />
      </section>
    </>
  )
}

interface ContentProps {
  ticket: string
  onShow(ticket: string): void
  onClose(): void
}

function Content({ ticket, onShow, onClose }: ContentProps) {
  const { task, error } = useTask(ticket)
  const pendingKey = useRef<string>(undefined)
  const step = (by: 1 | -1) => {
    pendingKey.current = undefined
    const next = neighbourOf(ticket, by)
    if (next) onShow(next)
  }
  const end = (
    <>
      <OpenPageLink ticket={task?.ticket_number ?? ticket} />
      <button type="button" className="button quiet only" onClick={onClose}>
        <Icon name="close" label={t('task.close_the_task')} />
      </button>
    </>
  )
  if (!task)
    return (
      <TaskSkeleton {...{ ticket, error, onClose, pendingKey }} onNext={step}>
        {end}
      </TaskSkeleton>
    )
  return (
    <TaskView
      key={task.task_id}
      {...{ task, pendingKey, onClose }}
      onNext={step}
      onShowTask={onShow}
      onDelete={onClose}
    >
      {end}
    </TaskView>
  )
}

/**
 * Focuses the panel when it opens. On close, the focus returns to the task's card or, without one,
 * to where it was.
 */
function useFocus(panel: RefObject<HTMLElement | null>, ticket: string) {
  const last = useRef(ticket)
  last.current = ticket
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    panel.current?.focus({ preventScroll: true })
    return () => {
      const isFocusable = before?.isConnected && before !== document.body
      const card = [...document.querySelectorAll<HTMLElement>('[data-task] .key')].find(
        ({ textContent }) => textContent === last.current,
      )
      const row = card?.closest('[data-task]')
      const button =
        row?.querySelector<HTMLElement>('button:is(.row-title, .title)') ??
        row?.querySelector<HTMLElement>('button')
      const focusTarget = button ?? (isFocusable ? before : document.getElementById('main'))
      focusTarget?.focus({ preventScroll: true })
    }
  }, [panel])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task may have removed the focused element
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  }, [panel, ticket])
}

/** While the panel is modal, the rest of the page is inert. */
function useModal(isModal: boolean) {
  useEffect(() => {
    if (!isModal) return
    const others = [...document.querySelectorAll<HTMLElement>('#main, .side, .bar, .skip')]
    for (const element of others) element.inert = true
    return () => {
      for (const element of others) element.inert = false
    }
  }, [isModal])
}
