import { useState } from 'react'
import { useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { OneTimeDialog } from '../../entities/agent/one-time-dialog.tsx'
import type { Agent } from '../../entities/agent/words.ts'
import type { Me } from '../../entities/user/me.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Copy } from '../../kit/copy.tsx'
import { agoWords } from '../../kit/dates.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showErrorToast, showToast } from '../../kit/toasts.tsx'
import { Deliveries } from './deliveries.tsx'
import type { Hook } from './types.ts'
import { WebhookForm } from './webhook-form.tsx'
import { Block } from './work.tsx'

interface Props {
  me: Me
  agent: Agent
}

/** Failures and pending messages change without an event, so they are polled. */
const REFRESH_MS = 2000

/** The webhook of an agent, which replaces polling. */
export function Webhook({ me, agent }: Props) {
  const { agent_id, name } = agent
  const result = useOperation(
    'webhooks.get',
    { agent_id },
    { enabled: agent.webhook, pollMs: REFRESH_MS },
  )
  const hook = agent.webhook ? result.data : undefined
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  if (agent.webhook && !hook) return <LoadError of={result} what="the webhook" />
  return (
    <Block
      title="Webhook"
      end={
        agent.state !== 'archived' && (
          <button type="button" className="button plain" onClick={() => setEditing(true)}>
            {hook ? 'Edit…' : 'Set up…'}
          </button>
        )
      }
    >
      {hook ? (
        <HookDetails {...{ me, hook, name }} onSecret={setSecret} />
      ) : (
        <p className="soft">
          No webhook: {name} polls for its messages. A webhook sends them, signed, to an address.
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

/** Shows the secret that signatures are verified with. */
const Secret = ({ name, secret, onClose }: SecretProps) => (
  <OneTimeDialog
    title="Signing secret"
    lost="The secret was not copied and will not be shown again. Create a new secret to get another one."
    onClose={onClose}
  >
    {({ isKept, onKept, onClose: close }) => (
      <>
        <p>
          Requests to the webhook of <strong>{name}</strong> are signed with this secret, as
          specified by Standard Webhooks. It is shown only once.
        </p>
        <Copy label="Signing secret" text={secret} onCopied={onKept} />
        <footer>
          <button type="button" className={`button ${isKept ? 'main' : 'plain'}`} onClick={close}>
            Done
          </button>
        </footer>
      </>
    )}
  </OneTimeDialog>
)

interface HookProps {
  me: Me
  hook: Hook
  name: string
  onSecret(secret: string): void
}

function HookDetails({ me, hook, name, onSecret }: HookProps) {
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
        {board ? `; only on ${board.title}` : '; on all boards that it can see'}
      </p>
      <Health hook={hook} />
      <HookActions hook={hook} name={name} onSecret={onSecret} />
      <Deliveries hook={hook} />
    </>
  )
}

/** The state of the webhook in words. */
function Health({ hook }: { hook: Hook }) {
  const { waiting, failures, resting_until, last_delivered_at, old_secret_until } = hook
  const parts = [
    last_delivered_at
      ? `Last delivered ${agoWords(last_delivered_at).short}`
      : 'Nothing delivered yet',
    waiting === 1
      ? '1 pending message'
      : waiting
        ? `${waiting} pending messages`
        : 'no pending messages',
    failures > 0 && `${failures} failed in a row`,
    resting_until && `paused until ${agoWords(resting_until).full}`,
    old_secret_until && `the old secret is valid until ${agoWords(old_secret_until).full}`,
  ].filter(Boolean)
  return (
    <p className={failures > 0 ? 'late' : 'soft'} role="status">
      {parts.join(' · ')}
    </p>
  )
}

/** Actions on a webhook: test, rotate the secret, delete. */
function HookActions({ hook: { agent_id, active }, name, onSecret }: Omit<HookProps, 'me'>) {
  const [isDeleting, setDeleting] = useState(false)
  const cache = useCache()
  const reload = () =>
    void cache.invalidateQueries({
      predicate: ({ queryKey }) => /^webhooks\./.test(`${queryKey[0]}`),
    })
  const { act: test, busy } = useOperationMutation('webhooks.test', {
    onDone(delivery) {
      reload()
      if (delivery.delivered) showToast(`Response ${delivery.status} after ${delivery.ms} ms`)
      else showErrorToast(`Could not deliver the test: ${delivery.error}`)
    },
    onFailed: showError,
  })
  const { act: rotate } = useOperationMutation('webhooks.rotate', {
    onDone({ secret }) {
      reload()
      onSecret(secret)
    },
    onFailed: showError,
  })
  return (
    <div className="deeds">
      <button
        type="button"
        className="button plain"
        disabled={busy || !active}
        onClick={() => test({ agent_id })}
      >
        {busy ? 'Sending…' : 'Send test'}
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
  const cache = useCache()
  const { finish } = useOperationMutation('webhooks.delete', {
    onDone({ released }) {
      void cache.invalidateQueries({ queryKey: ['agents.get', { agent_id }] })
      showToast(
        released
          ? `Deleted the webhook; ${released} pending messages can be polled`
          : 'Deleted the webhook',
      )
    },
  })
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      verb="Delete webhook"
      onConfirm={() => finish({ agent_id })}
      onClose={onClose}
    >
      <p>
        Its secret and its log are deleted for good. No messages are lost: {name} can poll for those
        that were not delivered.
      </p>
    </ConfirmDialog>
  )
}
