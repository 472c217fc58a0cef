import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { waitUntil } from '../../support/wait.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('a task that several people or windows edit', () => {
  let app: WebApp
  let ada: BrowserSession
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession({ ignoredMessages: /status of 404/ })
  })
  afterAll(() => app?.close())

  const fetchTask = async (id: number) => (await app.http('GET', `/api/v1/tasks/${id}`)).body.data
  const patchTask = (id: number, body: object) => app.http('PATCH', `/api/v1/tasks/${id}`, { body })
  const waitForTitle = (id: number, title: string) =>
    waitUntil(async () => (await fetchTask(id)).title === title)

  test('says which concurrent title was replaced, and undo restores that title', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Bake' })
    const { page } = ada
    await ada.go(`/t/${ticket_number}`)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Bake a cake')
    await patchTask(task_id, { title: 'Bake bread' })
    await page.getByRole('heading', { name: 'Bake bread', level: 1 }).waitFor()
    expect(await title.inputValue()).toBe('Bake a cake')
    // Enter that ends an IME composition does not save the title.
    await title.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    const isTaskFocused = () =>
      page.evaluate(() => document.activeElement?.classList.contains('task'))
    expect(await isTaskFocused()).toBe(false)
    await title.press('Enter')
    await waitForTitle(task_id, 'Bake a cake')
    await page.getByText('Your text replaced “Bake bread”').waitFor()
    expect(await isTaskFocused()).toBe(true)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await waitForTitle(task_id, 'Bake bread')
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Bake bread')
  })

  test('clears a due date on its card at once, from a calendar that fits its popup', async () => {
    const { task_id, ticket_number } = await app.createTask({
      ...{ title: 'Rent chairs', due_date: '2030-05-04' },
    })
    const { page, context } = ada
    await ada.go(`/projects/${app.project_id}?task=${ticket_number}`)
    const card = page.locator('.card').filter({ hasText: 'Rent chairs' })
    await card.getByText('4 May').waitFor()
    const panel = page.getByRole('region', { name: /^Task / })
    await panel.getByRole('button', { name: /^Due: / }).click()
    const calendar = page.getByRole('dialog', { name: 'Due date' })
    await calendar.getByLabel('At', { exact: true }).waitFor()
    const overflow = await calendar.evaluate((one) => one.scrollHeight - one.clientHeight)
    expect(overflow).toBeLessThanOrEqual(1)
    const gate = Promise.withResolvers<void>()
    await context.route(/tasks\/\d+$/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await calendar.getByRole('button', { name: 'Clear' }).click()
    await card.getByText('4 May').waitFor({ state: 'hidden' })
    gate.resolve()
    await waitUntil(async () => (await fetchTask(task_id)).due_date === null)
    await context.unroute(/tasks\/\d+$/)
  })

  test('keeps the draft of each of two windows over a reload of both', async () => {
    const { ticket_number } = await app.createTask({ title: 'Write the card' })
    const other = await ada.context.newPage()
    const pages = [ada.page, other] as const
    const fields = pages.map((page) =>
      page.getByRole('textbox', { name: 'Comment', exact: true }).last(),
    )
    for (const page of pages) {
      await page.goto(`${app.url}/t/${ticket_number}`)
      await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    }
    for (const [at, page] of pages.entries()) {
      await page.bringToFront()
      await fields[at]!.click()
      await page.keyboard.type(`From window ${at}`)
    }
    for (const [at, page] of pages.entries()) {
      await page.reload()
      await waitUntil(async () => (await fields[at]!.inputValue()) === `From window ${at}`)
    }
    await other.close()
  })

  test('shows that it was deleted, accepts no comments, and can be restored with its draft', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Hang the lamps' })
    const { page } = ada
    await ada.go(`/t/${ticket_number}`)
    const comment = page.getByRole('textbox', { name: 'Comment', exact: true }).last()
    await comment.click()
    await page.keyboard.type('In the trees')
    await patchTask(task_id, { status: 'Deleted' })
    await page.getByText('This task was deleted').waitFor()
    expect(await page.getByRole('button', { name: /^Comment/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Add a description/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    const isTaskFocused = () =>
      page.evaluate(() => document.activeElement?.classList.contains('task'))
    expect(await isTaskFocused()).toBe(true)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await waitUntil(async () => (await fetchTask(task_id)).status === 'Normal')
    await page.getByText('This task was deleted').waitFor({ state: 'hidden' })
    expect(await comment.textContent()).toBe('In the trees')
    await page.getByRole('button', { name: /^Comment/ }).click()
    await page.locator('[data-comment]').getByText('In the trees').waitFor()
    expect(ada.problems).toEqual([])
  })

  test('removes a refused comment even when the comments cannot be loaded', async () => {
    const { ticket_number } = await app.createTask({ title: 'Fetch the keys' })
    const { page, context } = ada
    await ada.go(`/t/${ticket_number}`)
    await page.getByRole('textbox', { name: 'Comment', exact: true }).last().click()
    await page.keyboard.type('Under the mat')
    const body = JSON.stringify({ success: false, message: 'It is gone' })
    await context.route(/comments/, (route) =>
      route.fulfill({ status: 404, contentType: 'application/json', body }),
    )
    await page.getByRole('button', { name: /^Comment/ }).click()
    await page.getByRole('alert').getByText('It is gone', { exact: true }).waitFor()
    await page.getByText('Sending…').waitFor({ state: 'hidden' })
    await page.locator('[data-comment]').waitFor({ state: 'detached' })
    await context.unroute(/comments/)
    expect(ada.problems).toEqual([])
  })
})
