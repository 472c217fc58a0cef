import {
  cache,
  patchQuery,
  queryKeyOf,
  useOperation,
  useOperationMutation,
} from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { useDraftText } from '../../entities/editor/draft-text.ts'
import { Form, FormError, SubmitButton } from '../../kit/form.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { decisionQuery, escalationsQuery } from './data.ts'
import type { Note } from './types.ts'

type Request = Output<'decision_requests.get'>
type Escalations = Output<'escalations.list'>

/** A decision request: its options, or its answer. */
export function Decision({ note }: { note: Note }) {
  const id = note.kind === 'decision_requested' ? note.decision_request_id : undefined
  const result = useOperation('decision_requests.get', decisionQuery(id ?? 0), {
    enabled: id !== undefined,
  })
  const { data } = result
  if (id === undefined) return null
  return (
    <>
      <p className="question-text" dir="auto">
        {data?.question ?? note.snippet}
      </p>
      <LoadError of={result} what={t('inbox.the_decision_request')} />
      {data?.note && (
        <p className="snippet" dir="auto">
          {data.note}
        </p>
      )}
      {data &&
        (data.status === 'pending' ? (
          <DecisionOptions request={data} />
        ) : (
          <ClosedDecision {...data} />
        ))}
    </>
  )
}

const ClosedDecision = ({ status, selected_option, answer_note, closed_by }: Request) => (
  <p className="closed">
    {status === 'cancelled'
      ? t('inbox.name_cancelled_the_request', { name: closed_by?.name ?? t('inbox.somebody') })
      : answer_note
        ? rich('inbox.name_decided_with_note', {
            name: closed_by?.name,
            option: <b>{selected_option}</b>,
            note: answer_note,
          })
        : rich('inbox.name_decided', { name: closed_by?.name, option: <b>{selected_option}</b> })}
  </p>
)

function DecisionOptions({ request }: { request: Request }) {
  const { decision_request_id, options, ticket_number } = request
  const { text, type, draft } = useDraftText(`decision:${decision_request_id}`)
  const { mutate, busy } = useAnswer(request, draft.discard)
  const note = text.trim()
  return (
    <fieldset className="ask">
      <legend className="unseen">{t('inbox.decision_for_ticket_number', { ticket_number })}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className="button plain"
          disabled={busy}
          onClick={() =>
            mutate({ decision_request_id, selected_option: option, ...(note && { note }) })
          }
        >
          {option}
        </button>
      ))}
      <input
        className="field"
        aria-label={t('inbox.reason_optional_ticket_number', { ticket_number })}
        placeholder={t('common.reason_optional')}
        value={text}
        maxLength={10_000}
        onChange={({ target }) => type(target.value)}
      />
    </fieldset>
  )
}

/** Answers optimistically; reopens if the server refuses. */
function useAnswer({ decision_request_id, task_id }: Request, onAnswered: () => void) {
  return useOperationMutation('decision_requests.answer', {
    optimistic({ selected_option, note = null }) {
      const me = cache.getQueryData<Output<'user_context.get'>>(queryKeyOf('user_context.get', {}))
      const name = me?.profile.display_name ?? ''
      const closedBy = { kind: 'person' as const, user_id: me?.profile.user_id ?? 0, name }
      return patchQuery('decision_requests.get', decisionQuery(decision_request_id), (request) => ({
        ...{ ...request, status: 'answered', selected_option, answer_note: note },
        closed_by: closedBy,
      }))
    },
    onDone(_, { selected_option }) {
      onAnswered()
      void cache.invalidateQueries({ queryKey: ['decision_requests.list', { task_id }] })
      showToast(t('inbox.answered_selected_option', { selected_option }))
    },
    onFailed: showError,
  })
}

/** An escalation: a form to resolve it, or who resolved it. */
export function Escalation({ note, me }: { note: Note; me: number | undefined }) {
  const { escalation_id, task } = note
  const list = useOperation('escalations.list', escalationsQuery(task.task_id), {
    enabled: escalation_id !== undefined,
  })
  if (!list.data) return <LoadError of={list} what={t('inbox.the_escalation')} />
  const escalation = list.data.items.find((row) => row.escalation_id === escalation_id)
  if (!escalation || escalation.created_by.user_id === me) return null
  if (escalation.state === 'open') return <ResolveForm escalation={escalation} />
  const name = escalation.resolved_by?.name ?? t('inbox.somebody')
  return (
    <p className="closed">
      {escalation.note
        ? t('inbox.name_resolved_it_with_note', { name, note: escalation.note })
        : t('inbox.name_resolved_it', { name })}
    </p>
  )
}

function ResolveForm({ escalation }: { escalation: Escalations['items'][number] }) {
  const { escalation_id, task_id, ticket_number } = escalation
  const { text, type, draft } = useDraftText(`escalation:${escalation_id}`)
  const { mutateAsync } = useOperationMutation('escalations.resolve', {
    onDone(row) {
      draft.discard()
      patchQuery('escalations.list', escalationsQuery(task_id), (rows) => ({
        ...rows,
        items: rows.items.map((one) => (one.escalation_id === escalation_id ? row : one)),
      }))
      showToast(t('inbox.resolved_on_ticket_number', { ticket_number }))
    },
  })
  const resolution = text.trim()
  return (
    <Form
      className="ask"
      onSubmit={() =>
        mutateAsync({ task_id, escalation_id, ...(resolution && { note: resolution }) })
      }
    >
      <input
        className="field"
        aria-label={t('inbox.resolution_note_ticket_number', { ticket_number })}
        placeholder={t('inbox.resolution_note_optional')}
        value={text}
        maxLength={10_000}
        onChange={({ target }) => type(target.value)}
      />
      <SubmitButton variant="plain">{t('inbox.resolve')}</SubmitButton>
      <FormError />
    </Form>
  )
}
