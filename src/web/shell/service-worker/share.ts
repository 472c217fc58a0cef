import {
  keepSharedFiles,
  MAX_SHARED_TEXT,
  SHARED_FILES,
  SHARED_TEXTS,
  sharedFilesCache,
} from '../../kit/shared-files.ts'
import { addressOf, worker } from './types.ts'

/** Keeps the files that another app shares, and opens the field for a new task with the texts. */
export async function receiveShare(request: Request): Promise<Response> {
  const form = await request.formData()
  const query = new URLSearchParams()
  for (const name of SHARED_TEXTS) {
    const text = form.get(name)
    if (typeof text === 'string' && text) query.set(name, cut(text))
  }
  // A form without a chosen file has an empty one without a name.
  const files = form.getAll(SHARED_FILES).filter((one) => one instanceof File && one.name !== '')
  if (files.length) query.set(SHARED_FILES, String(await keep(files as File[])))
  return Response.redirect(addressOf(`my?${query}`), 303)
}

const cut = (text: string) => text.slice(0, MAX_SHARED_TEXT).toWellFormed()

/** Returns how many files the screen should find. */
async function keep(files: readonly File[]): Promise<number> {
  const { scope } = worker.registration
  const user = await worker.cookieStore?.get('nookies_user')
  if (!user?.value) return files.length
  return keepSharedFiles(await caches.open(sharedFilesCache(user.value, scope)), scope, files)
}
