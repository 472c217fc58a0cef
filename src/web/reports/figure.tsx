import { type ReactNode, useRef } from 'react'
import { say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Chart, type Drawn } from './chart.tsx'
import type { Look } from './look.ts'
import { save } from './own.ts'
import { type Draw, picture } from './plot.ts'

interface Props {
  /** In the address, where it is shown as a table. */
  id: string
  look: Look
  title: string
  /** What it tells, exactly. */
  meaning: string
  /** Of the board, for the name of the picture. */
  board: string
  draw: Draw
  count: number
  words(at: number): string
  hint: string
  onPick?(at: number): void
  table: ReactNode
  children?: ReactNode
}

/** A picture of figures, and the same figures as a table. */
export function Figure({ id, look, title, meaning, board, table, children, ...chart }: Props) {
  const drawn = useRef<Drawn>(undefined)
  const asTables = look.query.getAll('table').join().split(',').filter(Boolean)
  const isTable = asTables.includes(id)
  const turn = () => {
    const next = isTable ? asTables.filter((one) => one !== id) : [...asTables, id]
    look.put({ table: next.join() || undefined })
  }
  const keep = async () => {
    const one = drawn.current
    const file = one && (await picture(one.plot, one.theme, `${title} · ${board}`))
    if (!file) return say('There is no picture yet')
    save(`${board} ${title}.png`.toLowerCase().replaceAll(' ', '-'), file)
    say('Saved the picture')
  }
  return (
    <figure className="figure">
      <figcaption>
        <h2>{title}</h2>
        <p className="soft">{meaning}</p>
        <span className="deeds">
          <button
            type="button"
            className="button quiet"
            aria-pressed={isTable}
            aria-label={`As a table: ${title}`}
            onClick={turn}
          >
            <Icon name="list" /> As a table
          </button>
          {!isTable && (
            <button type="button" className="button quiet" onClick={() => void keep()}>
              <Icon name="arrow" /> PNG<span className="unseen"> of {title}</span>
            </button>
          )}
        </span>
      </figcaption>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is longer than its room
        <section className="scroll" aria-label={`${title}, as a table`} tabIndex={0}>
          {table}
        </section>
      ) : (
        <>
          <Chart name={title} drawn={drawn} {...chart} />
          {children}
        </>
      )}
    </figure>
  )
}
