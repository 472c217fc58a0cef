import type { Page, Route } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'

/** Holds every write to a path. The returned function waits for one and answers it. */
export async function holdWrites(page: Page, path: string, status: number, message: string) {
  const heldWrites: { route: Route; release(): void }[] = []
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    await new Promise<void>((resolve) => heldWrites.push({ route, release: resolve }))
    await route.fulfill({ status, json: { success: false, message } })
  })
  return async () => {
    // A reload of the page aborts its requests.
    const isAborted = ({ route }: { route: Route }) => route.request().failure() !== null
    const request = await waitUntil(() => heldWrites.find((one) => !isAborted(one)))
    heldWrites.splice(heldWrites.indexOf(request), 1)
    request.release()
  }
}
