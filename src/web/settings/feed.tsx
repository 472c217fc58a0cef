import { type FormEvent, useId, useState } from 'react'
import { useCache } from '../data/cache.ts'
import { ask, type Input, newKey, type Output, wordsOf } from '../data/client.ts'
import { Copy } from '../start/copy.tsx'
import '../start/connect.css'
import './forms.css'
import { Once } from './once.tsx'
import type { PartProps } from './screen.tsx'

type Draft = Input<'calendar_feeds.create'>
type Made = Output<'calendar_feeds.create'>

const ALL = ''

/** Asks what a calendar shall show, and shows once where it reads that. */
export function NewFeed({ me }: Pick<PartProps, 'me'>) {
  const id = useId()
  const { made, wrong, busy, make, close } = useMaking()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const said = new FormData(event.currentTarget)
    const title = String(said.get('title')).trim()
    const board = String(said.get('board'))
    void make({
      ...(title && { title }),
      what: said.get('what') === 'all' ? 'all' : 'mine',
      ...(board !== ALL && { project_ids: [Number(board)] }),
    })
  }
  if (made) return <Address made={made} onClose={close} />
  return (
    <form className="make" onSubmit={submit} aria-label="New feed">
      <div className="asked">
        <div className="of">
          <label htmlFor={`${id}-title`}>Name</label>
          <input
            id={`${id}-title`}
            name="title"
            className="field"
            placeholder="As your calendar calls it"
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
          <label htmlFor={`${id}-board`}>Of</label>
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
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      <div>
        <button type="submit" className="button main" disabled={busy}>
          Make the feed
        </button>
      </div>
    </form>
  )
}

function useMaking() {
  const [made, setMade] = useState<Made>()
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  const cache = useCache()
  const make = async (draft: Draft) => {
    setBusy(true)
    setWrong('')
    try {
      setMade(await ask('calendar_feeds.create', draft, { key: newKey() }))
      void cache.invalidateQueries({ queryKey: ['calendar_feeds.list'] })
    } catch (error) {
      setWrong(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { made, wrong, busy, make, close: () => setMade(undefined) }
}

const Address = ({ made, onClose }: { made: Made; onClose(): void }) => (
  <Once title={`The address of ${made.title}`} onClose={onClose}>
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
          <dd>Other calendars, +, From URL. Google reads it from its own servers, now and then.</dd>
          <dt>Thunderbird</dt>
          <dd>New Calendar, On the Network, and leave the user name empty.</dd>
        </dl>
      </>
    )}
  </Once>
)
