import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('Escape in a search field', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('gives the focus back to where it came from, and to the screen otherwise', async () => {
    const task = await app.createTask({ title: 'Sort the seeds' })
    await app.http('PATCH', `/api/v1/tasks/${task.task_id}`, { body: { status: 'Archive' } })
    const { page, context, problems, go } = await app.openSession()
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.id)
    const focusedId = () => page.evaluate(() => document.activeElement?.id)
    await go('/archive')
    const title = page.getByRole('button', { name: 'Sort the seeds' })
    await title.focus()
    const field = page.getByLabel('Search archived tasks')
    await field.focus()
    await page.keyboard.type('seeds')
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await expectEventually(focused, 'Sort the seeds')

    await go('/search')
    const search = page.getByRole('combobox', { name: 'Search everything' })
    await search.focus()
    await page.keyboard.press('Escape')
    await expectEventually(focusedId, 'main')
    await page.getByRole('link', { name: 'My Tasks' }).focus()
    await page.keyboard.press('/')
    await expectEventually(() => search.evaluate((one) => one === document.activeElement), true)
    await page.keyboard.press('Escape')
    await expectEventually(focused, 'My Tasks')
    expect(problems).toEqual([])
    await context.close()
  })
})
