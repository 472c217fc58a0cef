import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { ConnectedClient } from '../../binary/agent-client.ts'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const row = (page: Page, expectedText: string) =>
  page.getByRole('article').filter({ hasText: expectedText })
/** Waits until the focus is in the row of the task with this title. */
const waitForFocus = (page: Page, title: string) =>
  page.waitForFunction(
    (expectedText) => document.activeElement?.closest('.note')?.textContent?.includes(expectedText),
    title,
  )
/** Scrolls with the wheel until the target is visible and no longer moves. */
async function wheelTo(target: Locator, step: number) {
  await waitUntil(async () => {
    if (await target.isVisible()) return true
    await target.page().mouse.wheel(0, step)
    await Bun.sleep(50)
  })
  await waitUntil(() =>
    target.evaluate(async (element) => {
      const { y } = element.getBoundingClientRect()
      for (let frame = 0; frame < 5; frame++)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      return element.isConnected && element.getBoundingClientRect().y === y
    }),
  )
}
const titles = (page: Page) => page.locator('.note .about .name').allInnerTexts()

describe.skipIf(isBrowserSkipped)('the inbox', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let bot: ConnectedClient
  beforeAll(async () => {
    app = await openWebApp()
    bot = await app.connectAgent('Scout')
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())

  const fetchInbox = async (query = '') =>
    (await app.http('GET', `/api/v1/notifications?limit=50${query}`)).body.data
  const fetchNotification = async (title: string, query = '') =>
    (await fetchInbox(query)).find((one: { task: { title: string } }) => one.task.title === title)
  /** The agent creates a task and mentions Ada in a comment on it. */
  const mention = async (title: string) => {
    const { task_id } = await bot.callTool('svc_tasks', 'create', {
      ...{ project_id: app.project_id, title },
    })
    await bot.callTool('svc_comments', 'add', {
      ...{ task_id, text: `<p>@Ada look at ${title}</p>` },
      mentions: [{ user_id: app.user_id, display_name: 'Ada' }],
    })
    return task_id as number
  }

  test('an empty inbox links to My Tasks or to the next task', async () => {
    await ada.go('/inbox')
    await page.getByRole('heading', { name: 'Inbox Zero' }).waitFor()
    await page.getByRole('link', { name: 'Go to My Tasks' }).waitFor()
    await app.createTask({ title: 'Water the plants', assignee_ids: [app.user_id] })
    await page.reload()
    await page.getByRole('link', { name: /^Next: Water the plants/ }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(await page.title()).toBe('Inbox · Corkboard')
  })

  test('a mention by an agent appears live and is counted in the sidebar, the title and the tab', async () => {
    expect(await page.getByRole('article').count()).toBe(0)
    await mention('Paint the fence')
    await row(page, 'Paint the fence').waitFor()
    await row(page, 'Paint the fence').getByText('mentioned you').waitFor()
    await row(page, 'Paint the fence').getByText('agent', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()
    await page.waitForFunction(() => document.title === '(1) Inbox · Corkboard')
    await page.getByRole('link', { name: 'Important 1 unread' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Inbox Zero' }).count()).toBe(0)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('opening a notification marks it as read and shows its task; u marks it as unread', async () => {
    await row(page, 'Paint the fence')
      .getByRole('button', { name: /mentioned you/ })
      .click()
    const taskPanel = page.getByRole('region', { name: /^Task HOM/ })
    await taskPanel.locator('[data-comment]').getByText('look at Paint the fence').waitFor()
    await page.waitForFunction(() => document.title === 'Inbox · Corkboard')
    expect(new URL(page.url()).searchParams.get('task')).toStartWith('HOM-')
    await waitUntil(async () => (await fetchNotification('Paint the fence')).read_at ?? undefined)
    await page.keyboard.press('u')
    await waitForToast(page, /^Marked the notification of HOM-\d+ as unread/)
    expect((await fetchNotification('Paint the fence')).read_at).toBeNull()
    await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await taskPanel.waitFor({ state: 'detached' })
    await waitForFocus(page, 'Paint the fence')
  })

  test('e archives a notification and focuses the next one, and undo brings it back', async () => {
    await mention('Mend the gate')
    await mention('Sweep the yard')
    await row(page, 'Sweep the yard').waitFor()
    expect(await titles(page)).toEqual(['Sweep the yard', 'Mend the gate', 'Paint the fence'])
    await page.keyboard.press('k')
    await waitForFocus(page, 'Mend the gate')
    await page.keyboard.press('e')
    await row(page, 'Mend the gate').waitFor({ state: 'detached' })
    await waitForFocus(page, 'Paint the fence')
    await waitForToast(page, /^Archived the notification of HOM-/)
    expect((await fetchNotification('Mend the gate', '&archived=true')).archived_at).not.toBeNull()
    await page.keyboard.press('Control+z')
    await row(page, 'Mend the gate').waitFor()
    await waitForFocus(page, 'Mend the gate')
    await expectEventually(async () => (await fetchNotification('Mend the gate')).archived_at, null)
  })

  test('with a task open beside the list, j opens the next notification and e archives it', async () => {
    await page.keyboard.press('k')
    await waitForFocus(page, 'Sweep the yard')
    await page.keyboard.press('Enter')
    const taskPanel = page.getByRole('region', { name: /^Task HOM/ })
    await taskPanel.getByRole('textbox', { name: 'Title' }).waitFor()
    await page.keyboard.press('j')
    await taskPanel.locator('[data-comment]').getByText('look at Mend the gate').waitFor()
    await waitUntil(async () => (await fetchNotification('Mend the gate')).read_at ?? undefined)
    await page.keyboard.press('e')
    await row(page, 'Mend the gate').waitFor({ state: 'detached' })
    await taskPanel.locator('[data-comment]').getByText('look at Paint the fence').waitFor()
    expect(await page.getByRole('listbox').count()).toBe(0)
    await page.keyboard.press('Escape')
    await taskPanel.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
  })

  test('x and Shift+J select several notifications, which are archived together', async () => {
    await waitForFocus(page, 'Paint the fence')
    await page.keyboard.press('k')
    await waitForFocus(page, 'Sweep the yard')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    const bar = page.getByRole('toolbar', { name: 'Selected notifications' })
    await bar.getByText('2 selected').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+a')
    await bar.getByRole('button', { name: 'Archive' }).click()
    await waitForToast(page, 'Archived 2 notifications')
    await page.getByRole('heading', { name: 'Inbox Zero' }).waitFor()
    expect(await fetchInbox()).toEqual([])
    await page.keyboard.press('Control+z')
    await row(page, 'Sweep the yard').waitFor()
    await expectEventually(async () => (await fetchInbox()).length, 2)
  })

  test('s snoozes the task of a notification, which leaves the list, and undo brings it back', async () => {
    const { task } = await fetchNotification('Sweep the yard')
    await row(page, 'Sweep the yard')
      .getByRole('button', { name: /mentioned/ })
      .focus()
    await page.keyboard.press('s')
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await row(page, 'Sweep the yard').waitFor({ state: 'detached' })
    await waitForToast(page, /^Snoozed HOM-\d+ until Tomorrow/)
    const fetchSnoozedUntil = async () =>
      (await app.http('GET', `/api/v1/tasks/${task.task_id}`)).body.data.snoozed_until
    expect(new Date(await fetchSnoozedUntil()).getTime()).toBeGreaterThan(Date.now())
    await page.keyboard.press('Control+z')
    await row(page, 'Sweep the yard').waitFor()
    await expectEventually(fetchSnoozedUntil, null)
  })

  test('tabs and filters are kept in the URL, and a board counts its notifications by type', async () => {
    const { task_id } = await app.createTask({ title: 'Count the chairs' })
    await bot.callTool('svc_comments', 'add', { task_id, text: '<p>There are nine</p>' })
    await page.getByRole('link', { name: 'Other 1 unread' }).click()
    await row(page, 'There are nine').getByText('commented').waitFor()
    expect(new URL(page.url()).search).toBe('?in=other')
    await page.getByRole('link', { name: /^All/ }).click()
    await page.getByRole('combobox', { name: 'All boards' }).click()
    await page.getByRole('option', { name: 'Home' }).click()
    await page.getByRole('button', { name: /^Mentioned 2/ }).waitFor()
    await page.getByRole('button', { name: 'Comments 1, 1 unread' }).click()
    await row(page, 'Sweep the yard').waitFor({ state: 'detached' })
    await row(page, 'There are nine').waitFor()
    expect(await titles(page)).toEqual(['Count the chairs'])
    expect(new URL(page.url()).search).toBe(`?in=all&board=${app.project_id}&kind=commented`)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.reload()
    await row(page, 'There are nine').waitFor()
    await page.getByRole('link', { name: 'Archived' }).click()
    await row(page, 'Mend the gate').waitFor()
    expect(await row(page, 'Sweep the yard').count()).toBe(0)
    await row(page, 'Mend the gate').hover()
    await page.getByRole('button', { name: /^Move back to the inbox/ }).click()
    await waitForToast(page, /^Moved the notification of HOM-\d+ back/)
    // The message can appear before the server has responded.
    await expectEventually(async () => (await fetchNotification('Mend the gate')).archived_at, null)
  })

  test('Archive all read archives the read notifications and keeps the unread ones', async () => {
    await ada.go('/inbox?in=all')
    await row(page, 'Mend the gate').waitFor()
    const unread = (await fetchInbox()).filter(
      ({ read_at }: { read_at: string }) => !read_at,
    ).length
    await page.getByRole('button', { name: 'More about the inbox' }).click()
    await page.getByRole('menuitem', { name: 'Archive all read' }).click()
    await row(page, 'Mend the gate').waitFor({ state: 'detached' })
    expect(await page.getByRole('article').count()).toBe(unread)
    await expectEventually(async () => (await fetchInbox()).length, unread)
  })

  test('a long list renders only visible rows, and a new notification does not scroll it', async () => {
    const { task_id } = await app.createTask({ title: 'Guess the weight' })
    for (let guess = 1; guess <= 60; guess++)
      await bot.callTool('svc_comments', 'add', { task_id, text: `<p>Guess ${guess}.</p>` })
    await ada.go('/inbox?in=other')
    await row(page, 'Guess 60.').waitFor()
    expect(await page.getByRole('article').count()).toBeLessThan(40)
    const list = page.locator('.notes')
    await list.hover()
    await wheelTo(row(page, 'Guess 35.'), 500)
    const rowTop = async () => (await row(page, 'Guess 35.').boundingBox())!.y
    const before = await rowTop()
    await bot.callTool('svc_comments', 'add', { task_id, text: '<p>Guess again.</p>' })
    const newButton = page.getByRole('button', { name: '1 new' })
    await newButton.waitFor()
    expect(Math.abs((await rowTop()) - before)).toBeLessThan(2)
    const listTop = (await list.boundingBox())!.y
    expect((await newButton.boundingBox())!.y - listTop).toBeWithin(0, 40)
    await newButton.click()
    await row(page, 'Guess again.').waitFor()
    await wheelTo(row(page, 'Guess 1.'), 20_000)
  })

  test('on a phone, the list is accessible, and a tap opens or archives a notification', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true, theme: 'dark' })
    await phone.go('/inbox?in=other')
    await row(phone.page, 'Guess again.').waitFor()
    expect(await accessibilityIssues(phone.page)).toEqual([])
    await row(phone.page, 'Guess again.')
      .getByRole('button', { name: /commented/ })
      .tap()
    await phone.page.getByRole('dialog', { name: /^Task HOM/ }).waitFor()
    await phone.page.getByRole('button', { name: 'Close the task' }).tap()
    await row(phone.page, 'Guess again.')
      .getByRole('button', { name: /^Archive/ })
      .tap()
    await row(phone.page, 'Guess again.').waitFor({ state: 'detached' })
    expect(phone.problems).toEqual([])
    await phone.context.close()
    expect(ada.problems).toEqual([])
  })
})
