import { type ReactNode, useEffect, useId, useRef } from 'react'
import './part.css'

interface Props {
  title: string
  count?: string
  /** What stands at the end of the title. */
  end?: ReactNode
  /** Somebody asked for it, so one goes on there. */
  asked?: boolean
  children: ReactNode
}

/** What one begins with in a part that was asked for. */
const FIRST = '.add-line input, .end :is(button, input)'

/** A part of a task under a title of its own. */
export function Part({ title, count, end, asked = false, children }: Props) {
  const id = useId()
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!asked) return
    // The menu that it was asked for in gives the focus back first.
    const timer = setTimeout(() => {
      root.current?.scrollIntoView({ block: 'nearest' })
      root.current?.querySelector<HTMLElement>(FIRST)?.focus()
    }, FOCUS_MS)
    return () => clearTimeout(timer)
  }, [asked])
  return (
    <section className="part" aria-labelledby={id} ref={root}>
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
