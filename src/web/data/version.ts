import { cell } from './cell.ts'

/** Its name changes with what is in it. */
const mine = document.querySelector('script[type=module]')?.getAttribute('src')

const isNewer = cell(false)
/** Whether the server has another version of the app than this one. */
export const useNewer = isNewer.use

/** Looks whether that is so. */
export async function lookForNewer(): Promise<boolean> {
  if (!mine || isNewer.get()) return isNewer.get()
  try {
    const page = await fetch('/my', { headers: { accept: 'text/html' }, cache: 'no-store' })
    if (page.ok && !page.redirected) isNewer.put(!(await page.text()).includes(mine))
  } catch {
    // The server is away: then it is not known.
  }
  return isNewer.get()
}
