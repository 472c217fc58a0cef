import { useState } from 'react'
import { cache, useAsk } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { say } from '../../frame/toasts.tsx'
import { agoWords } from '../../parts/dates.ts'
import { Icon } from '../../parts/icon.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { Copy } from '../../start/copy.tsx'
import { type PartProps, refused } from './data.ts'
import { FOR_MANAGERS, Part, Reason, Sure } from './parts.tsx'

type Receiver = Output<'pull_request_receivers.list'>['items'][number]
type Made = Output<'pull_request_receivers.create'>

const ABOUT =
  'GitHub or GitLab tell this board what becomes of pull requests. A ticket key in the title, the ' +
  'branch or the text of one links it to its task, with the state of its checks.'
const HOSTS = { github: 'GitHub', gitlab: 'GitLab' } as const

export default function Pulls({ board, may }: PartProps) {
  if (may.manage) return <Receivers project_id={board.project_id} />
  return (
    <Part title="Pull requests" about={ABOUT}>
      <Reason>{FOR_MANAGERS}</Reason>
    </Part>
  )
}

const reread = () => void cache.invalidateQueries({ queryKey: ['pull_request_receivers.list'] })

function Receivers({ project_id }: { project_id: number }) {
  const list = useAsk('pull_request_receivers.list', { project_id, limit: 50 })
  const [made, setMade] = useState<Made>()
  const [removing, setRemoving] = useState<Receiver>()
  const [busy, setBusy] = useState(false)
  const { data } = list
  if (!data) return <LoadError of={list} what="receivers" />
  const add = (host: keyof typeof HOSTS) => {
    setBusy(true)
    send('pull_request_receivers.create', { project_id, host })
      .then((one) => {
        setMade(one)
        reread()
      }, refused)
      .finally(() => setBusy(false))
  }
  return (
    <Part title="Pull requests" about={ABOUT}>
      {made && <Once made={made} onDone={() => setMade(undefined)} />}
      {!data.items.length && <p className="none">No code host tells this board anything yet.</p>}
      <ul className="rows" aria-label="Receivers">
        {data.items.map((one) => (
          <li key={one.receiver_id} className="board-row">
            <div className="first">
              <span className="who">
                <span>{HOSTS[one.host]}</span>
                <code>{one.url}</code>
                <span className="soft">
                  by {one.created_by.name}, {agoWords(one.created_at).short}
                </span>
              </span>
              <button type="button" className="button quiet only" onClick={() => setRemoving(one)}>
                <Icon name="trash" label={`Delete the receiver of ${HOSTS[one.host]}`} />
              </button>
            </div>
          </li>
        ))}
      </ul>
      <div className="buttons">
        {(Object.keys(HOSTS) as (keyof typeof HOSTS)[]).map((host) => (
          <button
            key={host}
            type="button"
            className="button plain"
            disabled={busy}
            onClick={() => add(host)}
          >
            <Icon name="plus" /> Connect {HOSTS[host]}
          </button>
        ))}
      </div>
      {removing && <RemoveReceiver receiver={removing} onClose={() => setRemoving(undefined)} />}
    </Part>
  )
}

const STEPS = {
  github: [
    'In the repository, open Settings, then Webhooks, then “Add webhook”.',
    'Payload URL: the address below. Content type: application/json. Secret: the secret below.',
    'Choose “Let me select individual events”, and of them:',
  ],
  gitlab: [
    'In the project, open Settings, then Webhooks, then “Add new webhook”.',
    'URL: the address below. Secret token: the secret below.',
    'As triggers, choose:',
  ],
} as const

/** The secret stands here and nowhere else, and is gone with this. */
function Once({ made, onDone }: { made: Made; onDone(): void }) {
  const { host, url, secret, events } = made
  return (
    <section className="board-once" aria-label={`How to set it up at ${HOSTS[host]}`}>
      <p role="status">
        <strong>{HOSTS[host]} may tell this board.</strong> The secret is shown this once.
      </p>
      <ol>
        {STEPS[host].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="events">
        {events.map((one) => (
          <code key={one}>{one}</code>
        ))}
      </p>
      <Copy label="Address" text={url} />
      <Copy label="Secret" text={secret} />
      <button type="button" className="button plain" onClick={onDone}>
        I have kept the secret
      </button>
    </section>
  )
}

function RemoveReceiver({ receiver, onClose }: { receiver: Receiver; onClose(): void }) {
  const { project_id, receiver_id, host } = receiver
  return (
    <Sure
      title={`Hear no more from ${HOSTS[host]}?`}
      verb="Delete the receiver"
      onClose={onClose}
      onDo={async () => {
        await send('pull_request_receivers.delete', { project_id, receiver_id })
        reread()
        say(`${HOSTS[host]} tells this board nothing any more`)
      }}
    >
      <p>
        Its address and its secret are no good any more; a new one has others. What it has told
        stays on the tasks.
      </p>
    </Sure>
  )
}
