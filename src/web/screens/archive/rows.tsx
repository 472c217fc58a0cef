import { memo, useCallback } from 'react'
import { Link } from 'wouter'
import { type Step, useNeighbours } from '../../entities/task/neighbours.ts'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { rich, t } from '../../messages/t.ts'
import type { Board, PageRow, Task } from './data.ts'
import { DeleteForever } from './delete-forever.tsx'
import { leaveRow } from './list.tsx'
import { pageKey, restoreBoard, restorePages, restoreTasks, taskKey } from './restore.ts'
import type { Selection } from './selection.ts'

interface TaskProps {
  task: Task
  /** The title of its board, unless only its key is known. */
  board: string | undefined
  mayRestore: boolean
  status: 'Archive' | 'Deleted'
  selection: Selection
}

export function TaskRow({ task, board, mayRestore, status, selection }: TaskProps) {
  const openTask = useOpenTask()
  const { ticket_number, title, section, done, updated_at } = task
  return (
    <article className="archived row-focus">
      {mayRestore && <Select name={ticket_number} rowKey={taskKey(task)} selection={selection} />}
      <span className="key">{ticket_number}</span>
      <button
        type="button"
        className="row-title cover"
        dir="auto"
        onClick={() => openTask(ticket_number)}
      >
        {title}
      </button>
      <span className="where soft">
        {done && <Icon name="done" label={t('archive.completed')} />}
        <span dir="auto">{[board, section].filter(Boolean).join(' · ')}</span>
      </span>
      <Changed at={updated_at} />
      {mayRestore && (
        <span className="actions">
          {status === 'Deleted' && <DeleteForever task={task} />}
          <Restore name={ticket_number} run={() => void restoreTasks([task], status)} />
        </span>
      )}
    </article>
  )
}

interface PageProps {
  page: PageRow
  board: string | undefined
  selection: Selection
}

export function PageItem({ page, board, selection }: PageProps) {
  const { page_id, title, ticket_number, updated_at, updated_by } = page
  return (
    <article className="archived row-focus">
      <Select name={title} rowKey={pageKey(page)} selection={selection} />
      <span className="key">{ticket_number}</span>
      <Link href={`/p/${page_id}`} className="row-title cover" dir="auto">
        {title}
      </Link>
      <span className="where soft">
        <span dir="auto">{[board, updated_by.name].filter(Boolean).join(' · ')}</span>
      </span>
      <Changed at={updated_at} />
      <Restore name={title} run={() => void restorePages([page])} />
    </article>
  )
}

interface SelectProps {
  name: string
  rowKey: string
  selection: Selection
}

/** The checkbox of a row; with Shift it selects all rows up to it. */
const Select = ({ name, rowKey, selection: { selected, toggle } }: SelectProps) => (
  <input
    type="checkbox"
    className="select"
    aria-label={t('archive.select_name', { name })}
    checked={selected.has(rowKey)}
    onClick={(event) => toggle(rowKey, event.shiftKey)}
    onChange={() => {}}
  />
)

export const BoardRow = memo(function BoardRow({ board }: { board: Board }) {
  const { project_id, key, title, updated_at, may_manage } = board
  return (
    <article className="archived row-focus">
      <span className="key">{key}</span>
      <Link href={`/projects/${project_id}`} className="row-title cover" dir="auto">
        {title}
      </Link>
      {!may_manage && (
        <span className="where soft">{t('archive.owners_and_admins_of_the_team_can')}</span>
      )}
      <Changed at={updated_at} />
      {may_manage && <Restore name={title} run={() => void restoreBoard(board)} />}
    </article>
  )
})

function Changed({ at }: { at: string }) {
  const { short, full } = agoText(at)
  return (
    <time className="soft" dateTime={at} title={t('archive.last_changed_full', { full })}>
      {short}
    </time>
  )
}

const Restore = ({ name, run }: { name: string; run(): void }) => (
  <button
    type="button"
    className="button plain restore"
    onClick={({ currentTarget }) => {
      leaveRow(currentTarget)
      run()
    }}
  >
    {rich('archive.restore_name', { name: <span className="unseen">{name}</span> })}
  </button>
)

/** The task after or before an open one, in the order of the list. */
export function useStep(tasks: readonly Task[] | undefined) {
  useNeighbours(
    useCallback<Step>(
      (ticket, by) => {
        const index = tasks?.findIndex((one) => one.ticket_number === ticket) ?? -1
        return index < 0 ? undefined : tasks?.[index + by]?.ticket_number
      },
      [tasks],
    ),
  )
}
