import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'

const BROKEN = /Failed to load resource|is not iterable|Cannot read|a fault made here|null/

describe.skipIf(noBrowser)('the web app after an error of its own', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
    await desk.create({ title: 'Mend the roof' })
  }, 60_000)
  afterAll(() => desk?.leave())
  afterEach(async () => {
    for (const context of desk.browser.contexts()) await context.close()
  })

  /** Opens the board. Requests for the file `lost`, if given, fail with 404. */
  const sit = async (lost?: string) => {
    const one = await desk.sit({ may: BROKEN })
    if (lost) await one.context.route(lost, (route) => route.fulfill({ status: 404 }))
    await one.go(`/projects/${desk.project_id}`)
    await one.page.getByText('Mend the roof').waitFor()
    return one
  }
  const board = '**/api/v1/projects/*/board*'

  test('limits an error to its screen, copies details without content, and recovers with Retry', async () => {
    const { page, context, complaints } = await sit()
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await context.route(board, async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { ...answer, data: { ...answer.data, cards: [null] } } })
    })
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(`${desk.url}/projects/${desk.project_id}`)
    const fault = page.getByRole('alert').filter({ hasText: 'Something went wrong on this screen' })
    await fault.waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await fault.getByRole('button', { name: 'Copy details' }).click()
    await fault.getByText('Copied').waitFor()
    const report = await page.evaluate(() => navigator.clipboard.readText())
    expect(report).toContain(`at /projects/${desk.project_id}`)
    expect(report).not.toContain('Mend the roof')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await context.unroute(board)
    await fault.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Mend the roof').waitFor()
    expect(await fault.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('reports an unhandled rejection only once, and keeps working', async () => {
    const { page, complaints } = await sit()
    await page.evaluate(() => {
      for (let times = 0; times < 3; times++) void Promise.reject(new Error('a fault made here'))
    })
    const told = page.getByRole('alert').filter({ hasText: 'a fault made here' })
    await told.waitFor()
    expect(await told.count()).toBe(1)
    await told.getByRole('button', { name: 'Close' }).click()
    await page.evaluate(() => void Promise.reject(new Error('a fault made here')))
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await told.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('loads a script that failed to load again on the next use', async () => {
    const { page, context, complaints } = await sit('**/assets/shortcuts-*.js')
    await context.route('**/my', (route) => route.abort())
    await page.keyboard.press('Shift+?')
    await page.getByRole('alert').filter({ hasText: 'the server is not responding' }).waitFor()
    await context.unroute('**/assets/shortcuts-*.js')
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('offers a reload when its files were replaced, and keeps a draft over it', async () => {
    const { page, context, complaints } = await sit('**/assets/palette-*.js')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByText('Mend the roof').click()
    const comment = page.locator('.part > .composer textarea, .part > .composer .code')
    await comment.first().waitFor()
    await comment.first().click()
    await page.keyboard.type('Half a thought about the roof')
    // As on a newer server, the page names other files, and the old ones are gone.
    await context.route('**/my', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script src="/assets/newer.js"></script>' }),
    )
    await page.getByRole('button', { name: 'Search' }).click()
    const banner = page.getByRole('status').filter({ hasText: 'Corkboard was updated' })
    await banner.waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await context.unroute('**/my')
    await context.unroute('**/assets/palette-*.js')
    await banner.getByRole('button', { name: 'Reload page' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByText('Half a thought about the roof').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('pauses after a 429 with Retry-After, and then retries by itself', async () => {
    const { page, context, complaints } = await sit()
    let refused = 0
    await context.route('**/api/v1/tasks', (route) =>
      refused++
        ? route.fallback()
        : route.fulfill({ status: 429, headers: { 'retry-after': '4' }, json: {} }),
    )
    await page.getByRole('button', { name: 'Add a task to To do' }).click()
    await page.keyboard.type('One too many')
    await page.keyboard.press('Enter')
    const banner = page.getByRole('status').filter({ hasText: 'Too many requests' })
    await banner.waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await banner.waitFor({ state: 'hidden' })
    await page.locator('.card').filter({ hasText: 'One too many' }).getByText(/-\d+/).waitFor()
    expect(refused).toBe(2)
    const { body } = await desk.http('GET', '/api/v1/search/tasks?query="One too many"')
    expect(body.data).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})
