import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { keyOf, useAct } from '../data/cache.ts'
import { ask, type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { LoadError, together } from '../parts/load-error.tsx'
import { Block } from './work.tsx'

type Escalation = Output<'escalations.list'>['items'][number]
type Evidence = Output<'evidence.list'>['items'][number]

interface Props {
  agent: { agent_id?: string; name: string }
  /** Where it was at work lately. */
  tasks: readonly number[]
}

type Found<T> = UseQueryResult<{ items: readonly T[] }>

const gathered = <T,>(found: readonly Found<T>[]) => ({
  items: found.flatMap(({ data }) => data?.items ?? []),
  list: together(found),
})

/** So many tasks are looked through; it is asked for each by itself. */
const MOST_TASKS = 12

/** Where it calls for somebody, and nobody has come yet. */
export function Escalations({ agent, tasks }: Props) {
  const { items, list } = useQueries({
    queries: tasks.slice(0, MOST_TASKS).map((task_id) => {
      const input = { task_id, state: 'open', limit: 50 } as const
      return {
        queryKey: keyOf('escalations.list', input),
        queryFn: () => ask('escalations.list', input),
      }
    }),
    combine: gathered<Escalation>,
  })
  const rows = items.filter(({ created_by }) => created_by.agent_id === agent.agent_id)
  if (!rows.length) return <LoadError of={list} what="escalations" />
  return (
    <Block title="Calls for somebody" count={rows.length}>
      {rows.map((row) => (
        <Call key={row.escalation_id} row={row} />
      ))}
    </Block>
  )
}

function Call({ row }: { row: Escalation }) {
  const { escalation_id, task_id, ticket_number, reason, to, created_at } = row
  const [note, setNote] = useState('')
  const [isGone, setGone] = useState(false)
  const { act } = useAct('escalations.resolve', {
    ahead() {
      setGone(true)
      return () => setGone(false)
    },
    done: () => say(`Resolved what was called for on ${ticket_number}`),
    failed: (error) => complain(wordsOf(error)),
  })
  const { short, full } = agoWords(created_at)
  if (isGone) return null
  return (
    <form
      className="call"
      aria-label={`Called to ${ticket_number}`}
      onSubmit={(event) => {
        event.preventDefault()
        act({ task_id, escalation_id, ...(note.trim() && { note: note.trim() }) })
      }}
    >
      <p className="asked">{reason}</p>
      <p className="soft">
        <Link href={`/t/${ticket_number}`}>{ticket_number}</Link>, for {to.name},{' '}
        <time dateTime={created_at} title={full}>
          {short}
        </time>
      </p>
      <div className="answer">
        <input
          className="field"
          aria-label="What was done"
          placeholder="What was done, if that helps"
          maxLength={10_000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <button type="submit" className="button plain">
          Resolve
        </button>
      </div>
    </form>
  )
}

const KINDS: Record<Evidence['kind'], [IconName, string]> = {
  link: ['link', 'Link'],
  file: ['clip', 'File'],
  test_result: ['done', 'Test result'],
  note: ['comment', 'Note'],
}
const MOST_ROWS = 10

/** What it has put forward to show that its work was done. */
export function Proof({ agent, tasks }: Props) {
  const { items, list } = useQueries({
    queries: tasks.slice(0, MOST_TASKS).map((task_id) => {
      const input = { task_id, limit: 50 } as const
      return {
        queryKey: keyOf('evidence.list', input),
        queryFn: () => ask('evidence.list', input),
      }
    }),
    combine: gathered<Evidence>,
  })
  const rows = items
    .filter(({ created_by }) => created_by.agent_id === agent.agent_id)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  if (!rows.length) return <LoadError of={list} what="evidence" />
  return (
    <Block title="Evidence" count={rows.length}>
      <ul className="proofs">
        {rows.slice(0, MOST_ROWS).map((row) => (
          <ProofLine key={row.evidence_id} row={row} />
        ))}
      </ul>
    </Block>
  )
}

function ProofLine({ row: { kind, summary, url, attachment, created_at } }: { row: Evidence }) {
  const [icon, name] = KINDS[kind]
  const { short, full } = agoWords(created_at)
  const address = url ?? attachment?.url
  return (
    <li>
      <Icon name={icon} label={name} />
      <span className="name">
        {address ? (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {summary}
          </a>
        ) : (
          summary
        )}
      </span>
      <time dateTime={created_at} title={full}>
        {short}
      </time>
    </li>
  )
}
