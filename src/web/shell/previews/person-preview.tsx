import { useOperation } from '../../data/cache.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { locale } from '../../kit/locale.ts'
import { t } from '../../messages/t.ts'
import { Pending } from './parts.tsx'
import { WorkList } from './work-list.tsx'

const ROLES = {
  owner: t('preview.role_owner'),
  admin: t('preview.role_admin'),
  member: t('preview.role_member'),
  guest: t('preview.role_guest'),
}

export function PersonPreview({ user_id }: { user_id: number }) {
  const { data: person, error } = useOperation('people.get', { user_id })
  const { data: tasks } = useOperation('tasks.list', {
    ...{ assigned_to: user_id, query: 'is:open', sort: 'updatedAt:desc', limit: 3 },
  })
  if (!person) return <Pending error={error} />
  const { name, roles, time_zone } = person
  return (
    <>
      <div className="preview-who">
        <span aria-hidden="true">
          <Avatar actor={{ kind: 'person', user_id, name }} />
        </span>
        <div>
          <p className="preview-title" dir="auto">
            {name}
          </p>
          <p className="soft">{ROLES[roles[0]!.role]}</p>
        </div>
      </div>
      <p className="soft">
        {t('preview.local_time', { time: timeIn(time_zone), zone: time_zone })}
      </p>
      {tasks && <WorkList title={t('preview.assigned_tasks')} tasks={tasks.items} />}
    </>
  )
}

const timeIn = (timeZone: string) =>
  new Date().toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit', timeZone })
