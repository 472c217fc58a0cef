import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const EXPECTED_ERRORS = /ERR_INTERNET|ERR_CONNECTION|ERR_FAILED|Failed to (load|fetch)|FetchEvent/

describe.skipIf(isBrowserSkipped)('reading without a connection', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    for (const title of ['Paint the fence', 'Water the oak'])
      await app.http('POST', '/api/v1/tasks', {
        body: { project_id: app.project_id, title, description: `How to: ${title}` },
      })
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  /** Opens the board and a task, until both are stored in the browser. */
  async function read() {
    const ada = await app.openSession({ serviceWorker: true, ignoredMessages: EXPECTED_ERRORS })
    const { page } = ada
    await ada.go(`/projects/${app.project_id}`)
    await page.getByText('Paint the fence').waitFor()
    await expectEventually(
      () => page.evaluate(() => navigator.serviceWorker.controller !== null),
      true,
    )
    await ada.go('/t/HOM-1')
    await page.getByText('How to: Paint the fence').waitFor()
    const stored = () =>
      page.evaluate(async () => {
        const requests = await Promise.all(
          (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
        )
        return requests.flat().map(({ url }) => decodeURIComponent(url))
      })
    await waitUntil(async () => (await stored()).some((url) => url.includes('"tasks.get"')))
    // What was loaded before the service worker is stored once this page was loaded by it.
    await page.reload()
    await page.getByText('How to: Paint the fence').waitFor()
    return { ...ada, stored }
  }

  test('a board and a task that were open before are shown, with the time of their data', async () => {
    const { page, context, go, stored } = await read()
    await go(`/projects/${app.project_id}`)
    await page.getByText('Water the oak').waitFor()
    await waitUntil(async () => (await stored()).some((url) => url.includes('"projects.board"')))
    await context.setOffline(true)
    await page.reload()
    await page.getByText('Paint the fence').waitFor()
    await page
      .getByRole('status')
      .getByText(/Not connected.*Data from \d\d:\d\d\./)
      .waitFor()
    await page.goto(`${app.url}/t/HOM-1`)
    await page.getByText('How to: Paint the fence').waitFor()
    await context.setOffline(false)
    await page.getByRole('status').getByText('Not connected').waitFor({ state: 'hidden' })
  })

  test('signing out deletes what was stored', async () => {
    const { page, context, stored } = await read()
    expect((await stored()).length).toBeGreaterThan(3)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Sign out')
    await page.getByRole('option', { name: 'Sign out' }).first().click()
    await page.waitForURL(/sign-in/)
    await expectEventually(stored, [])
    // The page that was left must not store anything later, and what it has loaded is not stored.
    await page.evaluate(() =>
      navigator.serviceWorker.controller!.postMessage({ files: ['/assets/inter-latin.woff2'] }),
    )
    await Bun.sleep(500)
    expect(await stored()).toEqual([])
    await context.setOffline(true)
    const failure = await page.goto(`${app.url}/t/HOM-1`).catch((error: Error) => error.message)
    expect(String(failure)).toContain('net::ERR_')
  })
})
