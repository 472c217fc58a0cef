import { useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Copy } from '../../../kit/copy.tsx'
import { agoText } from '../../../kit/dates.ts'
import { Switch } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { ShowOnce } from '../show-once.tsx'
import { hostOf, type Place, reloadWebhooks, type Webhook } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { WebhookEditor } from './editor.tsx'
import './hooks.css'

interface Choices {
  sections: readonly { value: number; name: string }[]
  labels: readonly { value: number; name: string }[]
}

interface Props extends Choices {
  place: Place
}

/** The webhooks of a board or a team. */
export function Webhooks({ place, sections, labels }: Props) {
  const list = useOperation('board_webhooks.list', { ...place, limit: 50 })
  const [editing, setEditing] = useState<Webhook | 'new'>()
  const [secret, setSecret] = useState<{ host: string; secret: string }>()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('hooks.webhooks_inline')} />
  const editorProps = { place, sections, labels, onSecret: setSecret }
  const close = () => setEditing(undefined)
  return (
    <>
      {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
      {!data.items.length && !editing && <p className="none">{t('hooks.no_webhooks_yet')}</p>}
      <ul className="rows hooks" aria-label={t('hooks.webhooks')}>
        {data.items.map((webhook) => (
          <li key={webhook.webhook_id} className="board-row">
            {editing !== 'new' && editing?.webhook_id === webhook.webhook_id ? (
              <WebhookEditor {...editorProps} webhook={webhook} onClose={close} />
            ) : (
              <WebhookLine
                {...{ webhook, place, onSecret: setSecret }}
                onEdit={() => setEditing(webhook)}
              />
            )}
          </li>
        ))}
      </ul>
      {editing === 'new' ? (
        <WebhookEditor {...editorProps} onClose={close} />
      ) : (
        <button type="button" className="button plain" onClick={() => setEditing('new')}>
          <Icon name="plus" />
          {t('hooks.new_webhook')}
        </button>
      )}
    </>
  )
}

const Secret = (props: { host: string; secret: string; onClose(): void }) => (
  <ShowOnce title={t('hooks.secret_of_host', { host: props.host })} onClose={props.onClose}>
    {(onCopied) => <Copy label={t('settings.secret')} text={props.secret} onCopied={onCopied} />}
  </ShowOnce>
)

interface LineProps {
  webhook: Webhook
  place: Place
  onEdit(): void
  onSecret(created: { host: string; secret: string }): void
}

function WebhookLine({ webhook, place, onEdit, onSecret }: LineProps) {
  const [isLogShown, setLogShown] = useState(false)
  const host = hostOf(webhook)
  return (
    <>
      <div className="first">
        <Switch checked={webhook.active} onChange={(isOn) => void setActive(webhook, place, isOn)}>
          <span className="unseen">{t('hooks.send_to_host', { host })}</span>
        </Switch>
        <span className="who">
          <span dir="auto">{host}</span>
          <span className="soft">{webhook.events.join(', ')}</span>
          <State webhook={webhook} />
        </span>
        <button
          type="button"
          className="button quiet only"
          aria-expanded={isLogShown}
          onClick={() => setLogShown(!isLogShown)}
        >
          <Icon name="history" label={t('hooks.deliveries_of_host', { host })} />
        </button>
        <WebhookMenu {...{ webhook, place, onEdit, onSecret }} />
      </div>
      {isLogShown && <Deliveries {...{ webhook, place }} />}
    </>
  )
}

function State({
  webhook: { paused_reason, failures, waiting, last_delivered_at },
}: {
  webhook: Webhook
}) {
  if (paused_reason) return <span className="form-error">{paused_reason}</span>
  if (failures > 0)
    return <span className="form-error">{t('hooks.failing', { failures, waiting })}</span>
  if (!last_delivered_at) return null
  return (
    <span className="soft">
      {t('hooks.last_delivered', { ago: agoText(last_delivered_at).short })}
    </span>
  )
}

function WebhookMenu({ webhook, place, onEdit, onSecret }: LineProps) {
  const [isDeleting, setDeleting] = useState(false)
  const { webhook_id } = webhook
  const host = hostOf(webhook)
  const rotate = () =>
    sendWrite('board_webhooks.rotate', { ...place, webhook_id }).then(({ secret }) => {
      onSecret({ host, secret })
      reloadWebhooks()
    }, showError)
  return (
    <>
      <Menu
        label={host}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="dots" label={t('settings.more_about_title', { title: host })} />
          </button>
        }
        groups={[
          [
            { name: t('common.edit'), icon: 'pencil', run: onEdit },
            {
              name: t('hooks.send_a_test'),
              icon: 'play',
              run: () => void sendTest(webhook, place),
            },
            { name: t('hooks.rotate_the_secret'), icon: 'repeat', run: () => void rotate() },
          ],
          [
            {
              name: t('common.delete'),
              icon: 'trash',
              danger: true,
              run: () => setDeleting(true),
            },
          ],
        ]}
      />
      {isDeleting && (
        <ConfirmDialog
          title={t('hooks.delete_the_webhook_of_host', { host })}
          submitLabel={t('hooks.delete_webhook')}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await sendWrite('board_webhooks.delete', { ...place, webhook_id })
            reloadWebhooks()
          }}
        >
          <p>{t('hooks.what_waits_is_not_sent')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

async function setActive({ webhook_id }: Webhook, place: Place, active: boolean) {
  await sendWrite('board_webhooks.update', { ...place, webhook_id, active }).catch(showError)
  reloadWebhooks()
}

async function sendTest({ webhook_id }: Webhook, place: Place) {
  try {
    const { delivered, error } = await sendWrite('board_webhooks.test', { ...place, webhook_id })
    showToast(delivered ? t('hooks.the_test_arrived') : t('hooks.not_delivered', { error: error! }))
  } catch (error) {
    showError(error)
  }
  reloadWebhooks()
}
