import { useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { PhotoButton } from '../../entities/editor/photo-button.tsx'
import { contentUrl, upload } from '../../entities/editor/upload.ts'
import { reloadTask, type Task } from '../../entities/task/data.ts'
import { basePath } from '../../kit/base-path.ts'
import { agoText } from '../../kit/dates.ts'
import { deleteLater, usePendingDeletes } from '../../kit/delayed-delete.ts'
import { errorText } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { locale } from '../../kit/locale.ts'
import { showErrorToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { DetailSection } from './detail-section.tsx'

type Attachment = Output<'attachments.list'>['items'][number]

/** Attachments of the task and its comments. Dropping files here uploads them. */
export function Files({ task, requested }: { task: Task; requested: boolean }) {
  const { task_id } = task
  const list = useOperation('attachments.list', { task_id, limit: 50 })
  const deleted = usePendingDeletes()
  const { data } = list
  const files = (data?.items ?? []).filter((one) => !deleted.has(`file ${one.attachment_id}`))
  const { progress, send } = useUploadFiles(task_id)
  if (!files.length && !requested) return <LoadError of={list} what={t('task.attachments')} />
  return (
    <DetailSection
      title={t('task.attachments_name')}
      count={files.length ? String(files.length) : ''}
      end={
        <>
          <AttachButton onFiles={send} />
          <PhotoButton onFiles={send} />
        </>
      }
      requested={requested}
    >
      <section
        aria-label={t('task.files')}
        className="files"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          void send([...event.dataTransfer.files])
        }}
      >
        <LoadError of={list} what={t('task.attachments')} />
        <ul>
          {files.map((file) => (
            <Tile key={file.attachment_id} file={file} onRemove={() => deleteFile(task_id, file)} />
          ))}
        </ul>
        {progress !== undefined && (
          <progress className="share" value={progress} aria-label={t('task.uploading')} />
        )}
        {data && !files.length && progress === undefined && (
          <p className="soft">{t('task.drop_files_here_or_paste_images_into')}</p>
        )}
      </section>
    </DetailSection>
  )
}

const AttachButton = ({ onFiles }: { onFiles(files: Iterable<File>): void }) => (
  <label className="button quiet attach">
    <Icon name="plus" />
    <span className="unseen">{t('task.attach_a_file')}</span>
    <input
      type="file"
      className="unseen"
      multiple
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  </label>
)

/** Uploads files one after the other, with the progress of the current one. */
function useUploadFiles(task_id: number) {
  const [progress, setProgress] = useState<number>()
  const send = async (files: Iterable<File>) => {
    for (const file of files)
      try {
        await upload(task_id, file, setProgress)
      } catch (error) {
        showErrorToast(
          t('task.name_was_not_uploaded_error', { name: file.name, error: errorText(error) }),
        )
      }
    setProgress(undefined)
  }
  return { progress, send }
}

/** An image shows a thumbnail; other files show their extension. */
function Tile({ file, onRemove }: { file: Attachment; onRemove(): void }) {
  const { filename, content_type, created_by, created_at } = file
  const isPicture = /^image\/(png|jpeg|gif|webp|avif)$/.test(content_type)
  const about = `${filename}, ${sizeOf(file.size)}, ${created_by.name}, ${agoText(created_at).full}`
  return (
    <li className="file">
      <a
        href={basePath + contentUrl(file)}
        target="_blank"
        rel="noopener"
        title={about}
        download={!isPicture}
      >
        {isPicture ? (
          <img src={basePath + contentUrl(file)} alt="" loading="lazy" />
        ) : (
          <span className="sort">{extensionOf(filename)}</span>
        )}
        <span className="name truncate">{filename}</span>
        <span className="soft tabular">{sizeOf(file.size)}</span>
      </a>
      <button type="button" className="button quiet only" onClick={onRemove}>
        <Icon name="trash" label={t('task.delete_filename', { filename })} />
      </button>
    </li>
  )
}

const extensionOf = (name: string) =>
  (name.includes('.') ? name.split('.').at(-1)! : t('task.file_inline')).slice(0, 4)

function sizeOf(bytes: number): string {
  if (bytes < 1000) return t('task.count_bytes', { count: bytes })
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', 1000] : ['megabyte', 1_000_000]
  const digits = bytes / size < 10 ? 1 : 0
  return new Intl.NumberFormat(locale, {
    ...{ style: 'unit', unit, useGrouping: false },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  }).format(bytes / size)
}

/** Deleting is permanent, so the request is sent only after the undo time has passed. */
function deleteFile(task_id: number, { attachment_id, filename }: Attachment) {
  const run = async () => {
    await sendWrite('attachments.delete', { attachment_id })
    reloadTask(task_id)
  }
  deleteLater({
    what: `file ${attachment_id}`,
    message: t('task.deleted_filename', { filename }),
    run,
  })
}
