import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { webhookServer } from '../../support/webhook-server.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard } from './boards.ts'
import { waitForToast } from './toasts.ts'

describe.skipIf(isBrowserSkipped)('the webhooks of a board', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let project_id: number
  let endpoint: ReturnType<typeof webhookServer>
  beforeAll(async () => {
    app = await openWebApp({ CORK_ALLOW_HOSTS: '127.0.0.1' })
    ada = await app.openSession()
    page = ada.page
    endpoint = webhookServer()
    ;({ project_id } = await createBoard(app, 'Garden', { labels: [{ name: 'plants' }] }))
  })
  afterAll(() => app?.close())

  test('a webhook is created, shows its secret once, and receives events', async () => {
    await ada.go(`/settings/board/${project_id}?of=webhooks`)
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill(endpoint.url)
    await page.getByRole('checkbox', { name: 'task.moved' }).check()
    await page.getByRole('combobox', { name: 'Labels: All labels' }).click()
    await page.getByRole('option', { name: 'plants' }).click()
    await page.keyboard.press('Escape')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('whsec_').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close anyway' }).click()
    for (const labels of [[], ['plants']])
      await app.http('POST', '/api/v1/tasks', { body: { project_id, title: 'Sow', labels } })
    await expectEventually(async () => endpoint.types(), ['task.created'])
  })

  test('its deliveries are listed and sent again, by keyboard', async () => {
    await ada.go(`/settings/board/${project_id}?of=webhooks`)
    await page.getByRole('button', { name: /^Deliveries to/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send task.created again' }).focus()
    await page.keyboard.press('Enter')
    await waitForToast(page, 'Sent again')
    expect(endpoint.ids()[0]).toBe(endpoint.ids()[1]!)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: /^More about/ }).click()
    await page.getByRole('menuitem', { name: 'Send a test' }).click()
    await waitForToast(page, 'The test was delivered')
    expect(endpoint.types().at(-1)).toBe('webhook.test')
  })

  test('its secret is rotated from the menu, and both secrets sign what is sent', async () => {
    await ada.go(`/settings/board/${project_id}?of=webhooks`)
    await page.getByRole('button', { name: /^More about/ }).click()
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    const dialog = page.getByRole('region', { name: 'Secret for 127.0.0.1' })
    const secret = await dialog.getByText(/^whsec_/).textContent()
    expect(secret).toMatch(/^whsec_\S{40,}$/)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.getByText('It was not copied').waitFor()
    await dialog.getByRole('button', { name: 'Close anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByText('whsec_').count()).toBe(0)
    const before = endpoint.requests.length
    await app.http('POST', '/api/v1/tasks', {
      body: { project_id, title: 'Weed', labels: ['plants'] },
    })
    await expectEventually(async () => endpoint.requests.length, before + 1)
    const { headers, text } = endpoint.requests.at(-1)!
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const key = Buffer.from(secret!.slice('whsec_'.length), 'base64')
    const signature = new Bun.CryptoHasher('sha256', key).update(signed).digest('base64')
    const signatures = headers['webhook-signature']!.split(' ')
    expect(signatures).toHaveLength(2)
    expect(signatures).toContain(`v1,${signature}`)
  })

  test('it is disabled and deleted', async () => {
    await ada.go(`/settings/board/${project_id}?of=webhooks`)
    const url = `/api/v1/webhooks?project_id=${project_id}`
    const fetchAll = async () => (await app.http('GET', url)).body.data as { active: boolean }[]
    await page.getByRole('switch').click()
    await expectEventually(async () => (await fetchAll())[0]!.active, false)
    await page.getByRole('button', { name: /^More about/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await expectEventually(async () => (await fetchAll()).length, 0)
    await page.getByText('No webhooks yet').waitFor()
  })

  test('a webhook of the team receives events of every board, and its deliveries are listed', async () => {
    await ada.go('/settings/team')
    await page.getByRole('button', { name: 'New webhook' }).click()
    const create = page.getByRole('button', { name: 'Create webhook' })
    const form = page.locator('form').filter({ has: create })
    await form.getByRole('textbox', { name: 'Address' }).fill(endpoint.url)
    await create.click()
    await page.getByText('whsec_').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close anyway' }).click()
    const before = endpoint.types().length
    await app.http('POST', '/api/v1/tasks', { body: { project_id, title: 'Rake' } })
    await expectEventually(async () => endpoint.types().slice(before), ['task.created'])
    await page.getByRole('button', { name: /^Deliveries to/ }).click()
    await page.getByRole('button', { name: 'Send task.created again' }).waitFor()
  })

  test('nothing went wrong in the browser', () => {
    expect(ada.problems).toEqual([])
  })
})
