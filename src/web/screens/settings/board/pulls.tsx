import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Copy } from '../../../kit/copy.tsx'
import { agoWords } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'
import { MANAGERS_ONLY } from './parts.tsx'

type Receiver = Output<'pull_request_receivers.list'>['items'][number]
type CreatedReceiver = Output<'pull_request_receivers.create'>

const ABOUT =
  'GitHub or GitLab reports pull requests to this board. A ticket key in the title, the branch or ' +
  'the description links a pull request to its task, with the state of its checks.'
const HOSTS = { github: 'GitHub', gitlab: 'GitLab' } as const

export default function Pulls({ board, may }: PartProps) {
  if (may.manage) return <Receivers project_id={board.project_id} />
  return <SettingsSection title="Pull requests" about={ABOUT} readOnly={MANAGERS_ONLY} />
}

const reload = () => void cache.invalidateQueries({ queryKey: ['pull_request_receivers.list'] })

function Receivers({ project_id }: { project_id: number }) {
  const list = useOperation('pull_request_receivers.list', { project_id, limit: 50 })
  const [created, setCreated] = useState<CreatedReceiver>()
  const [receiverToDelete, setReceiverToDelete] = useState<Receiver>()
  const { busy, run } = useAction()
  const { data } = list
  if (!data) return <LoadError of={list} what="receivers" />
  const add = (host: keyof typeof HOSTS) =>
    sendWrite('pull_request_receivers.create', { project_id, host }).then((receiver) => {
      setCreated(receiver)
      reload()
    }, showError)
  return (
    <SettingsSection title="Pull requests" about={ABOUT}>
      {created && <SetupGuide made={created} onDone={() => setCreated(undefined)} />}
      {!data.items.length && <p className="none">No code host connected yet.</p>}
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
              <button
                type="button"
                className="button quiet only"
                onClick={() => setReceiverToDelete(one)}
              >
                <Icon name="trash" label={`Delete the receiver of ${HOSTS[one.host]}`} />
              </button>
            </div>
          </li>
        ))}
      </ul>
      <div className="flex-wrap">
        {(Object.keys(HOSTS) as (keyof typeof HOSTS)[]).map((host) => (
          <button
            key={host}
            type="button"
            className="button plain"
            disabled={busy}
            onClick={() => void run(() => add(host))}
          >
            <Icon name="plus" /> Connect {HOSTS[host]}
          </button>
        ))}
      </div>
      {receiverToDelete && (
        <RemoveReceiver
          receiver={receiverToDelete}
          onClose={() => setReceiverToDelete(undefined)}
        />
      )}
    </SettingsSection>
  )
}

const STEPS = {
  github: [
    'In the repository, open Settings, then Webhooks, then “Add webhook”.',
    'Payload URL: the address below. Content type: application/json. Secret: the secret below.',
    'Select “Let me select individual events”, then these events:',
  ],
  gitlab: [
    'In the project, open Settings, then Webhooks, then “Add new webhook”.',
    'URL: the address below. Secret token: the secret below.',
    'Select these triggers:',
  ],
} as const

/** The setup guide with the secret, which is shown only once. */
function SetupGuide({ made, onDone }: { made: CreatedReceiver; onDone(): void }) {
  const { host, url, secret, events } = made
  return (
    <section className="once" aria-label={`Set up ${HOSTS[host]}`}>
      <p role="status">
        <strong>Finish the setup at {HOSTS[host]}.</strong> The secret is shown only once.
      </p>
      <ol>
        {STEPS[host].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="events flex-wrap">
        {events.map((one) => (
          <code key={one}>{one}</code>
        ))}
      </p>
      <Copy label="Address" text={url} />
      <Copy label="Secret" text={secret} />
      <button type="button" className="button plain" onClick={onDone}>
        I have saved the secret
      </button>
    </section>
  )
}

function RemoveReceiver({ receiver, onClose }: { receiver: Receiver; onClose(): void }) {
  const { project_id, receiver_id, host } = receiver
  return (
    <ConfirmDialog
      title={`Disconnect ${HOSTS[host]}?`}
      verb="Delete receiver"
      onClose={onClose}
      onConfirm={async () => {
        await sendWrite('pull_request_receivers.delete', { project_id, receiver_id })
        reload()
        showToast(`Disconnected ${HOSTS[host]}`)
      }}
    >
      <p>
        Its address and its secret stop working; a new receiver gets new ones. Pull requests that it
        reported stay on their tasks.
      </p>
    </ConfirmDialog>
  )
}
