import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

interface Entry {
  id: string
  title: string
  path?: string
  folder_id?: string
}

describe.skipIf(isBrowserSkipped)('the pins in the sidebar', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    await app.createTask({ title: 'Mend the roof' })
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  const stored = async () => (await app.http('GET', '/api/v1/user/sidebar')).body.data
  const entries = async (): Promise<Entry[]> => (await stored()).entries
  const setPins = async (...pins: Entry[]) => {
    const { version: if_version } = await stored()
    await app.http('PATCH', '/api/v1/user/sidebar', { body: { entries: pins, if_version } })
  }
  const openBoard = async (options = {}) => {
    const session = await app.openSession(options)
    await session.go(`/projects/${app.project_id}`)
    const pins = session.page.getByRole('list', { name: 'Pinned' })
    const row = (name: string) => pins.locator('.side-row > .place').filter({ hasText: name })
    return { ...session, pins, row }
  }
  const WORK = { id: 'work', title: 'Work' }
  const MINE = { id: 'mine', title: 'My day', path: '/my' }
  const INBOX = { id: 'inbox', title: 'Messages', path: '/inbox' }

  test('a board is pinned with its menu and unpinned again, and undo brings it back', async () => {
    await setPins()
    const { page, problems, pins, row } = await openBoard()
    await page.getByRole('link', { name: 'Home' }).hover()
    await page.getByRole('button', { name: 'Actions for Home' }).click()
    await page.getByRole('menuitem', { name: 'Pin to the sidebar' }).click()
    await row('Home').waitFor()
    await waitUntil(async () => (await entries())[0]?.path === `/projects/${app.project_id}`)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await row('Home').focus()
    await page.keyboard.press('Delete')
    await pins.waitFor({ state: 'detached' })
    const toast = page.locator('.toast', { hasText: 'Unpinned Home' })
    await toast.getByRole('button', { name: /^Undo/ }).click()
    await row('Home').waitFor()
    await waitUntil(async () => (await entries()).length === 1)
    expect(problems).toEqual([])
  })

  test('a filter is pinned with the palette under the name that it is given', async () => {
    await setPins()
    const { page, problems, go, row } = await openBoard()
    await go(`/projects/${app.project_id}?priority=1`)
    await page.keyboard.press('Control+k')
    await page.locator('.palette').getByRole('combobox').fill('pin this')
    await page.getByRole('option', { name: 'Pin this to the sidebar' }).click()
    await row('Home').focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Urgent work')
    await page.keyboard.press('Enter')
    await row('Urgent work').waitFor()
    await page.locator('.side-row > .place:focus').waitFor()
    await waitUntil(async () => (await entries())[0]?.title === 'Urgent work')
    expect((await entries())[0]!.path).toContain('priority=1')
    expect(problems).toEqual([])
  })

  test('Alt with an arrow moves a pin into a folder and out of it, and the focus stays on it', async () => {
    await setPins(WORK, MINE, INBOX)
    const { page, problems, row } = await openBoard()
    await row('My day').focus()
    await page.keyboard.press('Alt+ArrowUp')
    const mine = async () => (await entries()).find(({ id }) => id === 'mine')
    await waitUntil(async () => (await mine())?.folder_id === 'work')
    await row('Messages').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await waitUntil(async () => (await entries()).map(({ id }) => id).join() === 'work,inbox,mine')
    await page.keyboard.press('Alt+ArrowUp')
    await waitUntil(async () => (await entries())[0]?.id === 'inbox')
    expect((await entries())[0]!.folder_id).toBeUndefined()
    expect(await page.locator('.side-row > .place:focus').textContent()).toContain('Messages')
    expect(problems).toEqual([])
  })

  test('a folder is made, named, folded and deleted; what was in it stays pinned', async () => {
    await setPins(MINE)
    const { page, problems, row } = await openBoard()
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Every day')
    await page.keyboard.press('Enter')
    await row('Every day').waitFor()
    await row('My day').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await waitUntil(async () => (await entries())[1]?.folder_id !== undefined)
    await row('Every day').click()
    await row('My day').waitFor({ state: 'detached' })
    await page.reload()
    await row('Every day').waitFor()
    expect(await row('My day').count()).toBe(0)
    await row('Every day').focus()
    await page.keyboard.press('ArrowRight')
    await row('My day').waitFor()
    await row('Every day').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete folder' }).click()
    await row('Every day').waitFor({ state: 'detached' })
    await row('My day').waitFor()
    await waitUntil(async () => (await entries()).length === 1)
    expect(problems).toEqual([])
  })

  test('a pin is dragged before another one and into a folder, and other tabs follow', async () => {
    await setPins(WORK, MINE, INBOX)
    const { page, problems, context, row } = await openBoard()
    const other = await context.newPage()
    await other.goto(page.url())
    const names = () =>
      other.getByRole('list', { name: 'Pinned' }).locator('.place').allTextContents()
    await waitUntil(async () => (await names()).join() === 'Work,My day,Messages')
    await row('Messages').dragTo(row('My day'), { targetPosition: { x: 60, y: 3 } })
    await waitUntil(async () => (await names()).join() === 'Work,Messages,My day')
    await row('My day').dragTo(row('Work'))
    await waitUntil(async () => (await names()).join() === 'Work,My day,Messages')
    expect((await entries()).find(({ id }) => id === 'mine')?.folder_id).toBe('work')
    expect(problems).toEqual([])
  })

  test('a refused change is undone and explained', async () => {
    await setPins(MINE, INBOX)
    const { page, context, row } = await openBoard({ ignoredMessages: /500|Failed to load/ })
    await context.route('**/api/v1/user/sidebar', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { success: false, message: 'Broken' } })
        : route.continue(),
    )
    await row('Messages').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('alert').filter({ hasText: 'Broken' }).waitFor()
    expect(await row('').allTextContents()).toEqual(['My day', 'Messages'])
  })

  test('on a phone, pins are in the drawer, and a folder opens without closing it', async () => {
    await setPins(WORK, { ...MINE, folder_id: 'work' })
    const { page, problems, row } = await openBoard({ touch: true, width: 390, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).tap()
    await row('Work').tap()
    await row('My day').waitFor({ state: 'detached' })
    await row('Work').tap()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await row('My day').tap()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(problems).toEqual([])
  })
})
