import { type FormEvent, useId, useState } from 'react'
import { useCache } from '../../data/cache.ts'
import { callOperation, type Input, newIdempotencyKey, type Output } from '../../data/client.ts'
import { Copy } from '../../kit/copy.tsx'
import { useAction } from '../../kit/use-action.ts'
import '../../entities/agent/connect.css'
import './forms.css'
import type { PartProps } from './part-props.ts'
import { ShowOnce } from './show-once.tsx'

type Draft = Input<'calendar_feeds.create'>
type CreatedFeed = Output<'calendar_feeds.create'>

const ALL = ''

/** Creates a calendar feed and shows its URL once. */
export function NewFeed({ me }: Pick<PartProps, 'me'>) {
  const id = useId()
  const { created, error, busy, make, close } = useCreateFeed()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const title = String(form.get('title')).trim()
    const board = String(form.get('board'))
    void make({
      ...(title && { title }),
      what: form.get('what') === 'all' ? 'all' : 'mine',
      ...(board !== ALL && { project_ids: [Number(board)] }),
    })
  }
  if (created) return <FeedAddress made={created} onClose={close} />
  return (
    <form className="make" onSubmit={submit} aria-label="New feed">
      <div className="asked">
        <div className="of">
          <label htmlFor={`${id}-title`}>Name</label>
          <input
            id={`${id}-title`}
            name="title"
            className="field"
            placeholder="Name in your calendar (optional)"
            maxLength={200}
            autoComplete="off"
          />
        </div>
        <div className="of">
          <label htmlFor={`${id}-what`}>Tasks</label>
          <select id={`${id}-what`} name="what" className="field">
            <option value="mine">Assigned to you</option>
            <option value="all">All</option>
          </select>
        </div>
        <div className="of">
          <label htmlFor={`${id}-board`}>Board</label>
          <select id={`${id}-board`} name="board" className="field">
            <option value={ALL}>All boards</option>
            {me.boards.map(({ project_id, title }) => (
              <option key={project_id} value={project_id}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </div>
      {error && (
        <p className="wrong" role="alert">
          {error}
        </p>
      )}
      <div>
        <button type="submit" className="button main" disabled={busy}>
          Create feed
        </button>
      </div>
    </form>
  )
}

function useCreateFeed() {
  const [created, setCreated] = useState<CreatedFeed>()
  const { error, busy, run } = useAction()
  const cache = useCache()
  const make = (draft: Draft) =>
    run(async () => {
      setCreated(await callOperation('calendar_feeds.create', draft, { key: newIdempotencyKey() }))
      void cache.invalidateQueries({ queryKey: ['calendar_feeds.list'] })
    })
  return { created, error, busy, make, close: () => setCreated(undefined) }
}

const FeedAddress = ({ made, onClose }: { made: CreatedFeed; onClose(): void }) => (
  <ShowOnce title={`Address of ${made.title}`} onClose={onClose}>
    {(onCopied) => (
      <>
        <Copy label="Address" text={made.url} onCopied={onCopied} />
        <dl>
          <dt>Apple Calendar</dt>
          <dd>
            File, New Calendar Subscription; on an iPhone: Settings, Apps, Calendar, Accounts, Add
            Subscribed Calendar.
          </dd>
          <dt>Google Calendar</dt>
          <dd>
            Other calendars, +, From URL. Google reads it from its own servers from time to time.
          </dd>
          <dt>Thunderbird</dt>
          <dd>New Calendar, On the Network, and leave the user name empty.</dd>
        </dl>
      </>
    )}
  </ShowOnce>
)
