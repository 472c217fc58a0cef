import { Link } from 'wouter'
import { agoText } from '../../kit/dates.ts'
import { RunState } from './run-state.tsx'
import './run-line.css'
import type { Run } from './descriptions.ts'

type RunFields = 'run_id' | 'task' | 'state' | 'updated_at' | 'summary' | 'last_entry' | 'prompt'

interface Props {
  run: Pick<Run, RunFields>
  /** Shown instead of the task if the task is known from the context. */
  name?: string
}

/** A run as one line: its state, its task and its latest text. */
export default function RunLine({ run, name }: Props) {
  const { run_id, task, state, updated_at, summary, last_entry, prompt } = run
  const { short, full } = agoText(updated_at)
  const text = summary ?? last_entry ?? prompt
  return (
    <Link href={`/runs/${run_id}`} className="run-line">
      <RunState state={state} />
      {name === undefined && <span className="key minor">{task.ticket_number}</span>}
      <span className="name truncate">
        {name ?? task.title}
        {text && <span className="soft"> {text}</span>}
      </span>
      <time className="minor" dateTime={updated_at} title={full}>
        {short}
      </time>
    </Link>
  )
}
