import { cache, keyOf } from '../data/cache.ts'
import { newKey, Unanswered } from '../data/client.ts'
import { signedOut } from '../data/session.ts'
import { readAgain } from './data.ts'

interface Uploaded {
  attachment_id: number
  filename: string
  content_type: string
  url: string
}

/** What the server takes; asked before, nobody waits for a refusal at the end. */
const MOST_BYTES = 15 * 1024 * 1024

/** As a form, because only such a request tells how far it has come. */
export function upload(
  task_id: number,
  file: File,
  onProgress: (share: number) => void,
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    if (file.size > MOST_BYTES) return reject(new Error('It is larger than 15 MB'))
    const request = new XMLHttpRequest()
    request.open('POST', `/api/v1/tasks/${task_id}/attachments/upload`)
    request.responseType = 'json'
    request.setRequestHeader('idempotency-key', newKey())
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onerror = () => reject(new Unanswered())
    request.onload = () => {
      const { response, status } = request
      if (status === 401) signedOut()
      if (!response?.success)
        return reject(new Error(response?.message ?? `The server answered ${status}`))
      readAgain(task_id)
      void cache.invalidateQueries({ queryKey: keyOf('attachments.list', { task_id, limit: 50 }) })
      resolve(response.data.attachments[0])
    }
    const form = new FormData()
    form.append('file', file, file.name || 'image.png')
    request.send(form)
  })
}

/** Where it is shown from, whatever name the server is known by here. */
export const contentOf = ({ attachment_id }: Pick<Uploaded, 'attachment_id'>) =>
  `/api/v1/attachments/${attachment_id}/content`
