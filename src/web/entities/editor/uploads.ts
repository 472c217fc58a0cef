import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorText } from '../../kit/errors.ts'
import { sizeSuffix } from '../../kit/image-size.ts'
import { showErrorToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { EditorHandle } from './editor-types.ts'
import { contentUrl, upload } from './upload.ts'

const PLACEHOLDER = /!\[Uploading [^\]]* …\]\(\d*\)\n?/g

/**
 * Removes upload placeholders before a text is stored: after a reload those uploads never finish.
 */
export const withoutPlaceholders = (text: string) => text.replace(PLACEHOLDER, '')

let next = 1

/** Inserts a placeholder at the cursor for each upload and replaces it when the file is there. */
export function useUploads(task_id: number, code: RefObject<EditorHandle | undefined>) {
  const [progressById, setProgressById] = useState<ReadonlyMap<number, number>>(new Map())
  const uploadOne = async (file: File) => {
    const id = next++
    const name = (file.name || 'image.png').replace(/[[\]]/g, '')
    const placeholder = t('editor.uploading_name_id', { name, id })
    // The uploading state ends before the link appears, so that the text can be sent at once.
    const removeProgress = () =>
      flushSync(() =>
        setProgressById((before) => new Map([...before].filter(([other]) => other !== id))),
      )
    const setProgress = (fraction: number) =>
      setProgressById((before) => new Map(before).set(id, fraction))
    code.current?.insert(placeholder)
    setProgress(0)
    try {
      const uploaded = await upload(task_id, file, setProgress)
      const isShown = uploaded.content_type.startsWith('image/')
      const size = isShown ? await sizeSuffix(file) : ''
      removeProgress()
      code.current?.replace(
        placeholder,
        `${isShown ? '!' : ''}[${name}](${contentUrl(uploaded)}${size})`,
      )
    } catch (error) {
      removeProgress()
      code.current?.replace(placeholder, '')
      showErrorToast(t('editor.name_was_not_uploaded_error', { name, error: errorText(error) }))
    }
  }
  const onFiles = (files: readonly File[]) => {
    for (const file of files) void uploadOne(file)
  }
  const values = [...progressById.values()]
  const progress = values.length
    ? values.reduce((sum, fraction) => sum + fraction, 0) / values.length
    : undefined
  return { progress, onFiles }
}
