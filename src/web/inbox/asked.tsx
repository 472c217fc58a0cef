import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { useTyped } from '../task/typed.ts'
import { decisionOf, escalationsOf } from './data.ts'
import type { Note } from './shapes.ts'

type Request = Output<'decision_requests.get'>
type Escalations = Output<'escalations.list'>

const failed = (error: Error) => complain(wordsOf(error))

/** A question that one is asked: its options, or who has answered it by now. */
export function Decision({ note }: { note: Note }) {
  const id = note.kind === 'decision_requested' ? note.decision_request_id : undefined
  const found = useAsk('decision_requests.get', decisionOf(id ?? 0), {
    enabled: id !== undefined,
  })
  const { data } = found
  if (id === undefined) return null
  return (
    <>
      <p className="asked" dir="auto">
        {data?.question ?? note.snippet}
      </p>
      <LoadError of={found} what="the decision request" />
      {data?.note && <p className="snippet">{data.note}</p>}
      {data && (data.status === 'pending' ? <Options request={data} /> : <Closed {...data} />)}
    </>
  )
}

const Closed = ({ status, selected_option, answer_note, closed_by }: Request) => (
  <p className="closed">
    {status === 'cancelled' ? (
      `${closed_by?.name ?? 'Somebody'} took the question back`
    ) : (
      <>
        {closed_by?.name} decided: <b>{selected_option}</b>
        {answer_note && `. ${answer_note}`}
      </>
    )}
  </p>
)

function Options({ request }: { request: Request }) {
  const { decision_request_id, options, ticket_number } = request
  const { text, type, draft } = useTyped(`decision:${decision_request_id}`)
  const { act, busy } = useAnswer(request, draft.drop)
  const note = text.trim()
  return (
    <fieldset className="ask">
      <legend className="unseen">What you decide for {ticket_number}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className="button plain"
          disabled={busy}
          onClick={() =>
            act({ decision_request_id, selected_option: option, ...(note && { note }) })
          }
        >
          {option}
        </button>
      ))}
      <input
        className="field"
        aria-label={`Why, if that helps: ${ticket_number}`}
        placeholder="Why, if that helps"
        value={text}
        maxLength={10_000}
        onChange={({ target }) => type(target.value)}
      />
    </fieldset>
  )
}

/** Answered at once, and open again where that was refused. */
function useAnswer({ decision_request_id, task_id }: Request, over: () => void) {
  const key = keyOf('decision_requests.get', decisionOf(decision_request_id))
  return useAct('decision_requests.answer', {
    ahead({ selected_option, note = null }) {
      const before = cache.getQueryData<Request>(key)
      const me = cache.getQueryData<Output<'user_context.get'>>(keyOf('user_context.get', {}))
      const name = me?.profile.display_name ?? ''
      const closed = { kind: 'person' as const, user_id: me?.profile.user_id ?? 0, name }
      cache.setQueryData<Request>(
        key,
        (one) =>
          one && {
            ...{ ...one, status: 'answered', selected_option, answer_note: note },
            closed_by: closed,
          },
      )
      return () => void cache.setQueryData(key, before)
    },
    done(_, { selected_option }) {
      over()
      void cache.invalidateQueries({ queryKey: ['decision_requests.list', { task_id }] })
      say(`Answered: ${selected_option}`)
    },
    failed,
  })
}

/** A call to a task: what to say once it was seen to, or who has done so. */
export function Escalation({ note, me }: { note: Note; me: number | undefined }) {
  const { escalation_id, task } = note
  const list = useAsk('escalations.list', escalationsOf(task.task_id), {
    enabled: escalation_id !== undefined,
  })
  if (!list.data) return <LoadError of={list} what="the escalation" />
  const one = list.data.items.find((row) => row.escalation_id === escalation_id)
  if (!one || one.created_by.user_id === me) return null
  if (one.state === 'open') return <Resolve escalation={one} />
  return (
    <p className="closed">
      {one.resolved_by?.name} saw to it{one.note && `: ${one.note}`}
    </p>
  )
}

function Resolve({ escalation }: { escalation: Escalations['items'][number] }) {
  const { escalation_id, task_id, ticket_number } = escalation
  const { text, type, draft } = useTyped(`escalation:${escalation_id}`)
  const key = keyOf('escalations.list', escalationsOf(task_id))
  const { act, busy } = useAct('escalations.resolve', {
    done(row) {
      draft.drop()
      cache.setQueryData<Escalations>(
        key,
        (rows) =>
          rows && {
            ...rows,
            items: rows.items.map((one) => (one.escalation_id === escalation_id ? row : one)),
          },
      )
      say(`Resolved on ${ticket_number}`)
    },
    failed,
  })
  const words = text.trim()
  return (
    <form
      className="ask"
      onSubmit={(event) => {
        event.preventDefault()
        act({ task_id, escalation_id, ...(words && { note: words }) })
      }}
    >
      <input
        className="field"
        aria-label={`What was done: ${ticket_number}`}
        placeholder="What was done, if that helps"
        value={text}
        maxLength={10_000}
        onChange={({ target }) => type(target.value)}
      />
      <button type="submit" className="button plain" disabled={busy}>
        Resolve
      </button>
    </form>
  )
}
