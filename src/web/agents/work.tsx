import { type ReactNode, useId, useState } from 'react'
import { LoadError, type Loading } from '../parts/load-error.tsx'
import type { Held } from './held.ts'
import { Left } from './left.tsx'
import { TaskOf } from './row.tsx'
import RunLine from './run-line.tsx'
import type { Agent, Run } from './words.ts'

interface BlockProps {
  title: string
  count?: number | undefined
  end?: ReactNode
  children: ReactNode
}

/** A part of a page under a title of its own. */
export function Block({ title, count, end, children }: BlockProps) {
  const id = useId()
  return (
    <section className="block" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {count !== undefined && count > 0 && <span className="soft tabular">{count}</span>}
        {end && <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  )
}

interface HoldsProps {
  held: readonly Held[]
  list: Loading
  agent: Agent
}

export const Holds = ({ held, list, agent }: HoldsProps) => (
  <Block title="Has taken" count={held.length}>
    <LoadError of={list} what="leases" />
    {held.length ? (
      <ul className="works">
        {held.map((one) => (
          <li key={one.task_id}>
            <TaskOf {...one} />
            <span className="end">
              <Left until={one.expires_at} />
            </span>
          </li>
        ))}
      </ul>
    ) : (
      list.data !== undefined && (
        <p className="soft">
          Nothing now. What {agent.name} works on is its own until it is done, given back, or silent
          for too long.
        </p>
      )
    )}
  </Block>
)

const SHOWN = 8

interface RunsProps {
  runs: readonly Run[]
  isPending: boolean
  list: Loading
}

export function Runs({ runs, isPending, list }: RunsProps) {
  const [all, setAll] = useState(false)
  const some = all ? runs : runs.slice(0, SHOWN)
  return (
    <Block title="Runs" count={runs.length}>
      <LoadError of={list} what="runs" />
      {!runs.length && !isPending && list.data !== undefined && (
        <p className="soft">
          None yet. Assign or mention it on a task and a run begins, which you can follow line by
          line.
        </p>
      )}
      <ul className="runs">
        {some.map((run) => (
          <li key={run.run_id}>
            <RunLine run={run} />
          </li>
        ))}
      </ul>
      {runs.length > some.length && (
        <button type="button" className="button quiet" onClick={() => setAll(true)}>
          Show all {runs.length}
        </button>
      )}
    </Block>
  )
}
