import { useOperation } from '../../../data/cache.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { agoText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { t } from '../../../messages/t.ts'
import { hostOf, type Place, reloadWebhooks, type Webhook } from './data.ts'

interface Props {
  webhook: Webhook
  place: Place
}

/** The latest deliveries of a webhook; each can be sent again. */
export function Deliveries({ webhook, place }: Props) {
  const { webhook_id } = webhook
  const list = useOperation(
    'board_webhooks.deliveries',
    { ...place, webhook_id, limit: 20 },
    { isVolatile: true, pollMs: 5000 },
  )
  const { busy, run } = useAction()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('hooks.deliveries')} />
  return (
    <section
      className="hook-log"
      aria-label={t('hooks.deliveries_of_host', { host: hostOf(webhook) })}
    >
      {!data.items.length && <p className="soft">{t('hooks.nothing_was_sent_yet')}</p>}
      <ul>
        {data.items.map(({ delivery_id, type, delivered, status, error, ms, at }) => (
          <li key={delivery_id}>
            <Icon
              name={delivered ? 'check' : 'alert'}
              label={delivered ? t('hooks.delivered') : t('common.failed')}
            />
            <code>{type}</code>
            <span className="title soft">
              {error ?? t('hooks.status_in_ms', { status: status!, ms })}
            </span>
            <span className="soft">{agoText(at).short}</span>
            <button
              type="button"
              className="button quiet only"
              disabled={busy || !webhook.active}
              onClick={() => void run(() => replay(webhook, place, delivery_id))}
            >
              <Icon name="repeat" label={t('hooks.send_again', { type })} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

async function replay({ webhook_id }: Webhook, place: Place, delivery_id: string) {
  try {
    const result = await sendWrite('board_webhooks.replay', { ...place, webhook_id, delivery_id })
    showToast(
      result.delivered ? t('hooks.sent_again') : t('hooks.not_delivered', { error: result.error! }),
    )
  } catch (error) {
    showError(error)
  }
  reloadWebhooks()
}
