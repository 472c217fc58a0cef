import { Link } from 'wouter'
import { agoWords } from '../parts/dates.ts'
import { RunState } from './mark.tsx'
import './run-line.css'
import type { Run } from './words.ts'

type Shown = 'run_id' | 'task' | 'state' | 'updated_at' | 'summary' | 'last_entry' | 'prompt'

interface Props {
  run: Pick<Run, Shown>
  /** Said instead of the task, where that is plain already. */
  name?: string
}

/** A run in a line: how it stands, of which task, and what was last heard of it. */
export default function RunLine({ run, name }: Props) {
  const { run_id, task, state, updated_at, summary, last_entry, prompt } = run
  const { short, full } = agoWords(updated_at)
  const words = summary ?? last_entry ?? prompt
  return (
    <Link href={`/runs/${run_id}`} className="run-line">
      <RunState state={state} />
      {name === undefined && <span className="key">{task.ticket_number}</span>}
      <span className="name">
        {name ?? task.title}
        {words && <span className="soft"> {words}</span>}
      </span>
      <time dateTime={updated_at} title={full}>
        {short}
      </time>
    </Link>
  )
}
