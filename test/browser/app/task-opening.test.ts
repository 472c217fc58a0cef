import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'

/** The cumulative layout shift since the page was opened. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((tell) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const one of list.getEntries()) sum += (one as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // Buffered entries are delivered by the next frame.
        requestAnimationFrame(() => setTimeout(() => tell(sum), 50))
      }),
  )

describe.skipIf(noBrowser)('a task that is opened', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const board = () => `/projects/${desk.project_id}`
  const priorityOf = async (id: number) =>
    (await desk.http('GET', `/api/v1/tasks/${id}`)).body.data.priority

  test('loads without layout shift, and fetches the editor only when somebody writes', async () => {
    const { task_id, ticket_number } = await desk.create({
      ...{ title: 'Ask the neighbours', description: 'All *four* of them' },
      ...{ content_type: 'markdown' },
    })
    await desk.http('POST', `/api/v1/tasks/${task_id}/decision-requests`, {
      body: { question: 'By letter?', options: ['Yes', 'No'] },
    })
    const { page, complaints, go } = await desk.sit()
    const fetched = () =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').filter(({ name }) => /\/codemirror-/.test(name)),
      )
    await go(`/t/${ticket_number}`)
    await page.getByText('All four of them').waitFor()
    await page.getByRole('button', { name: 'Yes' }).waitFor()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    await page.getByText(/^Created by/).waitFor()
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    expect(await shiftOf(page)).toBeLessThan(0.01)
    expect(await fetched()).toEqual([])
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await page.keyboard.type('By letter')
    await page.locator('.composer .code:not([hidden])').waitFor()
    await page.keyboard.type(', please')
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    expect(await field.textContent()).toBe('By letter, please')
    expect(await fetched()).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('applies a key pressed while it loads to itself, not to the board behind it', async () => {
    const first = await desk.create({ title: 'Sort the glasses' })
    const second = await desk.create({ title: 'Wash the glasses' })
    const { page, complaints, go } = await desk.sit()
    const gate = Promise.withResolvers<void>()
    await page.route(`**/api/v1/tasks/${second.task_id}?*`, async (route) => {
      await gate.promise
      await route.continue()
    })
    await go(board())
    await page.getByText('Wash the glasses').click()
    const peek = (key: string) => page.getByRole('region', { name: `Task ${key}` })
    await peek(second.ticket_number).waitFor()
    await page.keyboard.press('p')
    await page.keyboard.press('k')
    await peek(first.ticket_number).getByRole('heading', { name: 'Sort the glasses' }).waitFor()
    await page.keyboard.press('j')
    await peek(second.ticket_number).waitFor()
    await page.keyboard.press('p')
    expect(await page.getByRole('listbox').count()).toBe(0)
    gate.resolve()
    await peek(second.ticket_number).getByRole('heading', { name: 'Wash the glasses' }).waitFor()
    await page.getByRole('combobox', { name: 'Priority', exact: true }).fill('High')
    await page.getByRole('option', { name: 'High' }).waitFor()
    await page.keyboard.press('Enter')
    await soon(async () => ((await priorityOf(second.task_id)) === 2 ? true : undefined))
    expect(await priorityOf(first.task_id)).toBe(0)
    expect(complaints).toEqual([])
  })
})
