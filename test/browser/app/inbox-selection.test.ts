import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('selected notifications', () => {
  let app: WebApp
  let ada: BrowserSession
  beforeAll(async () => {
    app = await openWebApp()
    const bot = await app.connectAgent('Scout')
    for (const title of ['Paint the fence', 'Mend the gate']) {
      const { task_id } = await app.createTask({ title })
      await bot.callTool('svc_comments', 'add', {
        ...{ task_id, text: '<p>@Ada look</p>' },
        mentions: [{ user_id: app.user_id, display_name: 'Ada' }],
      })
    }
    ada = await app.openSession()
  })
  afterAll(() => app?.close())

  const fetchInbox = async () => (await app.http('GET', '/api/v1/notifications')).body.data

  test('are snoozed together with s, and undo brings them back', async () => {
    const { page } = ada
    await ada.go('/inbox')
    await page.getByRole('article').nth(1).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('s')
    await page.getByRole('button', { name: /^Tomorrow/ }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await page.getByText(/^Snoozed 2 tasks until Tomorrow/).waitFor()
    await page.getByRole('article').first().waitFor({ state: 'detached' })
    expect(await fetchInbox()).toEqual([])
    await page.keyboard.press('Control+z')
    await page.getByRole('article').nth(1).waitFor()
    await expectEventually(async () => (await fetchInbox()).length, 2)
    expect(ada.problems).toEqual([])
  })
})
