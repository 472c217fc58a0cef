import { cache } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { useFormState } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'
import './undo-import.css'

export type Import = Output<'imports.list'>['items'][number]

interface Props {
  undone: Pick<Import, 'import_id' | 'title' | 'tasks'>
  onClose(): void
  onUndone(deletedTasks: number): void
}

/** Asks before an import is undone. It stays open until all tasks are deleted. */
export function UndoImport({ undone: { import_id, title, tasks }, onClose, onUndone }: Props) {
  const undo = async () => {
    const { deleted_tasks } = await callOperation('imports.undo', { import_id })
    void cache.invalidateQueries({ queryKey: ['imports.list'] })
    onUndone(deleted_tasks)
  }
  return (
    <ConfirmDialog
      title={t('import.undo_the_import_of_title', { title })}
      submitLabel={t('import.undo_import')}
      onClose={onClose}
      onConfirm={undo}
    >
      <p>{t('import.undo_deletes_tasks_and_archives_boards', { count: tasks })}</p>
      <p className="soft">{t('import.undo_keeps_your_tasks')}</p>
      <UndoProgress />
    </ConfirmDialog>
  )
}

function UndoProgress() {
  const { busy } = useFormState()
  return (
    <p role="status" className="undo-progress">
      {busy && (
        <>
          {t('import.deleting_tasks')}
          <progress aria-label={t('import.deleting_tasks')} />
        </>
      )}
    </p>
  )
}
