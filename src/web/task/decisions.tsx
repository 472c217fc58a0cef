import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { decisionsOf, type Task } from './data.ts'
import { useTyped } from './typed.ts'

type Rows = Output<'decision_requests.list'>
type Request = Rows['items'][number]

/** Questions that wait for somebody, above all else that a task has. */
export function Decisions({ task: { task_id } }: { task: Task }) {
  const list = useAsk('decision_requests.list', decisionsOf(task_id))
  if (!list.data) return <LoadError of={list} what="decision requests" />
  return list.data.items
    .filter(({ status }) => status === 'pending')
    .map((one) => <Question key={one.decision_request_id} request={one} />)
}

function Question({ request }: { request: Request }) {
  const { decision_request_id, question, options, created_by, created_at } = request
  const { text: note, type, draft } = useTyped(`decision:${decision_request_id}`)
  const { act, busy } = useAnswer(request, draft.drop)
  const ago = agoWords(created_at)
  const answer = { decision_request_id, ...(note.trim() && { note: note.trim() }) }
  return (
    <section className="question" aria-label="A decision to make">
      <header>
        <Icon name="bell" />
        <span>
          {created_by.name} asks{' '}
          <time dateTime={created_at} title={ago.full}>
            {ago.short}
          </time>
        </span>
      </header>
      <p className="asked">{question}</p>
      {request.note && <p className="soft">{request.note}</p>}
      <input
        className="field"
        aria-label="Why, if that helps"
        placeholder="Why, if that helps"
        value={note}
        maxLength={10_000}
        onChange={({ target }) => type(target.value)}
      />
      <div className="options">
        {options.map((option) => (
          <button
            key={option}
            type="button"
            className="button plain"
            disabled={busy}
            onClick={() => act({ ...answer, selected_option: option })}
          >
            {option}
          </button>
        ))}
      </div>
    </section>
  )
}

/** The question leaves at once, and is back where the answer was refused. */
function useAnswer({ decision_request_id, task_id }: Request, over: () => void) {
  const key = keyOf('decision_requests.list', decisionsOf(task_id))
  return useAct('decision_requests.answer', {
    ahead({ selected_option }) {
      const before = cache.getQueryData<Rows>(key)
      const answered = { status: 'answered' as const, selected_option }
      cache.setQueryData<Rows>(
        key,
        (rows) =>
          rows && {
            ...rows,
            items: rows.items.map((one) =>
              one.decision_request_id === decision_request_id ? { ...one, ...answered } : one,
            ),
          },
      )
      return () => void cache.setQueryData(key, before)
    },
    done(_, { selected_option }) {
      over()
      say(`Answered: ${selected_option}`)
    },
    failed: (error) => complain(wordsOf(error)),
  })
}
