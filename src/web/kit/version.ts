import { basePath } from './base-path.ts'
import { createStore } from './store.ts'

/** The file name of the script contains a hash of its content. */
const ownScript = document.querySelector('script[type=module]')?.getAttribute('src')

const hasNewer = createStore(false)
/** Whether the server has another version of the app than this page. */
export const useHasNewerVersion = hasNewer.use

/** Asks the server and updates `useHasNewerVersion`. */
export async function checkForNewerVersion(): Promise<boolean> {
  if (!ownScript || hasNewer.get()) return hasNewer.get()
  try {
    const page = await fetch(`${basePath}/my`, {
      headers: { accept: 'text/html' },
      cache: 'no-store',
    })
    if (page.ok && !page.redirected) hasNewer.set(!(await page.text()).includes(ownScript))
  } catch {
    // The server is unreachable, so the answer is unknown.
  }
  return hasNewer.get()
}
