import { useState } from 'react'
import { useLocation } from 'wouter'
import { cache, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { deleteLater, usePendingDeletes } from '../../kit/delayed-delete.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { boardAt } from '../board/address.ts'
import { deleteTask } from '../task/copies.ts'
import { useOpenTask } from '../task/open-task.ts'
import { Priority } from '../task/priority.tsx'
import type { Me } from '../user/me.ts'
import './templates.css'

type Template = Output<'templates.list'>['items'][number]

interface Props {
  me: Me
  onClose(): void
}

/** The templates of the current board. */
export default function Templates({ me, onClose }: Props) {
  const board = useCurrentBoard(me)
  const [text, setText] = useState('')
  const projectId = board?.project_id ?? 0
  const list = useOperation(
    'templates.list',
    { projectId, limit: 50, ...(text.trim() && { search: text.trim() }) },
    { enabled: board !== undefined, keepPrevious: true },
  )
  const apply = useApplyTemplate(onClose)
  const deleted = usePendingDeletes()
  const templates = (list.data?.items ?? []).filter((one) => !deleted.has(pendingDeleteName(one)))
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        board
          ? t('template.new_task_on_board', { board: board.title })
          : t('template.new_task_on_a_board')
      }
    >
      <div className="from-template dialog-body">
        <input
          className="field"
          aria-label={t('template.find_a_template')}
          placeholder={t('template.find_a_template')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <ul aria-label={t('template.templates')}>
          {templates.map((one) => (
            <Line
              key={one.template_id}
              template={one}
              onPick={() => apply(one)}
              onRemove={() => deleteTemplate(one)}
            />
          ))}
        </ul>
        <LoadError of={list} what={t('template.templates_inline')} />
        {list.data && !templates.length && <p className="soft">{text ? NO_MATCH : NONE}</p>}
      </div>
    </Dialog>
  )
}

const NO_MATCH = t('template.no_matching_templates')
const NONE = t('template.no_templates_yet')

/** The board on screen, the board of the task on screen, or the default board. */
function useCurrentBoard(me: Me) {
  const [path] = useLocation()
  const [, key] = /^\/t\/([^-]+)-/.exec(path) ?? []
  const boardId = boardAt(path)
  return (
    me.boards.find((one) => one.project_id === boardId || one.key === key) ??
    me.boards.find((one) => one.project_id === me.profile.default_board) ??
    me.boards[0]
  )
}

interface LineProps {
  template: Template
  onPick(): void
  onRemove(): void
}

function Line({ template, onPick, onRemove }: LineProps) {
  const { name, priority, size, labels, subtask_count: count } = template
  const about = [
    size !== 'none' && size,
    ...labels.map((one) => one.name),
    count > 0 && t('common.count_subtasks', { count }),
  ].filter(Boolean)
  return (
    <li>
      <button type="button" className="template" onClick={onPick}>
        <Icon name="page" />
        <span className="name">{name}</span>
        <span className="soft">{about.join(', ')}</span>
        {priority > 0 && <Priority value={priority} />}
      </button>
      <button type="button" className="button quiet only" onClick={onRemove}>
        <Icon name="trash" label={t('template.delete_the_template_name', { name })} />
      </button>
    </li>
  )
}

export function useApplyTemplate(onClose: () => void) {
  const open = useOpenTask()
  const { mutate } = useOperationMutation('templates.apply', {
    onDone({ ticket_number, task_id, title }) {
      onClose()
      open(ticket_number)
      showToast(t('template.created_ticket_number_title', { ticket_number, title }), () =>
        deleteTask(task_id),
      )
    },
    onFailed: showError,
  })
  return ({ template_id }: Template) => mutate({ templateId: template_id })
}

/** Deleting is permanent, so the request is sent only after the undo time has passed. */
export function deleteTemplate(template: Template) {
  const run = async () => {
    await sendWrite('templates.delete', { templateId: template.template_id })
    void cache.invalidateQueries({ queryKey: ['templates.list'] })
  }
  const message = t('template.deleted_the_template_name', { name: template.name })
  deleteLater({ what: pendingDeleteName(template), message, run })
}

export const pendingDeleteName = ({ template_id }: Template) => `template ${template_id}`
