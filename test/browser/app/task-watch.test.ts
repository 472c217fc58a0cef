import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardOf } from './boards.ts'

describe.skipIf(isBrowserSkipped)('watching a task', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const isWatching = async (id: number): Promise<boolean> =>
    (await app.http('GET', `/api/v1/tasks/${id}/watchers`)).body.data.watching

  test('the creator stops watching by the button, starts by key, and can undo', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Water the fern' })
    const { page, context, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const button = page.getByRole('button', { name: 'Watching' })
    await button.waitFor()
    await page.getByRole('list', { name: 'Watchers' }).getByText('Ada').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await button.click()
    await page.getByText(`You no longer watch ${ticket_number}`).waitFor()
    await page.getByRole('button', { name: 'Watch', exact: true }).waitFor()
    await expectEventually(() => isWatching(task_id), false)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('w')
    await page.getByText(`You watch ${ticket_number}`).waitFor()
    await expectEventually(() => isWatching(task_id), true)
    await page.getByRole('button', { name: /^Undo/ }).first().click()
    await expectEventually(() => isWatching(task_id), false)
    expect(problems).toEqual([])
    await context.close()
  })

  test('the menu of a card starts and stops it', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Feed the cat' })
    const { page, context, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}`)
    await cardOf(page, 'Feed the cat').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Watch or stop watching' }).click()
    await page.getByText(`You no longer watch ${ticket_number}`).waitFor()
    await expectEventually(() => isWatching(task_id), false)
    expect(problems).toEqual([])
    await context.close()
  })

  test('a refused change is shown as it was before', async () => {
    const { ticket_number } = await app.createTask({ title: 'Mow the lawn' })
    const { page, context, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const button = page.getByRole('button', { name: 'Watching' })
    await button.waitFor()
    await page.route('**/watch', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: JSON.stringify({
          success: false,
          error: { code: 'conflict', message: 'No', details: {} },
        }),
      }),
    )
    await button.click()
    await page.locator('.toast').first().waitFor()
    await button.waitFor()
    await context.close()
  })
})
