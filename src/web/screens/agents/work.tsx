import { type ReactNode, useId, useState } from 'react'
import type { Agent, Run } from '../../entities/agent/descriptions.ts'
import type { Lease } from '../../entities/agent/leases.ts'
import RunLine from '../../entities/agent/run-line.tsx'
import { LoadError, type Loading } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { TaskReference } from './row.tsx'
import { TimeLeft } from './time-left.tsx'

interface BlockProps {
  title: string
  count?: number | undefined
  end?: ReactNode
  children: ReactNode
}

/** A titled block of a page. */
export function Block({ title, count, end, children }: BlockProps) {
  const id = useId()
  return (
    <section className="block" aria-labelledby={id}>
      <header className="flex-row">
        <h2 id={id}>{title}</h2>
        {count !== undefined && count > 0 && <span className="soft tabular">{count}</span>}
        {end && <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  )
}

interface LeasesProps {
  leases: readonly Lease[]
  list: Loading
  agent: Agent
}

export const AgentLeases = ({ leases, list, agent }: LeasesProps) => (
  <Block title={t('agents.working_on')} count={leases.length}>
    <LoadError of={list} what={t('agents.leases')} />
    {leases.length ? (
      <ul className="work-list">
        {leases.map((lease) => (
          <li key={lease.task_id}>
            <TaskReference {...lease} />
            <span className="end">
              <TimeLeft until={lease.expires_at} />
            </span>
          </li>
        ))}
      </ul>
    ) : (
      list.data !== undefined && (
        <p className="soft">
          {t('agents.nothing_right_now_name_holds_a_task', { name: agent.name })}
        </p>
      )
    )}
  </Block>
)

const INITIAL_ROWS = 8

interface RunsProps {
  runs: readonly Run[]
  isPending: boolean
  list: Loading
}

export function Runs({ runs, isPending, list }: RunsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const visible = showsAll ? runs : runs.slice(0, INITIAL_ROWS)
  return (
    <Block title={t('common.runs')} count={runs.length}>
      <LoadError of={list} what={t('agents.runs')} />
      {!runs.length && !isPending && list.data !== undefined && (
        <p className="soft">{t('agents.no_runs_yet_assign_it_to_a')}</p>
      )}
      <ul className="runs">
        {visible.map((run) => (
          <li key={run.run_id}>
            <RunLine run={run} />
          </li>
        ))}
      </ul>
      {runs.length > visible.length && (
        <button type="button" className="button quiet" onClick={() => setShowsAll(true)}>
          {t('agents.show_all_count', { count: runs.length })}
        </button>
      )}
    </Block>
  )
}
