import { useCallback, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { type Output, Refused } from '../data/client.ts'
import type { Happening } from '../data/live.ts'
import { useShortcuts } from '../frame/keys.ts'
import { useHappenings } from '../frame/live.ts'
import { useTabName } from '../frame/title.ts'
import { Avatar } from '../parts/avatar.tsx'
import { IN_RUN } from './table.ts'
import './agents.css'
import './page.css'
import { Around } from './around.tsx'
import { Missing, Shape } from './empty.tsx'
import { Find, useFind } from './find.tsx'
import { RunState } from './mark.tsx'
import { Prompt, usePrompts } from './prompt.tsx'
import { Stop, useMayStop } from './run-deeds.tsx'
import { Times } from './times.tsx'
import { type Reading, TranscriptView } from './transcript.tsx'
import { useTranscript } from './transcript-store.ts'
import './run.css'
import { isOpen } from './words.ts'

export type Session = Output<'runs.get'>

/** A run: what an agent says and does on a task, as it is said and done. */
export default function Run({ run_id: text }: { run_id: string }) {
  const run_id = Number(text)
  const { data: run, error } = useAsk('runs.get', { run_id }, { enabled: run_id > 0 })
  useTabName(run && `${run.agent.name}: ${run.task.ticket_number} ${run.task.title}`)
  if (!(run_id > 0) || (error && !run))
    return (
      <Missing
        what="run"
        error={error ?? new Error('A run has a number')}
        isUnknown={!error || (error instanceof Refused && [400, 403, 404].includes(error.status))}
      />
    )
  return run ? <Whole run={run} /> : <Shape />
}

function Whole({ run }: { run: Session }) {
  const { run_id } = run
  const transcript = useFollowed(run)
  const reading = useRef<Reading>(null)
  const field = useRef<HTMLInputElement>(null)
  const prompt = useRef<HTMLTextAreaElement>(null)
  const find = useFind(run_id, (number) => reading.current?.show(number))
  const prompts = usePrompts(run, transcript.count, () => reading.current?.end())
  useShortcuts(IN_RUN, {
    prompt: () => focus(prompt.current),
    send: () => false,
    find: () => focus(field.current),
    next: () => find.step(1),
    back: () => find.step(-1),
    start: () => reading.current?.start(),
    end: () => reading.current?.end(),
  })
  const isLive = isOpen(run)
  const total = transcript.count + prompts.sending.length
  return (
    <article className="run" aria-label={`Run of ${run.agent.name}`}>
      <Head run={run} />
      <div className="reading">
        <div className="tools">
          <Find find={find} field={field} />
          <span className="soft tabular">
            {total === 1 ? '1 entry' : `${total.toLocaleString()} entries`}
          </span>
        </div>
        {total ? (
          <TranscriptView
            {...{ transcript, isLive, reading }}
            sending={prompts.sending}
            sought={find.search}
            current={find.current}
          />
        ) : (
          <p className="silence soft">{silence(run)}</p>
        )}
        <Prompt run={run} prompts={prompts} field={prompt} />
      </div>
      <Around run={run} />
    </article>
  )
}

function focus(element: HTMLElement | null) {
  element?.focus()
  return element !== null
}

const silence = ({ state, agent }: Session) =>
  state === 'queued'
    ? `${agent.name} has not taken it up yet. What it says and does then stands here, line by line.`
    : `${agent.name} has not written anything into the transcript.`

/** Kept up with the news of the log, which says how far the transcript goes. */
function useFollowed({ run_id, entry_count }: Session) {
  const transcript = useTranscript(run_id)
  useEffect(() => transcript.grow(entry_count), [transcript, entry_count])
  const heard = useCallback(
    (happenings: readonly Happening[]) => {
      for (const { type, data } of happenings) {
        const { run_id: of, last } = data as { run_id?: number; last?: number }
        if (type === 'run.transcript' && of === run_id && last) transcript.grow(last)
      }
    },
    [transcript, run_id],
  )
  useHappenings(heard)
  return transcript
}

function Head({ run }: { run: Session }) {
  const { agent, task, state, summary, reason } = run
  const mayStop = useMayStop(run)
  return (
    <header>
      <div className="titles">
        <Link href={`/agents/${agent.agent_id}`} className="up">
          <span aria-hidden="true">
            <Avatar actor={agent} busy={state === 'running'} />
          </span>
          {agent.name}
        </Link>
        <span role="status">
          <RunState state={state} />
        </span>
        <Times run={run} />
        {mayStop && <Stop run={run} />}
      </div>
      <h1 dir="auto">
        <Link href={`/t/${task.ticket_number}`}>
          <span className="key">{task.ticket_number}</span> {task.title}
        </Link>
      </h1>
      {summary && <p className="came">{summary}</p>}
      {reason && <p className="came">Stopped: {reason}</p>}
    </header>
  )
}
