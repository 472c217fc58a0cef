import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'

describe.skipIf(noBrowser)('a task that several people or windows edit', () => {
  let desk: Desk
  let ada: Person
  beforeAll(async () => {
    desk = await openDesk()
    ada = await desk.sit({ may: /status of 404/ })
  }, 60_000)
  afterAll(() => desk?.leave())

  const read = async (id: number) => (await desk.http('GET', `/api/v1/tasks/${id}`)).body.data
  const put = (id: number, body: object) => desk.http('PATCH', `/api/v1/tasks/${id}`, { body })
  const isCalled = (id: number, title: string) =>
    soon(async () => ((await read(id)).title === title ? true : undefined))

  test('says which concurrent title was replaced, and undo restores that title', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Bake' })
    const { page } = ada
    await ada.go(`/t/${ticket_number}`)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Bake a cake')
    await put(task_id, { title: 'Bake bread' })
    await page.getByRole('heading', { name: 'Bake bread', level: 1 }).waitFor()
    expect(await title.inputValue()).toBe('Bake a cake')
    // Enter that ends an IME composition does not save the title.
    await title.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    const focus = () => page.evaluate(() => document.activeElement?.className)
    expect(await focus()).toBe('')
    await title.press('Enter')
    await isCalled(task_id, 'Bake a cake')
    await page.getByText('Your text replaced “Bake bread”').waitFor()
    expect(await focus()).toBe('task')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await isCalled(task_id, 'Bake bread')
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Bake bread')
  })

  test('clears a due date on its card at once, from a calendar that fits its popup', async () => {
    const { task_id, ticket_number } = await desk.create({
      ...{ title: 'Rent chairs', due_date: '2030-05-04' },
    })
    const { page, context } = ada
    await ada.go(`/projects/${desk.project_id}?task=${ticket_number}`)
    const card = page.locator('.card').filter({ hasText: 'Rent chairs' })
    await card.getByText('4 May').waitFor()
    await page.getByRole('button', { name: /^Due: / }).click()
    const calendar = page.getByRole('dialog', { name: 'Due date' })
    await calendar.getByLabel('At', { exact: true }).waitFor()
    const hidden = await calendar.evaluate((one) => one.scrollHeight - one.clientHeight)
    expect(hidden).toBeLessThanOrEqual(1)
    const gate = Promise.withResolvers<void>()
    await context.route(/tasks\/\d+$/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await calendar.getByRole('button', { name: 'Clear' }).click()
    await card.getByText('4 May').waitFor({ state: 'hidden' })
    gate.resolve()
    await soon(async () => ((await read(task_id)).due_date === null ? true : undefined))
    await context.unroute(/tasks\/\d+$/)
  })

  test('keeps the draft of each of two windows over a reload of both', async () => {
    const { ticket_number } = await desk.create({ title: 'Write the card' })
    const other = await ada.context.newPage()
    const pages = [ada.page, other] as const
    const fields = pages.map((page) =>
      page.getByRole('textbox', { name: 'Comment', exact: true }).last(),
    )
    for (const page of pages) {
      await page.goto(`${desk.url}/t/${ticket_number}`)
      await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    }
    for (const [at, page] of pages.entries()) {
      await page.bringToFront()
      await fields[at]!.click()
      await page.keyboard.type(`From window ${at}`)
    }
    for (const [at, page] of pages.entries()) {
      await page.reload()
      await soon(async () =>
        (await fields[at]!.inputValue()) === `From window ${at}` ? true : undefined,
      )
    }
    await other.close()
  })

  test('shows that it was deleted, accepts no comments, and can be restored with its draft', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Hang the lamps' })
    const { page } = ada
    await ada.go(`/t/${ticket_number}`)
    const comment = page.getByRole('textbox', { name: 'Comment', exact: true }).last()
    await comment.click()
    await page.keyboard.type('In the trees')
    await put(task_id, { status: 'Deleted' })
    await page.getByText('This task was deleted').waitFor()
    expect(await page.getByRole('button', { name: /^Comment/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Add a description/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    const focus = () => page.evaluate(() => document.activeElement?.className)
    expect(await focus()).toBe('task')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await soon(async () => ((await read(task_id)).status === 'Normal' ? true : undefined))
    await page.getByText('This task was deleted').waitFor({ state: 'hidden' })
    expect(await comment.textContent()).toBe('In the trees')
    await page.getByRole('button', { name: /^Comment/ }).click()
    await page.locator('[data-comment]').getByText('In the trees').waitFor()
    expect(ada.complaints).toEqual([])
  })

  test('removes a refused comment even when the comments cannot be loaded', async () => {
    const { ticket_number } = await desk.create({ title: 'Fetch the keys' })
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
    expect(ada.complaints).toEqual([])
  })
})
