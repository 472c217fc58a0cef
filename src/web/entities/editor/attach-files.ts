import { sendWrite } from '../../data/write-queue.ts'
import { errorText } from '../../kit/errors.ts'
import { showErrorToast, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { reloadTask } from '../task/data.ts'
import { upload } from './upload.ts'

interface Target {
  task_id: number
  ticket_number: string
}

/** How often the message names the progress. */
const REPORT_MS = 1000

/** Attaches files to a task, with a message about the progress and an undo. */
export async function attachFiles({ task_id, ticket_number }: Target, files: readonly File[]) {
  const count = files.length
  const topic = `files of ${task_id}`
  const progress = files.map(() => 0)
  const report = () => {
    const percent = Math.round((progress.reduce((sum, one) => sum + one, 0) / count) * 100)
    showToast(t('editor.uploading_files_to', { count, ticket_number, percent }), undefined, topic)
  }
  report()
  const timer = setInterval(report, REPORT_MS)
  const uploads = await Promise.allSettled(
    files.map((file, index) =>
      upload(task_id, file, (fraction) => {
        progress[index] = fraction
      }),
    ),
  )
  clearInterval(timer)
  const ids = uploads.flatMap((one) => (one.status === 'fulfilled' ? one.value.attachment_id : []))
  const undo = () => removeFiles(task_id, ids)
  if (ids.length)
    showToast(t('editor.attached_files_to', { count: ids.length, ticket_number }), undo, topic)
  for (const [index, one] of uploads.entries())
    if (one.status === 'rejected')
      showErrorToast(
        t('editor.name_was_not_uploaded_error', {
          name: files[index]!.name,
          error: errorText(one.reason),
        }),
      )
}

async function removeFiles(task_id: number, ids: readonly number[]) {
  for (const attachment_id of ids) await sendWrite('attachments.delete', { attachment_id })
  reloadTask(task_id)
  return true
}
