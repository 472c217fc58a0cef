import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Copy } from '../../../kit/copy.tsx'
import { agoText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { rich, t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'
import { MANAGERS_ONLY } from './parts.tsx'

type Receiver = Output<'pull_request_receivers.list'>['items'][number]
type CreatedReceiver = Output<'pull_request_receivers.create'>

const ABOUT = t('settings.about_pull_requests')
const HOSTS = { github: 'GitHub', gitlab: 'GitLab' } as const

export default function Pulls({ board, may }: PartProps) {
  if (may.manage) return <Receivers project_id={board.project_id} />
  return (
    <SettingsSection title={t('common.pull_requests')} about={ABOUT} readOnly={MANAGERS_ONLY} />
  )
}

const reload = () => void cache.invalidateQueries({ queryKey: ['pull_request_receivers.list'] })

function Receivers({ project_id }: { project_id: number }) {
  const list = useOperation('pull_request_receivers.list', { project_id, limit: 50 })
  const [created, setCreated] = useState<CreatedReceiver>()
  const [receiverToDelete, setReceiverToDelete] = useState<Receiver>()
  const { busy, run } = useAction()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('settings.receivers')} />
  const add = (host: keyof typeof HOSTS) =>
    sendWrite('pull_request_receivers.create', { project_id, host }).then((receiver) => {
      setCreated(receiver)
      reload()
    }, showError)
  return (
    <SettingsSection title={t('common.pull_requests')} about={ABOUT}>
      {created && <SetupGuide receiver={created} onDone={() => setCreated(undefined)} />}
      {!data.items.length && <p className="none">{t('settings.no_code_host_connected_yet')}</p>}
      <ul className="rows" aria-label={t('settings.receivers_name')}>
        {data.items.map((one) => (
          <li key={one.receiver_id} className="board-row">
            <div className="first">
              <span className="who">
                <span>{HOSTS[one.host]}</span>
                <code>{one.url}</code>
                <span className="soft">
                  {t('settings.by_name_short', {
                    name: one.created_by.name,
                    short: agoText(one.created_at).short,
                  })}
                </span>
              </span>
              <button
                type="button"
                className="button quiet only"
                onClick={() => setReceiverToDelete(one)}
              >
                <Icon
                  name="trash"
                  label={t('settings.delete_the_receiver_of_host', { host: HOSTS[one.host] })}
                />
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
            <Icon name="plus" /> {t('settings.connect_host', { host: HOSTS[host] })}
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
    t('settings.in_the_repository_open_settings_then'),
    t('settings.payload_url_the_address_below_content_type'),
    t('settings.select_let_me_select_individual_events'),
  ],
  gitlab: [
    t('settings.in_the_project_open_settings_then_webhooks'),
    t('settings.url_the_address_below_secret_token_the'),
    t('settings.select_these_triggers'),
  ],
} as const

/** The setup guide with the secret, which is shown only once. */
function SetupGuide({ receiver, onDone }: { receiver: CreatedReceiver; onDone(): void }) {
  const { host, url, secret, events } = receiver
  return (
    <section className="one-time" aria-label={t('settings.set_up_host', { host: HOSTS[host] })}>
      <p role="status">
        {rich('settings.strong_the_secret_is_shown_only_once', {
          strong: <strong>{t('settings.finish_the_setup_at_host', { host: HOSTS[host] })}</strong>,
        })}
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
      <Copy label={t('settings.address')} text={url} />
      <Copy label={t('settings.secret')} text={secret} />
      <button type="button" className="button plain" onClick={onDone}>
        {t('settings.i_have_saved_the_secret')}
      </button>
    </section>
  )
}

function RemoveReceiver({ receiver, onClose }: { receiver: Receiver; onClose(): void }) {
  const { project_id, receiver_id, host } = receiver
  return (
    <ConfirmDialog
      title={t('settings.disconnect_host', { host: HOSTS[host] })}
      submitLabel={t('settings.delete_receiver')}
      onClose={onClose}
      onConfirm={async () => {
        await sendWrite('pull_request_receivers.delete', { project_id, receiver_id })
        reload()
        showToast(t('settings.disconnected_host', { host: HOSTS[host] }))
      }}
    >
      <p>{t('settings.its_address_and_its_secret_stop_working')}</p>
    </ConfirmDialog>
  )
}
