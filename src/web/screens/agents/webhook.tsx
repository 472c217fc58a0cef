import { useState } from 'react'
import { useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Agent } from '../../entities/agent/descriptions.ts'
import { OneTimeDialog } from '../../entities/agent/one-time-dialog.tsx'
import type { Me } from '../../entities/user/me.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Copy } from '../../kit/copy.tsx'
import { agoText } from '../../kit/dates.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showErrorToast, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
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
  const isMissing = agent.webhook && !hook
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  // While a new webhook is loaded, the dialogs stay open and keep their state.
  return (
    <Block
      title={t('agents.webhook')}
      end={
        agent.state !== 'archived' &&
        !isMissing && (
          <button type="button" className="button plain" onClick={() => setEditing(true)}>
            {hook ? t('agents.edit') : t('agents.set_up')}
          </button>
        )
      }
    >
      {hook ? (
        <HookDetails {...{ me, hook, name }} onSecret={setSecret} />
      ) : isMissing ? (
        <LoadError of={result} what={t('agents.the_webhook')} />
      ) : (
        <p className="soft">{t('agents.no_webhook_name_polls_for_its_messages', { name })}</p>
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
    title={t('agents.signing_secret')}
    closeWarning={t('agents.the_secret_was_not_copied_and_will')}
    onClose={onClose}
  >
    {({ isSaved, onSaved, onClose: close }) => (
      <>
        <p>
          {rich('agents.requests_to_the_webhook_of_name_are', { name: <strong>{name}</strong> })}
        </p>
        <Copy label={t('agents.signing_secret')} text={secret} onCopied={onSaved} />
        <footer className="flex-wrap">
          <button type="button" className={`button ${isSaved ? 'main' : 'plain'}`} onClick={close}>
            {t('common.finish')}
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
  const events = hook.events.join(', ')
  return (
    <>
      <p className="address">
        <code>{hook.url}</code>
        <span className={`hook-state${hook.active ? '' : ' off'}`}>
          {hook.active ? t('agents.active') : t('agents.switched_off')}
        </span>
      </p>
      <p className="soft">
        {board
          ? t('agents.events_only_on_title', { events, title: board.title })
          : t('agents.events_on_all_boards_that_it_can_see', { events })}
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
      ? t('agents.last_delivered_short', { short: agoText(last_delivered_at).short })
      : t('agents.nothing_delivered_yet'),
    t('agents.pending_messages', { count: waiting }),
    failures > 0 && t('agents.failures_failed_in_a_row', { failures }),
    resting_until && t('agents.paused_until_full', { full: agoText(resting_until).full }),
    old_secret_until &&
      t('agents.the_old_secret_is_valid_until_full', { full: agoText(old_secret_until).full }),
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
  const { mutate: test, busy } = useOperationMutation('webhooks.test', {
    onDone(delivery) {
      reload()
      if (delivery.delivered)
        showToast(
          t('agents.response_status_after_ms_ms', { status: delivery.status, ms: delivery.ms }),
        )
      else showErrorToast(t('agents.could_not_deliver_the_test_error', { error: delivery.error }))
    },
    onFailed: showError,
  })
  const { mutate: rotate } = useOperationMutation('webhooks.rotate', {
    onDone({ secret }) {
      reload()
      onSecret(secret)
    },
    onFailed: showError,
  })
  return (
    <div className="actions">
      <button
        type="button"
        className="button plain"
        disabled={busy || !active}
        onClick={() => test({ agent_id })}
      >
        {busy ? t('agents.sending') : t('agents.send_test')}
      </button>
      <button type="button" className="button quiet" onClick={() => rotate({ agent_id })}>
        {t('agents.new_secret')}
      </button>
      <button type="button" className="button quiet" onClick={() => setDeleting(true)}>
        {t('common.delete')}
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
  const { mutateAsync } = useOperationMutation('webhooks.delete', {
    onDone({ released }) {
      void cache.invalidateQueries({ queryKey: ['agents.get', { agent_id }] })
      showToast(t('agents.deleted_the_webhook', { count: released }))
    },
  })
  return (
    <ConfirmDialog
      title={t('agents.delete_the_webhook')}
      submitLabel={t('agents.delete_webhook')}
      onConfirm={() => mutateAsync({ agent_id })}
      onClose={onClose}
    >
      <p>{t('agents.its_secret_and_its_log_are_deleted', { name })}</p>
    </ConfirmDialog>
  )
}
