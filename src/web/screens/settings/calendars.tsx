import { keyOf, useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { TimeAgo } from './credential-line.tsx'
import { NewFeed } from './feed.tsx'
import type { PartProps } from './part-props.ts'
import { DangerDialog, ListLine, SettingsGroup, SettingsPage } from './parts.tsx'
import { showError } from './profile-update.ts'

const LIST = { limit: 50 } as const
type Feeds = Output<'calendar_feeds.list'>
type Feed = Feeds['items'][number]

export default function Calendars({ me }: PartProps) {
  return (
    <SettingsPage
      title="Calendar feeds"
      about="Show due tasks in your calendar. Anyone with the address can read these tasks without signing in, so treat it like a password."
    >
      <SettingsGroup title="New feed">
        <NewFeed me={me} />
      </SettingsGroup>
      <List me={me} />
    </SettingsPage>
  )
}

function List({ me }: Pick<PartProps, 'me'>) {
  const cache = useCache()
  const list = useOperation('calendar_feeds.list', LIST)
  const { data } = list
  const { act } = useOperationMutation('calendar_feeds.delete', {
    optimistic({ feed_id }) {
      const key = keyOf('calendar_feeds.list', LIST)
      const before = cache.getQueryData<Feeds>(key)
      const items = before?.items.filter((one) => one.feed_id !== feed_id)
      if (before && items) cache.setQueryData(key, { ...before, items })
      return () => void cache.setQueryData(key, before)
    },
    onDone: ({ title }) => showToast(`Deleted ${title}`),
    onFailed: showError,
  })
  return (
    <SettingsGroup title="Your feeds">
      <LoadError of={list} what="your feeds" />
      {data?.items.length === 0 && (
        <p className="nothing-yet">No feeds yet. A feed shows due tasks in your calendar.</p>
      )}
      <ul className="holdings" aria-label="Your feeds" hidden={!data?.items.length}>
        {data?.items.map((feed) => (
          <ListLine key={feed.feed_id} name={<bdi>{feed.title}</bdi>} meta={detailsOf(feed, me)}>
            <DangerDialog name="Delete" of={feed.title} run={() => act({ feed_id: feed.feed_id })}>
              <p>Calendars that use it stop showing these tasks. The address cannot be restored.</p>
            </DangerDialog>
          </ListLine>
        ))}
      </ul>
    </SettingsGroup>
  )
}

function detailsOf({ what, project_ids, last_read_at }: Feed, { boards }: PartProps['me']) {
  const titles = boards
    .filter(({ project_id }) => project_ids.includes(project_id))
    .map(({ title }) => title)
  return [
    what === 'mine' ? 'assigned to you' : 'all tasks',
    project_ids.length ? titles.join(', ') || 'some boards' : 'all boards',
    last_read_at ? <TimeAgo key="read" before="read" at={last_read_at} /> : 'never read',
  ]
}
