import { cache, queryKeyOf } from '../../data/cache.ts'
import { newIdempotencyKey } from '../../data/client.ts'
import { notePosition } from '../../data/position.ts'
import { endSession } from '../../data/session.ts'
import { basePath } from '../../kit/base-path.ts'
import { NoResponseError } from '../../kit/errors.ts'
import { MAX_FILE_BYTES } from '../../kit/shared-files.ts'
import { t } from '../../messages/t.ts'
import { reloadTask } from '../task/data.ts'

interface UploadedFile {
  attachment_id: number
  filename: string
  content_type: string
  url: string
}

/** Uploads a file with XMLHttpRequest, because fetch reports no upload progress. */
export function upload(
  task_id: number,
  file: File,
  onProgress: (fraction: number) => void,
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    if (file.size > MAX_FILE_BYTES)
      return reject(new Error(t('editor.the_file_is_larger_than_15_mb')))
    const request = new XMLHttpRequest()
    request.open('POST', `${basePath}/api/v1/tasks/${task_id}/attachments/upload`)
    request.responseType = 'json'
    request.setRequestHeader('idempotency-key', newIdempotencyKey())
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onerror = () => reject(new NoResponseError())
    request.onload = () => {
      const { response, status } = request
      notePosition(request.getResponseHeader('cork-position'))
      if (status === 401) endSession()
      if (!response?.success)
        return reject(
          new Error(
            response?.message ?? t('editor.the_server_responded_with_status_status', { status }),
          ),
        )
      reloadTask(task_id)
      void cache.invalidateQueries({
        queryKey: queryKeyOf('attachments.list', { task_id, limit: 50 }),
      })
      resolve(response.data.attachments[0])
    }
    const form = new FormData()
    form.append('file', file, file.name || 'image.png')
    request.send(form)
  })
}

/** The path of the content within the app, so that texts work under every host name and path. */
export const contentUrl = ({ attachment_id }: Pick<UploadedFile, 'attachment_id'>) =>
  `/api/v1/attachments/${attachment_id}/content`
