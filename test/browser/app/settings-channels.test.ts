import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

function startService() {
  const bodies: string[] = []
  const service = { status: 200 }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      bodies.push(await request.text())
      return new Response('{}', { status: service.status })
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return { service, bodies, url, stop: () => server.stop(true) }
}

describe.skipIf(isBrowserSkipped)('the settings of channels', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let remote: ReturnType<typeof startService>
  beforeAll(async () => {
    remote = startService()
    app = await openWebApp({ CORK_ALLOW_HOSTS: '127.0.0.1' })
    ada = await app.openSession({ ignoredMessages: /status of 4\d\d/ })
    page = ada.page
    await ada.go('/settings/notifications')
  })
  afterAll(async () => {
    await app?.close()
    remote?.stop()
  })

  const fetchChannels = async (query = '') =>
    (await app.http('GET', `/api/v1/channels${query}`)).body.data
  const section = (name = 'Channels') => page.getByRole('region', { name, exact: true })

  test('a channel is added by keyboard, and its errors are shown at the field', async () => {
    await section().getByRole('button', { name: 'Add channel' }).press('Enter')
    await section().getByLabel('Server').fill('http://10.0.0.1')
    await section().getByLabel('Topic').fill('lantern-k7Qx2')
    await page.keyboard.press('Enter')
    await section().getByRole('alert').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await section().getByLabel('Server').fill(remote.url)
    await page.keyboard.press('Enter')
    await section().getByRole('listitem').getByText('ntfy', { exact: true }).first().waitFor()
    expect(await fetchChannels()).toMatchObject([{ kind: 'ntfy', title: 'ntfy', active: true }])
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  const choose = async (item: string) => {
    await section().getByRole('button', { name: 'More about' }).first().click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('a channel is renamed, tested, switched off and on', async () => {
    await choose('Rename')
    await section().getByRole('textbox', { name: 'Name' }).fill('My phone')
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await fetchChannels())[0].title, 'My phone')
    await choose('Send test message')
    await waitForToast(page, 'Test message sent')
    expect(remote.bodies.at(-1)).toContain('lantern-k7Qx2')
    const toggle = section().getByRole('switch', { name: 'My phone' })
    await toggle.click()
    await expectEventually(async () => (await fetchChannels())[0].active, false)
    await toggle.press('Space')
    await expectEventually(async () => (await fetchChannels())[0].active, true)
  })

  test('the table decides which event goes to which channel, and when', async () => {
    const box = section().getByRole('checkbox', { name: 'Finished runs: My phone' })
    expect(await box.isChecked()).toBe(false)
    await box.click()
    await expectEventually(async () => (await fetchChannels())[0].events.includes('runs'), true)
    await section().getByRole('checkbox', { name: 'Mentions and replies: My phone' }).press('Space')
    await expectEventually(
      async () => (await fetchChannels())[0].events.includes('mentions'),
      false,
    )
    await section().getByRole('combobox', { name: 'When: My phone' }).selectOption('7')
    await expectEventually(async () => (await fetchChannels())[0].mode, 'daily')
    expect((await fetchChannels())[0].hour).toBe(7)
  })

  test('quiet hours and the level of a board are saved, and refused changes are undone', async () => {
    const settings = async () =>
      (await app.http('GET', '/api/v1/user/notification-settings')).body.data
    await section('Quiet hours').getByRole('switch').first().click()
    await expectEventually(async () => (await settings()).quiet_from, '22:00')
    await section('Quiet hours').getByLabel('Until').fill('06:30')
    await expectEventually(async () => (await settings()).quiet_to, '06:30')
    await section('Boards').getByLabel('Home').selectOption('none')
    await expectEventually(
      async () => (await settings()).boards,
      [{ project_id: app.project_id, level: 'none' }],
    )
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('a channel is deleted after a confirmation', async () => {
    await choose('Delete')
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
    await waitForToast(page, 'Deleted My phone')
    expect(await fetchChannels()).toEqual([])
  })

  test('a board has shared channels of its own', async () => {
    await ada.go(`/settings/board/${app.project_id}?of=channels`)
    await section().getByRole('button', { name: 'Add channel' }).click()
    await section().getByLabel('Kind').selectOption({ label: 'Slack' })
    expect(await section().getByLabel('Signing secret').count()).toBe(0)
    await section().getByLabel('Webhook URL').fill(`${remote.url}/services/T1`)
    await page.keyboard.press('Enter')
    await section().getByRole('checkbox', { name: 'Moved tasks: Slack' }).click()
    const query = `?project_id=${app.project_id}`
    await expectEventually(
      async () => (await fetchChannels(query))[0]?.events.includes('task_moved'),
      true,
    )
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(ada.problems).toEqual([])
  })
})
