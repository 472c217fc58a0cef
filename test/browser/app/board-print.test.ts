import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { becomes, makeBoard, taskOf } from './boards.ts'

const MANY = Array.from({ length: 60 }, (_, at) => ({
  title: `Task ${at + 1}`,
  section_index: at % 2,
  ...(at < 3 && { due_date: '2027-03-10' }),
}))

describe.skipIf(noBrowser)('printing', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  /** Prints from the menu, and emulates print media to see the printed page. */
  async function printed(page: Page) {
    await page.evaluate(() => {
      Object.assign(globalThis, { asked: 0 })
      window.print = () => void (globalThis as unknown as { asked: number }).asked++
    })
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Print…' }).click()
    await becomes(() => page.evaluate(() => (globalThis as unknown as { asked: number }).asked), 1)
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
    const { project_id } = await makeBoard(desk, 'Paper', { tasks: MANY })
    const { page, complaints, go } = await desk.sit({ theme: 'dark' })
    for (const [query, rows, many] of LAYOUTS) {
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
      await go(`/projects/${project_id}?${query}`)
      await page.getByText('Task 1', { exact: true }).first().waitFor()
      await printed(page)
      expect([query, await page.locator(rows).count()]).toEqual([query, many])
      await page.getByRole('heading', { name: 'Paper' }).waitFor()
      expect(await page.getByRole('button').count()).toBe(0)
      expect(await page.getByRole('navigation').count()).toBe(0)
      const ink = await page.locator('.printed h1').evaluate((one) => getComputedStyle(one).color)
      expect(ink).toBe('rgb(0, 0, 0)')
      const sheet = (await page.pdf({ format: 'A4' })).toString('latin1')
      const pages = Number(/\/Count (\d+)/.exec(sheet)![1])
      expect(pages).toBeGreaterThanOrEqual(many === 60 ? 2 : 1)
    }
    await page.emulateMedia({ media: 'screen' })
    await page.locator('.printed').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('includes the title and the description of a task, without controls', async () => {
    const { tasks } = await makeBoard(desk, 'Letter', {
      tasks: [{ title: 'Write to the harbour', section_index: 0, description: '<p>Dear all</p>' }],
    })
    const { title } = await taskOf(desk, tasks[0]!)
    const { page, complaints, go } = await desk.sit()
    await go(`/t/${tasks[0]}`)
    await page.getByText('Dear all').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('Dear all').isVisible()).toBe(true)
    const shown = () =>
      page.locator('.task .title').evaluate((one) => getComputedStyle(one, '::after').visibility)
    expect([title, await shown()]).toEqual(['Write to the harbour', 'visible'])
    for (const name of ['Comment', 'Edit'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
