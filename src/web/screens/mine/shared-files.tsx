import { useEffect, useState } from 'react'
import { pageUserId } from '../../data/browser-user.ts'
import { attachFiles } from '../../entities/editor/attach-files.ts'
import { basePath } from '../../kit/base-path.ts'
import { Icon } from '../../kit/icon.tsx'
import {
  readSharedFiles,
  SHARED_FILES,
  type SharedFile,
  sharedFilesCache,
} from '../../kit/shared-files.ts'
import { t } from '../../messages/t.ts'

/** Browsers offer it only to pages that were loaded over HTTPS, or from this machine. */
const openCache = () =>
  'caches' in globalThis
    ? caches.open(sharedFilesCache(pageUserId, `${location.origin}${basePath}/`))
    : undefined

async function forget(files: readonly SharedFile[]) {
  const cache = await openCache()
  for (const { address } of files) await cache?.delete(address)
}

export interface SharedFiles {
  files: readonly SharedFile[]
  /** Whether fewer files are there than were shared. */
  isIncomplete: boolean
  remove(file: SharedFile): void
  /** Takes all files for a task that is about to be added. */
  take(): readonly SharedFile[]
  putBack(files: readonly SharedFile[]): void
}

/** The files that another app has shared. They stay in the browser until a task has them. */
export function useSharedFiles(): SharedFiles {
  const [expected] = useState(() => Number(new URLSearchParams(location.search).get(SHARED_FILES)))
  const [files, setFiles] = useState<readonly SharedFile[]>([])
  const [isIncomplete, setIncomplete] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    const read = async () => {
      const cache = await openCache()
      const found = cache ? await readSharedFiles(cache) : []
      setFiles(found)
      setIncomplete(found.length < expected)
    }
    read().catch(() => setIncomplete(expected > 0))
  }, [])
  return {
    ...{ files, isIncomplete },
    remove(file) {
      setFiles(files.filter((one) => one !== file))
      void forget([file])
    },
    take() {
      setFiles([])
      setIncomplete(false)
      return files
    },
    putBack: (taken) => setFiles((later) => [...taken, ...later]),
  }
}

/** They are forgotten only after the upload, so that closing the page in between loses nothing. */
export async function attachShared(
  task: Parameters<typeof attachFiles>[0],
  shared: readonly SharedFile[],
) {
  if (!shared.length) return
  await attachFiles(
    task,
    shared.map(({ file }) => file),
  )
  await forget(shared)
}

export function SharedFileList({ files, isIncomplete, remove }: SharedFiles) {
  return (
    <>
      {isIncomplete && <p role="alert">{t('mine.not_every_shared_file_arrived')}</p>}
      {files.length > 0 && (
        <fieldset className="shared-files">
          <legend>{t('mine.files_for_the_new_task')}</legend>
          {files.map((shared) => (
            <span key={shared.address} className="shared-file">
              <span className="truncate">{shared.file.name}</span>
              <button type="button" className="button quiet only" onClick={() => remove(shared)}>
                <Icon name="close" label={t('mine.remove_name', { name: shared.file.name })} />
              </button>
            </span>
          ))}
        </fieldset>
      )}
    </>
  )
}
