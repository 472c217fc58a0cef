import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { TimeAgo } from './credential-line.tsx'
import { NewFeed } from './feed.tsx'
import type { PartProps } from './part-props.ts'
import { DangerDialog, ListLine, SettingsPage, SettingsSection } from './parts.tsx'

const LIST = { limit: 50 } as const
type Feed = Output<'calendar_feeds.list'>['items'][number]

export default function Calendars({ me }: PartProps) {
  return (
    <SettingsPage
      title={t('settings.calendar_feeds')}
      about={t('settings.show_due_tasks_in_your_calendar_anyone')}
    >
      <SettingsSection title={t('settings.new_feed')}>
        <NewFeed me={me} />
      </SettingsSection>
      <List me={me} />
    </SettingsPage>
  )
}

function List({ me }: Pick<PartProps, 'me'>) {
  const list = useOperation('calendar_feeds.list', LIST)
  const { data } = list
  const { mutate } = useOperationMutation('calendar_feeds.delete', {
    optimistic: ({ feed_id }) =>
      patchQuery('calendar_feeds.list', LIST, (current) => ({
        ...current,
        items: current.items.filter((one) => one.feed_id !== feed_id),
      })),
    onDone: ({ title }) => showToast(t('common.deleted_title', { title })),
    onFailed: showError,
  })
  return (
    <SettingsSection title={t('settings.your_feeds')}>
      <LoadError of={list} what={t('settings.your_feeds_inline')} />
      {data?.items.length === 0 && (
        <p className="none">{t('settings.no_feeds_yet_a_feed_shows_due')}</p>
      )}
      <ul className="list-lines" aria-label={t('settings.your_feeds')} hidden={!data?.items.length}>
        {data?.items.map((feed) => (
          <ListLine key={feed.feed_id} name={<bdi>{feed.title}</bdi>} meta={detailsOf(feed, me)}>
            <DangerDialog
              name={t('common.delete_name')}
              of={feed.title}
              run={() => mutate({ feed_id: feed.feed_id })}
            >
              <p>{t('settings.calendars_that_use_it_stop_showing_these')}</p>
            </DangerDialog>
          </ListLine>
        ))}
      </ul>
    </SettingsSection>
  )
}

function detailsOf({ what, project_ids, last_read_at }: Feed, { boards }: PartProps['me']) {
  const titles = boards
    .filter(({ project_id }) => project_ids.includes(project_id))
    .map(({ title }) => title)
  return [
    what === 'mine' ? t('settings.assigned_to_you') : t('settings.all_tasks'),
    project_ids.length ? titles.join(', ') || t('settings.some_boards') : t('settings.all_boards'),
    last_read_at ? <TimeAgo key="read" event="read" at={last_read_at} /> : t('settings.never_read'),
  ]
}
