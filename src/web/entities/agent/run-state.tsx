import { t } from '../../messages/t.ts'
import './run-line.css'
import { Link } from 'wouter'
import { type Run, STATES } from './descriptions.ts'

/** The state of a run as a link to it. */
export const RunMark = ({ run: { run_id, state } }: { run: Pick<Run, 'run_id' | 'state'> }) => (
  <Link href={`/runs/${run_id}`} className={`run-mark ${state}`}>
    {STATES[state]}
    <span className="unseen"> {t('agent.run_run_id', { run_id })}</span>
  </Link>
)

export const RunState = ({ state }: Pick<Run, 'state'>) => (
  <span className={`run-mark ${state}`}>{STATES[state]}</span>
)
