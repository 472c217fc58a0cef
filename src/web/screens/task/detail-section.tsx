import { type ReactNode, useEffect, useId, useRef } from 'react'
import '../../entities/task/sections.css'

interface Props {
  title: string
  count?: string
  /** Controls at the end of the heading. */
  end?: ReactNode
  /** The section was added from the menu, so it gets the focus. */
  requested?: boolean
  children: ReactNode
}

/** The element that gets the focus in a requested section. */
const FIRST = '.add-line input, .end :is(button, input)'

/** A titled section of the task view. */
export function DetailSection({ title, count, end, requested = false, children }: Props) {
  const id = useId()
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!requested) return
    // The menu returns the focus to its button first.
    const timer = setTimeout(() => {
      root.current?.scrollIntoView({ block: 'nearest' })
      root.current?.querySelector<HTMLElement>(FIRST)?.focus()
    }, FOCUS_MS)
    return () => clearTimeout(timer)
  }, [requested])
  return (
    <section className="detail-section" aria-labelledby={id} ref={root}>
      <header>
        <h2 id={id}>{title}</h2>
        {count && <span className="soft tabular">{count}</span>}
        {end && <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  )
}

const FOCUS_MS = 60
