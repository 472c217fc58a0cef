import { offlineCache } from './offline-caches.ts'

/**
 * Files that another app shares with this one. The service worker receives them, and keeps them in
 * the browser until they are attached to a task. They belong to the user who is signed in.
 */

/** The fields of the form that the manifest declares. */
export const SHARED_TEXTS = ['share_title', 'share_text', 'share_url'] as const
/** In the address of the screen, it is the number of files that are kept. */
export const SHARED_FILES = 'share_files'
/** A title has at most this length, and the texts are part of the address. */
export const MAX_SHARED_TEXT = 500

/** The server's limit for attachments. Checking it first saves an upload that would be refused. */
export const MAX_FILE_BYTES = 15 * 1024 * 1024

const NAME_HEADER = 'x-file-name'

export const sharedFilesCache = (userId: string, scope: string) =>
  offlineCache(`shared ${userId}`, scope)

/** A file with the address under which it is kept. */
export interface SharedFile {
  address: string
  file: File
}

/** Keeps files, and returns how many should be there now: also what was too large counts. */
export async function keepSharedFiles(
  cache: Cache,
  scope: string,
  files: readonly File[],
): Promise<number> {
  const { length: before } = await cache.keys()
  for (const file of files) {
    if (file.size > MAX_FILE_BYTES) continue
    const headers = { 'content-type': file.type, [NAME_HEADER]: encodeURIComponent(file.name) }
    const address = `${scope}shared/${crypto.randomUUID()}`
    // The storage of the browser may be full. The screen says that a file is missing.
    await cache.put(address, new Response(file, { headers })).catch(() => {})
  }
  return before + files.length
}

export async function readSharedFiles(cache: Cache): Promise<SharedFile[]> {
  const files: SharedFile[] = []
  for (const request of await cache.keys()) {
    const response = await cache.match(request)
    if (!response) continue
    const name = decodeURIComponent(response.headers.get(NAME_HEADER) ?? '')
    const type = response.headers.get('content-type') ?? ''
    files.push({ address: request.url, file: new File([await response.blob()], name, { type }) })
  }
  return files
}
