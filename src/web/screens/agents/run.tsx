import { useCallback, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Change } from '../../data/change-stream.ts'
import { useChanges } from '../../data/live.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { ApiError } from '../../kit/errors.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { useTabName } from '../../kit/title.ts'
import { t } from '../../messages/t.ts'
import { IN_RUN } from './shortcuts.ts'
import type { FullRun } from './types.ts'
import './agents.css'
import './page.css'
import { RunState } from '../../entities/agent/run-state.tsx'
import { ListSkeleton, Missing } from './empty.tsx'
import { Find, useFind } from './find.tsx'
import { Prompt, usePrompts } from './prompt.tsx'
import { RunSidebar } from './run-sidebar.tsx'
import { StopRun, useCanStop } from './stop-run.tsx'
import { Times } from './times.tsx'
import { type TranscriptHandle, TranscriptView } from './transcript.tsx'
import { useTranscript } from './transcript-store.ts'
import './run.css'
import { isOpen } from '../../entities/agent/descriptions.ts'

/** The page of a run with its live transcript. */
export default function Run({ run_id: idText }: { run_id: string }) {
  const run_id = Number(idText)
  const { data: run, error } = useOperation('runs.get', { run_id }, { enabled: run_id > 0 })
  useTabName(run && `${run.agent.name}: ${run.task.ticket_number} ${run.task.title}`)
  if (!(run_id > 0) || (error && !run))
    return (
      <Missing
        kind="run"
        error={error ?? new Error(t('agents.the_id_of_a_run_is_a'))}
        isUnknown={!error || (error instanceof ApiError && [400, 403, 404].includes(error.status))}
      />
    )
  return run ? <RunView run={run} /> : <ListSkeleton />
}

function RunView({ run }: { run: FullRun }) {
  const { run_id } = run
  const transcript = useLiveTranscript(run)
  const handle = useRef<TranscriptHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const prompt = useRef<HTMLTextAreaElement>(null)
  const find = useFind(run_id, (number) => handle.current?.show(number))
  const prompts = usePrompts(run, transcript.count, () => handle.current?.end())
  useShortcuts(IN_RUN, {
    prompt: () => focus(prompt.current),
    send: () => false,
    find: () => focus(field.current),
    next: () => find.step(1),
    back: () => find.step(-1),
    start: () => handle.current?.start(),
    end: () => handle.current?.end(),
  })
  const isLive = isOpen(run)
  const total = transcript.count + prompts.sending.length
  return (
    <article className="run" aria-label={t('agents.run_of_name', { name: run.agent.name })}>
      <RunHeader run={run} />
      <div className="reading">
        <div className="tools">
          <Find find={find} field={field} />
          <span className="soft tabular">{t('agents.total_entries', { total })}</span>
        </div>
        {total ? (
          <TranscriptView
            {...{ transcript, isLive, handle }}
            sending={prompts.sending}
            searchText={find.search}
            current={find.current}
          />
        ) : (
          <p className="empty-run soft">{emptyText(run)}</p>
        )}
        <Prompt run={run} prompts={prompts} field={prompt} />
      </div>
      <RunSidebar run={run} />
    </article>
  )
}

function focus(element: HTMLElement | null) {
  element?.focus()
  return element !== null
}

const emptyText = ({ state, agent }: FullRun) =>
  state === 'queued'
    ? t('agents.name_has_not_started_yet_its_transcript', { name: agent.name })
    : t('agents.name_has_not_written_to_the_transcript', { name: agent.name })

/** The transcript of a run. Live events report its length. */
function useLiveTranscript({ run_id, entry_count }: FullRun) {
  const transcript = useTranscript(run_id)
  useEffect(() => transcript.grow(entry_count), [transcript, entry_count])
  const onEvents = useCallback(
    (changes: readonly Change[]) => {
      for (const { type, data } of changes) {
        const { run_id: id, last } = data as { run_id?: number; last?: number }
        if (type === 'run.transcript' && id === run_id && last) transcript.grow(last)
      }
    },
    [transcript, run_id],
  )
  useChanges(onEvents)
  return transcript
}

function RunHeader({ run }: { run: FullRun }) {
  const { agent, task, state, summary, reason } = run
  const canStop = useCanStop(run)
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
        {canStop && <StopRun run={run} />}
      </div>
      <h1 dir="auto">
        <Link href={`/t/${task.ticket_number}`}>
          <span className="key">{task.ticket_number}</span> {task.title}
        </Link>
      </h1>
      {summary && <p className="outcome">{summary}</p>}
      {reason && <p className="outcome">{t('agents.stopped_reason', { reason })}</p>}
    </header>
  )
}
