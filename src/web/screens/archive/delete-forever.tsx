import { callOperation } from '../../data/client.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { createStore } from '../../kit/store.ts'
import { showToast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { t } from '../../messages/t.ts'
import { reloadArchive, type Task } from './data.ts'

/** What the dialog asks about: some tasks, or the whole trash of a board or of all boards. */
type Deletion =
  | { tasks: readonly Task[] }
  | { board: number | undefined; title: string | undefined; count: number }

const deletion = createStore<Deletion | undefined>(undefined)

export const askToDelete = (tasks: readonly Task[]) => deletion.set({ tasks })

/** The most tasks that one call accepts. */
const MAX_TASKS = 10

async function run(chosen: Deletion): Promise<number> {
  if (!('tasks' in chosen)) {
    const { board: project_id } = chosen
    const input = project_id === undefined ? {} : { project_id }
    return (await callOperation('trash.empty', input)).deleted
  }
  const ids = chosen.tasks.map(({ task_id }) => task_id)
  let deleted = 0
  for (let at = 0; at < ids.length; at += MAX_TASKS) {
    const task_ids = ids.slice(at, at + MAX_TASKS)
    deleted += (await callOperation('trash.delete', { task_ids })).deleted
  }
  return deleted
}

/** Asks before tasks are deleted forever, and stays open until they are. */
export function DeleteForeverDialog() {
  const chosen = deletion.use()
  if (!chosen) return null
  const count = 'tasks' in chosen ? chosen.tasks.length : chosen.count
  const confirm = async () => {
    try {
      showToast(t('archive.deleted_count_tasks_forever', { count: await run(chosen) }))
    } finally {
      // After an error, some tasks may be deleted.
      await reloadArchive()
    }
  }
  return (
    <ConfirmDialog
      title={t('archive.delete_count_tasks_forever', { count })}
      submitLabel={t('archive.delete_forever')}
      onClose={() => deletion.set(undefined)}
      onConfirm={confirm}
    >
      <p>{subjectOf(chosen)}</p>
      <p className="soft">{t('archive.all_that_belongs_to_them_is_deleted')}</p>
    </ConfirmDialog>
  )
}

function subjectOf(chosen: Deletion): string {
  if (!('tasks' in chosen))
    return chosen.title
      ? t('archive.in_the_trash_of_title', { title: chosen.title })
      : t('archive.in_the_trash_of_all_boards')
  const names = chosen.tasks.map(({ ticket_number, title }) => `${ticket_number} ${title}`)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
}

interface EmptyTrashProps {
  board: number | undefined
  title: string | undefined
}

/** Counts the tasks first, because somebody may not delete all that the list shows. */
export function EmptyTrash({ board, title }: EmptyTrashProps) {
  const { run, busy, error } = useAction()
  const count = async () => {
    const input = board === undefined ? {} : { project_id: board }
    const { deleted } = await callOperation('trash.empty', { ...input, dry_run: true })
    if (deleted) deletion.set({ board, title, count: deleted })
    else showToast(t('archive.nothing_that_you_may_delete'))
  }
  return (
    <>
      <button
        type="button"
        className="button plain empty-trash"
        aria-disabled={busy}
        onClick={() => busy || void run(count)}
      >
        {t('archive.empty_trash')}
      </button>
      {error && (
        <p className="refused" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

export const DeleteForever = ({ task }: { task: Task }) => (
  <button
    type="button"
    className="button quiet only forever"
    title={t('archive.delete_forever')}
    onClick={() => askToDelete([task])}
  >
    <Icon name="trash" label={t('archive.delete_name_forever', { name: task.ticket_number })} />
  </button>
)
