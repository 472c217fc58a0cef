import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { pressSequence } from './keys.ts'

const EXPECTED_ERRORS = /Failed to load resource|is not iterable|Cannot read|a fault made here|null/

describe.skipIf(isBrowserSkipped)('the web app after an error of its own', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    await app.createTask({ title: 'Mend the roof' })
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  /** Opens the board. Requests for `missingFile`, if given, fail with 404. */
  const openBoard = async (missingFile?: string) => {
    const session = await app.openSession({ ignoredMessages: EXPECTED_ERRORS })
    if (missingFile)
      await session.context.route(missingFile, (route) => route.fulfill({ status: 404 }))
    await session.go(`/projects/${app.project_id}`)
    await session.page.getByText('Mend the roof').waitFor()
    return session
  }
  const boardRoute = '**/api/v1/projects/*/board*'

  test('limits an error to its screen, copies details without content, and recovers with Retry', async () => {
    const { page, context, problems } = await openBoard()
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await context.route(boardRoute, async (route) => {
      const response = await (await route.fetch()).json()
      await route.fulfill({ json: { ...response, data: { ...response.data, cards: [null] } } })
    })
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(`${app.url}/projects/${app.project_id}`)
    const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong on this screen' })
    await alert.waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await alert.getByRole('button', { name: 'Copy details' }).click()
    await alert.getByText('Copied').waitFor()
    const report = await page.evaluate(() => navigator.clipboard.readText())
    expect(report).toContain(`at /projects/${app.project_id}`)
    expect(report).not.toContain('Mend the roof')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await context.unroute(boardRoute)
    await alert.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Mend the roof').waitFor()
    expect(await alert.count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('reports an unhandled rejection only once, and keeps working', async () => {
    const { page, problems } = await openBoard()
    await page.evaluate(() => {
      for (let times = 0; times < 3; times++) void Promise.reject(new Error('a fault made here'))
    })
    const alert = page.getByRole('alert').filter({ hasText: 'a fault made here' })
    await alert.waitFor()
    expect(await alert.count()).toBe(1)
    await alert.getByRole('button', { name: 'Close' }).click()
    await page.evaluate(() => void Promise.reject(new Error('a fault made here')))
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await alert.count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('loads a script that failed to load again on the next use', async () => {
    const { page, context, problems } = await openBoard('**/assets/shortcuts-*.js')
    await context.route('**/my', (route) => route.abort())
    await page.keyboard.press('Shift+?')
    await page.getByRole('alert').filter({ hasText: 'the server is not responding' }).waitFor()
    await context.unroute('**/assets/shortcuts-*.js')
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(problems).toEqual([])
  })

  test('offers a reload when its files were replaced, and keeps a draft over it', async () => {
    const { page, context, problems } = await openBoard('**/assets/palette-*.js')
    await pressSequence(page, 'g', 'h')
    await page.getByText('Mend the roof').click()
    const comment = page.locator(
      '.detail-section > .composer textarea, .detail-section > .composer .code',
    )
    await comment.first().waitFor()
    await comment.first().click()
    await page.keyboard.type('Half a thought about the roof')
    // Simulates a newer server: its page refers to other files, and the old ones do not exist.
    await context.route('**/my', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script src="/assets/newer.js"></script>' }),
    )
    await page.getByRole('button', { name: 'Search' }).click()
    const banner = page.getByRole('status').filter({ hasText: 'Corkboard was updated' })
    await banner.waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await context.unroute('**/my')
    await context.unroute('**/assets/palette-*.js')
    await banner.getByRole('button', { name: 'Reload page' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByText('Half a thought about the roof').first().waitFor()
    expect(problems).toEqual([])
  })

  test('pauses after a 429 with Retry-After, and then retries by itself', async () => {
    const { page, context, problems } = await openBoard()
    let requestCount = 0
    await context.route('**/api/v1/tasks', (route) =>
      requestCount++
        ? route.fallback()
        : route.fulfill({ status: 429, headers: { 'retry-after': '4' }, json: {} }),
    )
    await page.getByRole('button', { name: 'Add a task to To do' }).click()
    await page.keyboard.type('One too many')
    await page.keyboard.press('Enter')
    const banner = page.getByRole('status').filter({ hasText: 'Too many requests' })
    await banner.waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await banner.waitFor({ state: 'hidden' })
    await page.locator('.card').filter({ hasText: 'One too many' }).getByText(/-\d+/).waitFor()
    expect(requestCount).toBe(2)
    const { body } = await app.http('GET', '/api/v1/search/tasks?query="One too many"')
    expect(body.data).toHaveLength(1)
    expect(problems).toEqual([])
  })
})
