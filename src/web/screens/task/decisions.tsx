import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { useDraftText } from '../../entities/editor/draft-text.ts'
import { decisionsQuery, type Task } from '../../entities/task/data.ts'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'

type Request = Output<'decision_requests.list'>['items'][number]

/** The pending decision requests of a task. */
export function Decisions({ task: { task_id } }: { task: Task }) {
  const list = useOperation('decision_requests.list', decisionsQuery(task_id))
  if (!list.data) return <LoadError of={list} what={t('task.decision_requests')} />
  return list.data.items
    .filter(({ status }) => status === 'pending')
    .map((one) => <Question key={one.decision_request_id} request={one} />)
}

function Question({ request }: { request: Request }) {
  const { decision_request_id, question, options, created_by, created_at } = request
  const { text: note, type, draft } = useDraftText(`decision:${decision_request_id}`)
  const { mutate, busy } = useAnswer(request, draft.discard)
  const ago = agoText(created_at)
  const answer = { decision_request_id, ...(note.trim() && { note: note.trim() }) }
  return (
    <section className="question" aria-label={t('task.decision_request')}>
      <header>
        <Icon name="bell" />
        <span>
          {rich('task.name_asked_short', {
            name: created_by.name,
            short: (
              <time dateTime={created_at} title={ago.full}>
                {ago.short}
              </time>
            ),
          })}
        </span>
      </header>
      <p className="question-text">{question}</p>
      {request.note && <p className="soft">{request.note}</p>}
      <input
        className="field"
        aria-label={t('common.reason_optional')}
        placeholder={t('common.reason_optional')}
        value={note}
        maxLength={10_000}
        onChange={({ target }) => type(target.value)}
      />
      <div className="options flex-wrap">
        {options.map((option) => (
          <button
            key={option}
            type="button"
            className="button plain"
            disabled={busy}
            onClick={() => mutate({ ...answer, selected_option: option })}
          >
            {option}
          </button>
        ))}
      </div>
    </section>
  )
}

/** Answers optimistically: the question disappears at once and returns if the server refuses. */
function useAnswer({ decision_request_id, task_id }: Request, onAnswered: () => void) {
  return useOperationMutation('decision_requests.answer', {
    optimistic({ selected_option }) {
      const answer = { status: 'answered' as const, selected_option }
      return patchQuery('decision_requests.list', decisionsQuery(task_id), (rows) => ({
        ...rows,
        items: rows.items.map((one) =>
          one.decision_request_id === decision_request_id ? { ...one, ...answer } : one,
        ),
      }))
    },
    onDone(_, { selected_option }) {
      onAnswered()
      showToast(t('task.answered_selected_option', { selected_option }))
    },
    onFailed: showError,
  })
}
