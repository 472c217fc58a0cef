import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { cache } from '../../data/cache.ts'
import { patchCards } from '../../entities/board/data.ts'
import { openChatSoon } from '../../entities/chat/chat-request.ts'
import { useHasChat } from '../../entities/chat/has-chat.ts'
import { showOverlay } from '../../entities/command/overlay.ts'
import { newPath } from '../../entities/page/new-path.ts'
import { originState } from '../../entities/page/origin.ts'
import { duplicate, makeTemplate } from '../../entities/task/copies.ts'
import { type Task, useCanStartRuns } from '../../entities/task/data.ts'
import { copyItems, newTabItem } from '../../entities/task/link-items.ts'
import { useMe } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { t } from '../../messages/t.ts'
import { useFields } from './fields.tsx'
import { InboxPicker } from './inbox-picker.tsx'
import { MoveToBoard } from './move.tsx'
import { moveToInbox } from './to-inbox.ts'
import { useTaskUpdate } from './update.ts'

export type Addable =
  | 'subtask'
  | 'relation'
  | 'file'
  | 'page'
  | 'parent'
  | 'start'
  | 'repeat'
  | 'snooze'
  | 'field'
  | 'run'

interface Props {
  task: Task
  onAdd(what: Addable): void
  onDelete(): void
  /** Shows another task instead of this one. */
  onShowTask(ticket: string): void
}

/** The menu of actions on a task. */
export function TaskMenu({ task, onAdd, onDelete, onShowTask }: Props) {
  const [isMoving, setMoving] = useState(false)
  const [isPickingInbox, setPickingInbox] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const statusItems = useStatusItems(task, onDelete)
  const hasFields = useEmptyFields(task)
  const canStartRuns = useCanStartRuns(task.project_id)
  const addItems = ADD_ITEMS.filter(([what]) => what !== 'run' || canStartRuns)
  const [, go] = useLocation()
  const writePage = () => go(newPath(task.ticket_number, 'page'), { state: originState() })
  const hasChat = useHasChat()
  const inboxItems = useInboxItems(task, () => setPickingInbox(true))
  return (
    <>
      <Menu
        label={t('task.task_actions')}
        trigger={
          <button type="button" ref={button} className="button quiet only">
            <Icon
              name="dots"
              label={t('task.more_about_ticket_number', { ticket_number: task.ticket_number })}
            />
          </button>
        }
        groups={[
          addItems.map(([what, name, icon]) => ({
            ...{ name, icon },
            run: () => (what === 'write' ? writePage() : onAdd(what)),
          })),
          [...DATE_ITEMS, ...(hasFields ? [FIELD_ITEM] : [])].map(([what, name, icon]) => ({
            ...{ name, icon, run: () => onAdd(what) },
          })),
          ...(hasChat ? [[chatItem(task)]] : []),
          [newTabItem(task), ...copyItems(task)],
          copyTaskItems(task, onShowTask, () => setMoving(true)),
          inboxItems,
          statusItems,
        ]}
      />
      {isPickingInbox && (
        <InboxPicker {...{ task, button }} onClose={() => setPickingInbox(false)} />
      )}
      {isMoving && (
        <MoveToBoard task={task} onClose={() => setMoving(false)} {...{ button, onShowTask }} />
      )}
    </>
  )
}

const ADD_ITEMS = [
  ['subtask', t('task.add_a_subtask'), 'subtasks'],
  ['relation', t('task.add_a_relation'), 'link'],
  ['file', t('task.attach_a_file'), 'clip'],
  ['write', t('task.write_a_page'), 'page'],
  ['page', t('task.show_pages'), 'page'],
  ['parent', t('task.set_parent_task'), 'arrow'],
  ['run', t('task.start_a_run'), 'agent'],
] as const
const DATE_ITEMS = [
  ['start', t('task.start_date_name'), 'calendar'],
  ['repeat', t('task.repeat'), 'repeat'],
  ['snooze', t('task.snooze'), 'bell'],
] as const

const FIELD_ITEM = ['field', t('task.add_a_field'), 'plus'] as const

/** Whether the board has custom fields that this task has no value for. */
const useEmptyFields = ({ project_id, custom_fields }: Task) =>
  (useFields(project_id)?.length ?? 0) > custom_fields.length

const chatItem = ({ ticket_number: task }: Task): MenuItem => ({
  ...{ name: t('task.ask_about_this_task'), icon: 'spark' },
  run: () => openChatSoon({ task }),
})

const copyTaskItems = (
  task: Task,
  onShowTask: (ticket: string) => void,
  move: () => void,
): MenuItem[] => [
  { name: t('task.duplicate'), icon: 'plus', run: () => void duplicate(task, onShowTask) },
  { name: t('task.save_as_a_template'), icon: 'page', run: () => void makeTemplate(task) },
  { name: t('task.new_from_a_template'), icon: 'page', run: () => showOverlay('templates') },
  { name: t('task.move_to_another_board'), icon: 'board', run: move },
]

const MANAGES: ReadonlySet<string> = new Set(['owner', 'admin'])

/** Everyone can put the task into their own inbox; team owners and admins also into others'. */
function useInboxItems(task: Task, openPicker: () => void): MenuItem[] {
  const me = useMe()
  if (!me || task.status === 'Deleted') return []
  const { user_id = 0 } = me.profile
  const board = me.boards.find(({ project_id }) => project_id === task.project_id)
  const role = me.teams.find(({ team_id }) => team_id === board?.team_id)?.role ?? ''
  return [
    { name: t('task.add_to_my_inbox'), icon: 'inbox', run: () => void moveToInbox(task, user_id) },
    ...(MANAGES.has(role)
      ? [{ name: t('task.add_to_somebodys_inbox'), icon: 'mine' as const, run: openPicker }]
      : []),
  ]
}

const statusText = (status: Task['status'], title: string) =>
  status === 'Normal'
    ? t('common.restored_title', { title })
    : status === 'Archive'
      ? t('common.archived_title', { title })
      : t('common.deleted_title', { title })

/** Changes the status. Archiving and deleting remove the card at once; undo reloads the board. */
export function useSetStatus(task: Task) {
  const update = useTaskUpdate(task)
  const { ticket_number, project_id, task_id } = task
  const reload = () => cache.invalidateQueries({ queryKey: ['projects.board', { project_id }] })
  return (status: Task['status']) => {
    const revert =
      status === 'Normal' ? reload : patchCards(project_id, new Set([task_id]), () => undefined)
    const message = statusText(status, ticket_number)
    update({ status }, { status }, { message, onFailed: revert, onUndone: reload })
  }
}

function useStatusItems(task: Task, onDelete: () => void): MenuItem[] {
  const setStatus = useSetStatus(task)
  const remove = () => {
    onDelete()
    setStatus('Deleted')
  }
  return [
    task.status === 'Archive'
      ? { name: t('common.restore'), icon: 'archive', run: () => setStatus('Normal') }
      : { name: t('common.archive'), icon: 'archive', run: () => setStatus('Archive') },
    task.status === 'Deleted'
      ? { name: t('common.restore'), icon: 'back', run: () => setStatus('Normal') }
      : { name: t('common.delete_name'), icon: 'trash', danger: true, run: remove },
  ]
}
