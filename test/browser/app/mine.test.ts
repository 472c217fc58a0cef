import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, layoutShiftOf } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const ZONE = 'Europe/Berlin'
/** The date in this number of days, in the time zone of the person. */
const dayFromToday = (days: number) => Temporal.Now.plainDateISO(ZONE).add({ days }).toString()

/** The headings of groups and the titles of rows, from top to bottom. */
const listLines = (page: Page) => page.locator('.todos h2, .todos .row-title').allInnerTexts()
const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

describe.skipIf(isBrowserSkipped)('My Tasks', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    await app.http('PATCH', '/api/v1/user/profile', { body: { time_zone: ZONE } })
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())
  beforeEach(() => page.keyboard.press('Escape'))

  const fetchMyTasks = async () => (await app.http('GET', '/api/v1/my-tasks')).body.data
  const fetchTask = async (id: number) => (await app.http('GET', `/api/v1/tasks/${id}`)).body.data
  const findByTitle = async (title: string) =>
    (await fetchMyTasks()).find((one: { title: string }) => one.title === title)

  test('an empty list has a button that focuses the field for a new task', async () => {
    await ada.go('/my')
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor()
    await page.getByRole('button', { name: 'Add a task' }).click()
    expect(await focusedLabel()).toBe('New task for yourself')
    expect(await accessibilityIssues(page)).toEqual([])
  })
  const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

  test('quick-add parses date, priority and repeat rule, and each can be removed', async () => {
    await page.keyboard.press('c')
    const chips = page.locator('.understood')
    await page.keyboard.type('tomorrow 14:00 ')
    await chips.getByRole('button', { name: /^Tomorrow/ }).waitFor()
    await page.keyboard.type('Call Kim every week !high')
    await chips.getByRole('button', { name: /^High/ }).waitFor()
    expect(await chips.getByRole('button').count()).toBe(3)
    await chips.getByRole('button', { name: /^Every week/ }).click()
    await chips.getByRole('button', { name: /^Every week/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await row(page, 'Call Kim').waitFor()
    await waitForToast(page, /^Added HOM-\d+: Tomorrow 14:00/)
    expect(await listLines(page)).toEqual([
      expect.stringMatching(/^This week/),
      'Call Kim "every week"',
    ])
    const createdTask = await findByTitle('Call Kim "every week"')
    expect(createdTask.due_date).toStartWith(dayFromToday(1))
    expect([createdTask.recurrence, createdTask.priority_name]).toEqual([null, 'High'])
    expect(await page.getByLabel('New task for yourself').inputValue()).toBe('')
  })

  test('undo removes an added task', async () => {
    await page.getByLabel('New task for yourself').fill('A slip')
    await page.keyboard.press('Enter')
    await row(page, 'A slip').waitFor()
    await waitForToast(page, 'Added HOM-2')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await row(page, 'A slip').waitFor({ state: 'detached' })
    expect(await findByTitle('A slip')).toBeUndefined()
  })

  test('tasks are grouped by due date, overdue first, and j and k move between them', async () => {
    for (const [title, due_date] of [
      ['Pay the bill', dayFromToday(-2)],
      ['Water the plants', dayFromToday(0)],
      ['Plan the summer', dayFromToday(40)],
      ['Sort the photographs', null],
    ] as const)
      await app.createTask({ title, ...(due_date && { due_date }), assignee_ids: [app.user_id] })
    // The last heading comes with the last task, and the other headings with their tasks.
    await page.getByRole('heading', { name: /^No due date/ }).waitFor()
    expect(await listLines(page)).toEqual([
      ...['Overdue\n1', 'Pay the bill', 'Today\n1', 'Water the plants'],
      ...['This week\n1', 'Call Kim "every week"', 'Later\n1', 'Plan the summer'],
      ...['No due date\n1', 'Sort the photographs'],
    ])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Water the plants')
    await page.keyboard.press('k')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Pay the bill')
    expect(await accessibilityIssues(page)).toEqual([])
  })

  test('Enter opens a task beside the list, j opens the next one, and Escape returns to the list', async () => {
    await page.keyboard.press('Enter')
    await page
      .getByRole('region', { name: /^Task HOM/ })
      .getByText('Pay the bill')
      .first()
      .waitFor()
    await page.keyboard.press('j')
    await page
      .getByRole('region', { name: /^Task HOM/ })
      .getByText('Water the')
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Water the plants')
    expect(new URL(page.url()).search).toBe('')
    await page.keyboard.press('k')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Pay the bill')
  })

  test('x completes a task and focuses the next one, and undo reopens it', async () => {
    const { task_id } = await findByTitle('Pay the bill')
    await page.keyboard.press('x')
    await row(page, 'Pay the bill').waitFor({ state: 'detached' })
    await waitForToast(page, /^Completed/)
    await page.waitForFunction(() => document.activeElement?.textContent === 'Water the plants')
    expect((await fetchTask(task_id)).done).toBe(true)
    expect(await listLines(page)).not.toContain('Overdue\n1')
    await page.keyboard.press('Control+z')
    await row(page, 'Pay the bill').waitFor()
    await expectEventually(async () => (await fetchTask(task_id)).done, false)
  })

  test('completing a repeating task announces its next occurrence, and undo removes it', async () => {
    const { task_id } = await findByTitle('Water the plants')
    await app.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { recurrence: 'Weekly' } })
    await row(page, 'Water the plants').getByLabel('Repeats every week').waitFor()
    await page.getByRole('button', { name: 'Complete Water the plants' }).click()
    await waitForToast(page, /Next occurrence: /)
    await row(page, 'Water the plants').waitFor()
    expect((await findByTitle('Water the plants')).due_date).toBe(dayFromToday(7))
    await page.keyboard.press('Control+z')
    await row(page, 'Water the plants').getByRole('button', { name: 'Due: Today' }).waitFor()
    // Undo reopens the task, which shows it, and then deletes the next occurrence.
    const occurrences = async () =>
      (await fetchMyTasks())
        .filter((one: { title: string }) => one.title === 'Water the plants')
        .map((one: { task_id: number; due_date: string }) => [one.task_id, one.due_date])
    await expectEventually(occurrences, [[task_id, dayFromToday(0)]])
    expect((await fetchTask(task_id)).recurrence).toBe('Weekly')
  })

  test('d sets a due date from typed words, p a priority, and e renames a task', async () => {
    const { task_id } = await findByTitle('Sort the photographs')
    await row(page, 'Sort the photographs')
      .getByRole('button', { name: /^Sort the/ })
      .focus()
    await page.keyboard.press('d')
    await page.getByLabel('Due date', { exact: true }).last().waitFor()
    await page.keyboard.type('tomorrow 9:30')
    await page.keyboard.press('Enter')
    await waitForToast(page, /^HOM-\d+ due Tomorrow/)
    expect((await fetchTask(task_id)).due_date).toStartWith(dayFromToday(1))
    await page.waitForFunction(() => document.activeElement?.textContent === 'Sort the photographs')
    await page.keyboard.press('p')
    await page.getByRole('combobox', { name: 'Priority' }).waitFor()
    await page.keyboard.type('urg')
    await page.keyboard.press('Enter')
    await waitForToast(page, /^Set priority of .* to Urgent/)
    expect((await fetchTask(task_id)).priority).toBe(1)
    await page.waitForFunction(() => document.activeElement?.textContent === 'Sort the photographs')
    await page.keyboard.press('e')
    await page.keyboard.press('End')
    await page.keyboard.type(' of May')
    await page.keyboard.press('Enter')
    await waitForToast(page, /^Renamed/)
    expect((await fetchTask(task_id)).title).toBe('Sort the photographs of May')
  })

  test('text typed before a popup has the focus arrives in its field', async () => {
    await row(page, 'Pay the bill')
      .getByRole('button', { name: /^Pay the/ })
      .focus()
    await page.evaluate(() => {
      const press = (key: string) =>
        document.activeElement!.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        )
      // The observer is called before the next frame, in which the field gets the focus.
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.when input')) return
        observer.disconnect()
        for (const key of 'in 3 days') press(key)
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
    await page.keyboard.press('d')
    await page.locator('.when input:focus').waitFor()
    expect(await page.locator('.when input').first().inputValue()).toBe('in 3 days')
    await page.keyboard.press('Escape')
    await page.locator('.when').waitFor({ state: 'detached' })
  })

  test('s snoozes a task, which can be shown in the list and unsnoozed', async () => {
    const { task_id } = await findByTitle('Plan the summer')
    await row(page, 'Plan the summer')
      .getByRole('button', { name: /^Plan the/ })
      .focus()
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Next week' }).click()
    await row(page, 'Plan the summer').waitFor({ state: 'detached' })
    await waitForToast(page, /^Snoozed .* until/)
    expect(new Date((await fetchTask(task_id)).snoozed_until).getTime()).toBeGreaterThan(Date.now())
    await page.keyboard.press('f')
    await page.getByRole('button', { name: /^Show snoozed\s*1$/ }).click()
    await page.keyboard.press('Escape')
    await row(page, 'Plan the summer').getByLabel('Snoozed until').waitFor()
    expect(new URL(page.url()).searchParams.get('snoozed')).toBe('yes')
    await row(page, 'Plan the summer')
      .getByRole('button', { name: /^Plan the/ })
      .focus()
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Clear' }).click()
    await waitForToast(page, /^Unsnoozed/)
    expect((await fetchTask(task_id)).snoozed_until).toBeNull()
  })

  test('a title that the server refuses stays in its field', async () => {
    const other = await app.openSession({ ignoredMessages: /507/ })
    await other.page.route('**/api/v1/tasks/*', (route) =>
      route.fulfill({ status: 507, json: { success: false, message: 'The disk is full' } }),
    )
    await other.go('/my')
    await row(other.page, 'Pay the bill')
      .getByRole('button', { name: 'Pay the bill' })
      .last()
      .focus()
    await other.page.keyboard.press('e')
    await other.page.keyboard.press('Control+a')
    await other.page.keyboard.type('Pay both bills')
    await other.page.keyboard.press('Enter')
    await waitForToast(other.page, 'The disk is full')
    const field = other.page.getByLabel(/^Title of/)
    expect(await field.inputValue()).toBe('Pay both bills')
    expect(await findByTitle('Pay the bill')).toBeDefined()
    // An open field would be sent again when the page closes.
    await other.page.keyboard.press('Escape')
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('loads without layout shift, also when its tasks arrive late', async () => {
    const other = await app.openSession()
    const delay = async (route: Route) => {
      await other.page.locator('.skeleton').waitFor({ state: 'attached' })
      await Bun.sleep(100)
      await route.continue()
    }
    await other.page.route('**/api/v1/my-tasks?*', delay, { times: 1 })
    await other.go('/my')
    await row(other.page, 'Pay the bill').waitFor()
    expect(await layoutShiftOf(other.page)).toBeLessThan(0.01)
    await other.context.close()
  })

  test('is accessible in the dark theme and on a phone, and logs no errors', async () => {
    for (const options of [{ theme: 'dark' as const }, { width: 390, height: 844, touch: true }]) {
      const other = await app.openSession(options)
      await other.go('/my')
      await row(other.page, 'Pay the bill').waitFor()
      expect(await accessibilityIssues(other.page)).toEqual([])
      expect(other.problems).toEqual([])
      await other.context.close()
    }
    expect(ada.problems).toEqual([])
  })
})
