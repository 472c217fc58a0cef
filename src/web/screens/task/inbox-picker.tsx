import type { RefObject } from 'react'
import type { Task } from '../../entities/task/data.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { useMe } from '../../entities/user/me.ts'
import { useMembers } from '../../entities/user/members.ts'
import { PickOne } from '../../kit/pick.tsx'
import { t } from '../../messages/t.ts'
import { moveToInbox } from './to-inbox.ts'

interface Props {
  task: Task
  button: RefObject<HTMLButtonElement | null>
  onClose(): void
}

/** Picks the person whose inbox gets the task. */
export function InboxPicker({ task, button, onClose }: Props) {
  const me = useMe()?.profile.user_id
  const people = useMembers(task.project_id).flatMap((one) =>
    one.user_id !== undefined && one.kind === 'person' && one.user_id !== me
      ? { value: one.user_id, name: one.name }
      : [],
  )
  return (
    <PickOne
      label={t('task.select_a_person')}
      value={null}
      choices={people.map((one) => ({
        ...one,
        mark: (
          <span aria-hidden="true">
            <Avatar actor={{ kind: 'person', user_id: one.value, name: one.name }} />
          </span>
        ),
      }))}
      open
      onOpen={(open) => !open && onClose()}
      anchor={button.current}
      empty={t('task.no_other_members_on_this_board')}
      onPick={(id) => void moveToInbox(task, id, people.find(({ value }) => value === id)?.name)}
    />
  )
}
