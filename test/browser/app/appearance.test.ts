import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('what Ada can make her own', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const rootAttributes = (page: Page) =>
    page.evaluate(() => ({ ...document.documentElement.dataset }))
  const styleOf = (page: Page, selector: string, name: string) =>
    page.evaluate(
      ([selector, name]) => getComputedStyle(document.querySelector(selector!)!)[name as never],
      [selector, name],
    )

  test('density, text size, motion and contrast apply at once and after a reload', async () => {
    const { page, problems, go, context } = await app.openSession()
    await go('/settings/appearance')
    await page.getByRole('radio', { name: 'Compact' }).waitFor()
    const normalSize = await styleOf(page, 'h1', 'fontSize')
    for (const name of ['Compact', 'Large', 'Reduced', 'High', 'Dark'])
      await page.getByRole('radio', { name, exact: true }).check()
    const chosen = {
      ...{ theme: 'dark', density: 'compact', text: 'large', motion: 'reduced', contrast: 'high' },
    }
    expect(await rootAttributes(page)).toEqual(chosen)
    await page.reload()
    await page.getByRole('radio', { name: 'Compact' }).waitFor()
    expect(await rootAttributes(page)).toEqual(chosen)
    expect(await styleOf(page, 'h1', 'fontSize')).not.toBe(normalSize)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('radio', { name: 'Comfortable' }).check()
    await page.getByRole('radio', { name: 'Light', exact: true }).check()
    expect(await rootAttributes(page)).toEqual({
      ...{ theme: 'light', text: 'large', motion: 'reduced', contrast: 'high' },
    })
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  test('a changed shortcut works instead of the default, conflicts are refused', async () => {
    const { page, problems, go, context } = await app.openSession()
    await go('/inbox')
    await page.keyboard.press('Shift+?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByRole('button', { name: /“Go to Agents”/ }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await dialog.getByText('Used for “Go to My Tasks”. Press others').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await dialog.getByRole('button', { name: /“Go to Agents”.*G then Q/ }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await page.waitForURL('**/agents')
    await page.goto(`${app.url}/inbox`)
    await page.locator('main').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await page.waitForURL('**/agents')
    await page.keyboard.press('Shift+?')
    await dialog.getByRole('button', { name: 'Reset all' }).click()
    await dialog.getByRole('button', { name: /“Go to Agents”.*G then A/ }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('the undo history undoes an earlier change and leaves the later one', async () => {
    const { ticket_number } = await app.createTask({ title: 'Plan' })
    const { page, problems, go, context } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Plan B')
    await page.keyboard.press('Enter')
    await page.locator('.task').focus()
    await page.keyboard.press('p')
    await page.getByRole('option', { name: 'High' }).click()
    await page.locator('.popup').waitFor({ state: 'detached' })
    await page.locator('.task').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('z')
    const history = page.getByRole('dialog', { name: 'Undo history' })
    await expectEventually(() => history.getByRole('listitem').count(), 2)
    expect(await accessibilityIssues(page)).toEqual([])
    await history.getByRole('button', { name: /itle/ }).click()
    await expectEventually(() => history.getByRole('listitem').count(), 1)
    await page.keyboard.press('Escape')
    await expectEventually(() => title.inputValue(), 'Plan')
    const fetchFields = async () => {
      const { title, priority } = (await app.http('GET', `/api/v1/tasks/${ticket_number}`)).body
        .data
      return { title, priority }
    }
    await expectEventually(fetchFields, { title: 'Plan', priority: 2 })
    expect(problems).toEqual([])
    await context.close()
  })
})
