import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { queryKeyOf, useOperationMutation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { agoText } from '../../kit/dates.ts'
import { Form, SubmitButton } from '../../kit/form.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { combineQueries, LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { Block } from './work.tsx'

type Escalation = Output<'escalations.list'>['items'][number]
type Evidence = Output<'evidence.list'>['items'][number]

interface Props {
  agent: { agent_id?: string; name: string }
  /** Ids of the tasks that it worked on lately. */
  tasks: readonly number[]
}

type ItemsResult<T> = UseQueryResult<{ items: readonly T[] }>

const combineResults = <T,>(results: readonly ItemsResult<T>[]) => ({
  items: results.flatMap(({ data }) => data?.items ?? []),
  list: combineQueries(results),
})

/** At most this many tasks are checked, with one request each. */
const MAX_TASKS = 12

/** The agent's open escalations. */
export function Escalations({ agent, tasks }: Props) {
  const { items, list } = useQueries({
    queries: tasks.slice(0, MAX_TASKS).map((task_id) => {
      const input = { task_id, state: 'open', limit: 50 } as const
      return {
        queryKey: queryKeyOf('escalations.list', input),
        queryFn: () => callOperation('escalations.list', input),
      }
    }),
    combine: combineResults<Escalation>,
  })
  const rows = items.filter(({ created_by }) => created_by.agent_id === agent.agent_id)
  if (!rows.length) return <LoadError of={list} what={t('agents.escalations')} />
  return (
    <Block title={t('agents.escalations_name')} count={rows.length}>
      {rows.map((row) => (
        <EscalationForm key={row.escalation_id} row={row} />
      ))}
    </Block>
  )
}

function EscalationForm({ row }: { row: Escalation }) {
  const { escalation_id, task_id, ticket_number, reason, to, created_at } = row
  const [note, setNote] = useState('')
  const [isHidden, setHidden] = useState(false)
  const { mutate } = useOperationMutation('escalations.resolve', {
    optimistic() {
      setHidden(true)
      return () => setHidden(false)
    },
    onDone: () =>
      showToast(t('agents.resolved_the_escalation_on_ticket_number', { ticket_number })),
    onFailed: showError,
  })
  const { short, full } = agoText(created_at)
  if (isHidden) return null
  return (
    <Form
      className="call"
      label={t('agents.escalation_on_ticket_number', { ticket_number })}
      onSubmit={() => mutate({ task_id, escalation_id, ...(note.trim() && { note: note.trim() }) })}
    >
      <p className="question-text">{reason}</p>
      <p className="soft">
        {rich('agents.ticket_number_for_name_short', {
          ticket_number: (
            <Link href={`/t/${ticket_number}`} className="underlined">
              {ticket_number}
            </Link>
          ),
          name: to.name,
          short: (
            <time dateTime={created_at} title={full}>
              {short}
            </time>
          ),
        })}
      </p>
      <div className="answer">
        <input
          className="field"
          aria-label={t('agents.resolution_note')}
          placeholder={t('agents.resolution_note_optional')}
          maxLength={10_000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <SubmitButton variant="plain">{t('agents.resolve')}</SubmitButton>
      </div>
    </Form>
  )
}

const KINDS: Record<Evidence['kind'], [IconName, string]> = {
  link: ['link', t('agents.link')],
  file: ['clip', t('agents.file')],
  test_result: ['done', t('agents.test_result')],
  note: ['comment', t('common.note')],
}
const MAX_ROWS = 10

/** The evidence that the agent added, newest first. */
export function EvidenceList({ agent, tasks }: Props) {
  const { items, list } = useQueries({
    queries: tasks.slice(0, MAX_TASKS).map((task_id) => {
      const input = { task_id, limit: 50 } as const
      return {
        queryKey: queryKeyOf('evidence.list', input),
        queryFn: () => callOperation('evidence.list', input),
      }
    }),
    combine: combineResults<Evidence>,
  })
  const rows = items
    .filter(({ created_by }) => created_by.agent_id === agent.agent_id)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  if (!rows.length) return <LoadError of={list} what={t('agents.evidence')} />
  return (
    <Block title={t('agents.evidence_name')} count={rows.length}>
      <ul className="evidence-list">
        {rows.slice(0, MAX_ROWS).map((row) => (
          <EvidenceLine key={row.evidence_id} row={row} />
        ))}
      </ul>
    </Block>
  )
}

function EvidenceLine({ row: { kind, summary, url, attachment, created_at } }: { row: Evidence }) {
  const [icon, name] = KINDS[kind]
  const { short, full } = agoText(created_at)
  const address = url ?? attachment?.url
  return (
    <li className="flex-row">
      <Icon name={icon} label={name} />
      <span className="grow">
        {address ? (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {summary}
          </a>
        ) : (
          summary
        )}
      </span>
      <time className="minor" dateTime={created_at} title={full}>
        {short}
      </time>
    </li>
  )
}
