import { useOperation } from '../../data/cache.ts'
import type { Task } from '../../entities/task/data.ts'
import { setWatching } from '../../entities/task/watching.ts'
import { keyOf } from '../../entities/user/actor.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { Icon } from '../../kit/icon.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { Row } from './row.tsx'
import { IN_TASK } from './shortcuts.ts'

const MAX_AVATARS = 8

/** Who gets the notifications of the task, and the button to be one of them. */
export function WatchersRow({ task }: { task: Task }) {
  const { data } = useOperation('watchers.get', { task_id: task.task_id })
  const watchers = data?.watchers ?? []
  const watching = data?.watching ?? false
  return (
    <Row name={t('task.watchers')}>
      <span className="watchers">
        <button
          type="button"
          className="value"
          aria-pressed={watching}
          aria-disabled={!data}
          title={`${t('task.watch_the_task')} (${hintOf(IN_TASK.watch)})`}
          onClick={() => data && void setWatching(task, !watching)}
        >
          <Icon name="bell" />
          {watching ? t('task.watching') : t('task.watch')}
        </button>
        <ul aria-label={t('task.watchers')}>
          {watchers.slice(0, MAX_AVATARS).map((one) => (
            <li key={keyOf(one)} title={one.name}>
              <Avatar actor={one} />
              <span className="unseen">{one.name}</span>
            </li>
          ))}
          {watchers.length > MAX_AVATARS && (
            <li className="soft" title={watchers.map(({ name }) => name).join(', ')}>
              +{watchers.length - MAX_AVATARS}
            </li>
          )}
        </ul>
      </span>
    </Row>
  )
}
