import { useState } from 'react'
import { useAct, useAsk, useCache } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { complain, say } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Copy } from '../start/copy.tsx'
import { Once } from '../start/once.tsx'
import { Deliveries } from './deliveries.tsx'
import { Refusal } from './refusal.tsx'
import { WebhookForm } from './webhook-form.tsx'
import type { Agent } from './words.ts'
import { Block } from './work.tsx'

export type Hook = Output<'webhooks.get'>
interface Props {
  me: Me
  agent: Agent
}

/** Failed deliveries and what waits change without anybody telling. */
const AGAIN_MS = 2000

/** Where the agent is called, instead of asking again and again. */
export function Webhook({ me, agent }: Props) {
  const { agent_id, name } = agent
  const found = useAsk('webhooks.get', { agent_id }, { enabled: agent.webhook, every: AGAIN_MS })
  const hook = agent.webhook ? found.data : undefined
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  if (agent.webhook && !hook) return <LoadError of={found} what="the webhook" />
  return (
    <Block
      title="Webhook"
      end={
        agent.state !== 'archived' && (
          <button type="button" className="button plain" onClick={() => setEditing(true)}>
            {hook ? 'Change…' : 'Set up…'}
          </button>
        )
      }
    >
      {hook ? (
        <Configured {...{ me, hook, name }} onSecret={setSecret} />
      ) : (
        <p className="soft">
          None: {name} asks for its messages. With a webhook they are sent to an address, signed.
        </p>
      )}
      {isEditing && (
        <WebhookForm
          {...{ me, agent, hook }}
          onClose={() => setEditing(false)}
          onSecret={setSecret}
        />
      )}
      {secret && <Secret name={name} secret={secret} onClose={() => setSecret(undefined)} />}
    </Block>
  )
}

interface SecretProps {
  name: string
  secret: string
  onClose(): void
}

/** What the endpoint verifies signatures with. */
const Secret = ({ name, secret, onClose }: SecretProps) => (
  <Once
    title="The signing secret"
    lost="The secret was not copied and will not be shown again. Rotate it for another one."
    onClose={onClose}
  >
    {({ isKept, onKept, onClose: close }) => (
      <>
        <p>
          Requests to the webhook of <strong>{name}</strong> are signed with this secret, as
          Standard Webhooks says. It is shown this once.
        </p>
        <Copy label="Signing secret" text={secret} onCopied={onKept} />
        <footer>
          <button type="button" className={`button ${isKept ? 'main' : 'plain'}`} onClick={close}>
            Done
          </button>
        </footer>
      </>
    )}
  </Once>
)

interface ConfiguredProps {
  me: Me
  hook: Hook
  name: string
  onSecret(secret: string): void
}

function Configured({ me, hook, name, onSecret }: ConfiguredProps) {
  const board = me.boards.find(({ project_id }) => project_id === hook.project_id)
  return (
    <>
      <p className="address">
        <code>{hook.url}</code>
        <span className={`hook-state${hook.active ? '' : ' off'}`}>
          {hook.active ? 'Active' : 'Switched off'}
        </span>
      </p>
      <p className="soft">
        {hook.events.join(', ')}
        {board ? `; only of ${board.title}` : '; of all boards that it sees'}
      </p>
      <Health hook={hook} />
      <HookDeeds hook={hook} name={name} onSecret={onSecret} />
      <Deliveries hook={hook} />
    </>
  )
}

/** How it fares, in words. */
function Health({ hook }: { hook: Hook }) {
  const { waiting, failures, resting_until, last_delivered_at, old_secret_until } = hook
  const words = [
    last_delivered_at ? `Last delivered ${agoWords(last_delivered_at).short}` : 'Nothing delivered',
    waiting === 1 ? 'one message waits' : waiting ? `${waiting} messages wait` : 'nothing waits',
    failures > 0 && `${failures} failed in a row`,
    resting_until && `left alone until ${agoWords(resting_until).full}`,
    old_secret_until && `the old secret signs until ${agoWords(old_secret_until).full}`,
  ].filter(Boolean)
  return (
    <p className={failures > 0 ? 'late' : 'soft'} role="status">
      {words.join(' · ')}
    </p>
  )
}

/** Sends something now, gives it another secret, takes it away. */
function HookDeeds({ hook: { agent_id, active }, name, onSecret }: Omit<ConfiguredProps, 'me'>) {
  const [isDeleting, setDeleting] = useState(false)
  const cache = useCache()
  const again = () =>
    void cache.invalidateQueries({
      predicate: ({ queryKey }) => /^webhooks\./.test(`${queryKey[0]}`),
    })
  const failed = (error: Error) => complain(wordsOf(error))
  const { act: test, busy } = useAct('webhooks.test', {
    done(delivery) {
      again()
      if (delivery.delivered) say(`It answered ${delivery.status} after ${delivery.ms} ms`)
      else complain(`The test was not delivered: ${delivery.error}`)
    },
    failed,
  })
  const { act: rotate } = useAct('webhooks.rotate', {
    done({ secret }) {
      again()
      onSecret(secret)
    },
    failed,
  })
  return (
    <div className="deeds">
      <button
        type="button"
        className="button plain"
        disabled={busy || !active}
        onClick={() => test({ agent_id })}
      >
        {busy ? 'Sending…' : 'Send a test'}
      </button>
      <button type="button" className="button quiet" onClick={() => rotate({ agent_id })}>
        New secret
      </button>
      <button type="button" className="button quiet" onClick={() => setDeleting(true)}>
        Delete…
      </button>
      {isDeleting && <DeleteHook {...{ agent_id, name }} onClose={() => setDeleting(false)} />}
    </div>
  )
}

interface DeleteProps {
  agent_id: string
  name: string
  onClose(): void
}

function DeleteHook({ agent_id, name, onClose }: DeleteProps) {
  const [words, setWords] = useState('')
  const cache = useCache()
  const { act, busy } = useAct('webhooks.delete', {
    done({ released }) {
      onClose()
      void cache.invalidateQueries({ queryKey: ['agents.get', { agent_id }] })
      say(
        released
          ? `Deleted the webhook; ${released} messages wait to be asked for`
          : 'Deleted the webhook',
      )
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  return (
    <Dialog open onClose={onClose} title="Delete the webhook?">
      <div className="agent-ask">
        <p>
          Its secret and its log are gone for good. No message is: what was not delivered, {name}{' '}
          can ask for again.
        </p>
        <Refusal words={words} />
        <button
          type="button"
          className="button main"
          disabled={busy}
          onClick={() => act({ agent_id })}
        >
          Delete the webhook
        </button>
      </div>
    </Dialog>
  )
}
