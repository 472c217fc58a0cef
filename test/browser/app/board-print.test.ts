import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, fetchTask } from './boards.ts'

const MANY = Array.from({ length: 60 }, (_, at) => ({
  title: `Task ${at + 1}`,
  section_index: at % 2,
  ...(at < 3 && { due_date: '2027-03-10' }),
}))

describe.skipIf(isBrowserSkipped)('printing', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  /** Prints from the menu, and emulates print media, which renders the page as it is printed. */
  async function print(page: Page) {
    await page.evaluate(() => {
      Object.assign(globalThis, { printCalls: 0 })
      window.print = () => void (globalThis as unknown as { printCalls: number }).printCalls++
    })
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Print…' }).click()
    await expectEventually(
      () => page.evaluate(() => (globalThis as unknown as { printCalls: number }).printCalls),
      1,
    )
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.locator('.printed').waitFor()
  }

  const LAYOUTS = [
    ['', '.printed-columns article', 60],
    ['layout=list', '.printed-lines article', 60],
    ['lanes=assignee', '.printed-lane article', 60],
    ['layout=calendar&day=2027-03-01', '.printed-month p', 3],
    ['layout=timeline', '.printed-bar', 3],
  ] as const

  test('includes all cards of every board layout, in black and without controls', async () => {
    const { project_id } = await createBoard(app, 'Paper', { tasks: MANY })
    const { page, problems, go } = await app.openSession({ theme: 'dark' })
    for (const [query, selector, expectedCount] of LAYOUTS) {
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
      await go(`/projects/${project_id}?${query}`)
      await page.getByText('Task 1', { exact: true }).first().waitFor()
      await print(page)
      expect([query, await page.locator(selector).count()]).toEqual([query, expectedCount])
      await page.getByRole('heading', { name: 'Paper' }).waitFor()
      expect(await page.getByRole('button').count()).toBe(0)
      expect(await page.getByRole('navigation').count()).toBe(0)
      const color = await page.locator('.printed h1').evaluate((one) => getComputedStyle(one).color)
      expect(color).toBe('rgb(0, 0, 0)')
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
      const pages = Number(/\/Count (\d+)/.exec(pdf)![1])
      expect(pages).toBeGreaterThanOrEqual(expectedCount === 60 ? 2 : 1)
    }
    await page.emulateMedia({ media: 'screen' })
    await page.locator('.printed').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('includes the title and the description of a task, without controls', async () => {
    const { tasks } = await createBoard(app, 'Letter', {
      tasks: [{ title: 'Write to the harbour', section_index: 0, description: '<p>Dear all</p>' }],
    })
    const { title } = await fetchTask(app, tasks[0]!)
    const { page, problems, go } = await app.openSession()
    await go(`/t/${tasks[0]}`)
    await page.getByText('Dear all').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('Dear all').isVisible()).toBe(true)
    const titleVisibility = () =>
      page.locator('.task .title').evaluate((one) => getComputedStyle(one, '::after').visibility)
    expect([title, await titleVisibility()]).toEqual(['Write to the harbour', 'visible'])
    for (const name of ['Comment', 'Edit'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
