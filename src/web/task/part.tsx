import { type ReactNode, useId } from 'react'
import './part.css'

interface Props {
  title: string
  count?: string
  /** What stands at the end of the title. */
  end?: ReactNode
  children: ReactNode
}

/** A part of a task under a title of its own. */
export function Part({ title, count, end, children }: Props) {
  const id = useId()
  return (
    <section className="part" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {count && <span className="soft tabular">{count}</span>}
        {end && <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  )
}
