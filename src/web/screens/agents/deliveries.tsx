import { useInfiniteQuery } from '@tanstack/react-query'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showErrorToast, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { Hook } from './types.ts'

type Delivery = Output<'webhooks.deliveries'>['items'][number]

const REFRESH_MS = 2000
const PAGE_SIZE = 20

/** The log of deliveries, newest first. */
const deliveriesQuery = (agent_id: string, page: { cursor?: string }) => ({
  agent_id,
  limit: PAGE_SIZE,
  ...page,
})

export function Deliveries({ hook: { agent_id, active } }: { hook: Hook }) {
  const list = useInfiniteQuery({
    queryKey: ['webhooks.deliveries', { agent_id }],
    queryFn: ({ pageParam, signal }) =>
      callOperation('webhooks.deliveries', deliveriesQuery(agent_id, pageParam), { signal }),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ page }) =>
      page.next_cursor === null ? undefined : { cursor: page.next_cursor },
    refetchInterval: REFRESH_MS,
  })
  const cache = useCache()
  const { mutate: replay, busy } = useOperationMutation('webhooks.replay', {
    onDone(delivery) {
      for (const name of ['webhooks.deliveries', 'webhooks.get'])
        void cache.invalidateQueries({ queryKey: [name, { agent_id }] })
      if (delivery.delivered)
        showToast(t('agents.sent_again_status_status', { status: delivery.status }))
      else showErrorToast(t('agents.could_not_deliver_it_again_error', { error: delivery.error }))
    },
    onFailed: showError,
  })
  const rows = list.data?.pages.flatMap(({ items }) => items)
  if (!rows) return <LoadError of={list} what={t('agents.deliveries')} />
  if (!rows.length) return <p className="soft">{t('agents.no_deliveries_yet')}</p>
  return (
    <div className="log">
      <table>
        <caption className="unseen">{t('agents.deliveries_newest_first')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('agents.sent')}</th>
            <th scope="col">{t('agents.event')}</th>
            <th scope="col">{t('agents.attempt')}</th>
            <th scope="col">{t('agents.response')}</th>
            <th scope="col">
              <span className="unseen">{t('agents.send_again')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={row.delivery_id}
              row={row}
              onReplay={
                active && !busy
                  ? () => replay({ agent_id, delivery_id: row.delivery_id })
                  : undefined
              }
            />
          ))}
        </tbody>
      </table>
      <LoadError of={list} what={t('agents.more_deliveries')} />
      {list.hasNextPage && (
        <button
          type="button"
          className="button quiet"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('common.show_more')}
        </button>
      )}
    </div>
  )
}

interface LineProps {
  row: Delivery
  /** Undefined while nothing can be sent. */
  onReplay: (() => void) | undefined
}

function Line({ row, onReplay }: LineProps) {
  const { at, type, kind, attempt, delivered, status, error, ms } = row
  const { short, full } = agoText(at)
  return (
    <tr>
      <td>
        <time dateTime={at} title={full}>
          {short}
        </time>
      </td>
      <td>
        <code>{type}</code>
        {kind === 'replay' && <span className="soft"> {t('agents.again')}</span>}
      </td>
      <td className="tabular">{attempt}</td>
      <td className={delivered ? 'arrived' : 'late'}>
        {delivered
          ? t('agents.status_in_ms_ms', { status, ms })
          : (error ?? t('agents.it_responded_status', { status }))}
      </td>
      <td>
        <button
          type="button"
          className="button quiet only"
          disabled={!onReplay}
          onClick={() => onReplay?.()}
        >
          <Icon name="repeat" label={t('agents.send_type_again', { type })} />
        </button>
      </td>
    </tr>
  )
}
