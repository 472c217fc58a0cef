import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { TimeAgo } from './credential-line.tsx'
import { NewFeed } from './feed.tsx'
import type { PartProps } from './part-props.ts'
import { DangerDialog, ListLine, SettingsPage, SettingsSection } from './parts.tsx'

const LIST = { limit: 50 } as const
type Feed = Output<'calendar_feeds.list'>['items'][number]

export default function Calendars({ me }: PartProps) {
  return (
    <SettingsPage
      title="Calendar feeds"
      about="Show due tasks in your calendar. Anyone with the address can read these tasks without signing in, so treat it like a password."
    >
      <SettingsSection title="New feed">
        <NewFeed me={me} />
      </SettingsSection>
      <List me={me} />
    </SettingsPage>
  )
}

function List({ me }: Pick<PartProps, 'me'>) {
  const list = useOperation('calendar_feeds.list', LIST)
  const { data } = list
  const { act } = useOperationMutation('calendar_feeds.delete', {
    optimistic: ({ feed_id }) =>
      patchQuery('calendar_feeds.list', LIST, (now) => ({
        ...now,
        items: now.items.filter((one) => one.feed_id !== feed_id),
      })),
    onDone: ({ title }) => showToast(`Deleted ${title}`),
    onFailed: showError,
  })
  return (
    <SettingsSection title="Your feeds">
      <LoadError of={list} what="your feeds" />
      {data?.items.length === 0 && (
        <p className="none">No feeds yet. A feed shows due tasks in your calendar.</p>
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
    </SettingsSection>
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
