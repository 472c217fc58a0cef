import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { startWebhookEndpoint } from '../../binary/agent-client.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('the webhook of an agent', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let section: Locator
  let agent_id = ''
  let secret = ''
  const receiver = startWebhookEndpoint()
  beforeAll(async () => {
    app = await openWebApp({ CORK_ALLOW_HOSTS: '127.0.0.1', CORK_WEBHOOK_CYCLE: '0.2' })
    agent_id = (await app.createAgent({ name: 'Scout' })).agent_id
    ada = await app.openSession({ ignoredMessages: /400|404|409/ })
    page = ada.page
    section = page.getByRole('region', { name: 'Webhook' })
    await ada.go(`/agents/${agent_id}`)
  })
  afterAll(async () => {
    receiver.close()
    await app?.close()
  })

  const fetchWebhook = () => app.http('GET', `/api/v1/agents/${agent_id}/webhook`)
  const deliveryRow = (expectedText: string | RegExp) =>
    section.getByRole('row').filter({ hasText: expectedText }).first()

  test('a private address is refused with a reason and stays in its field', async () => {
    await section.getByText(/^No webhook: Scout polls for its messages/).waitFor()
    await section.getByRole('button', { name: 'Set up…' }).click()
    await page.getByLabel('Address').fill('https://10.0.0.1/hook')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('alert')
      .getByText(/10\.0\.0\.1|private|not/)
      .waitFor()
    expect(await page.getByLabel('Address').inputValue()).toBe('https://10.0.0.1/hook')
    expect((await fetchWebhook()).status).toBe(404)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('a new webhook shows its secret once, and warns when it is closed without copying', async () => {
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('checkbox', { name: /^a task is created/ }).check()
    const held = Promise.withResolvers<void>()
    await page.route('**/webhook', async (route) => {
      if (route.request().method() === 'GET') await held.promise
      await route.continue()
    })
    const loading = page.waitForRequest((one) =>
      /GET .*webhook$/.test(`${one.method()} ${one.url()}`),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signing secret' })
    await dialog.getByText(/^whsec_/).waitFor()
    await loading
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    const warning = dialog.getByRole('alert').getByText(/will not be shown again/)
    await warning.waitFor()
    const loaded = page.waitForResponse('**/webhook')
    held.resolve()
    await (await loaded).finished()
    await page.unroute('**/webhook')
    expect(await warning.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: 'Copy Signing secret' }).click()
    await dialog.getByRole('status').getByText('Copied').waitFor()
    secret = await page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByRole('button', { name: 'Done' }).click()
    await section.getByText(receiver.url).waitFor()
    expect((await fetchWebhook()).body.data).toMatchObject({ active: true, url: receiver.url })
    expect((await fetchWebhook()).body.data.events).toContain('task.created')
    expect(await page.getByText(secret).count()).toBe(0)
  })

  test('a test delivery is signed with the secret, and its response is shown', async () => {
    await section.getByRole('button', { name: 'Send test' }).click()
    await page
      .getByLabel('What happened')
      .getByText(/^Response 200 after \d+ ms/)
      .waitFor()
    await deliveryRow('webhook.test')
      .getByText(/^200 in/)
      .waitFor()
    const { headers, text } = receiver.requests.at(-1)!
    const signedContent = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(signedContent).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(await accessibilityIssues(page)).toEqual([])
  })

  test('a failed delivery is logged, its message stays pending, and it can be sent again by hand', async () => {
    receiver.response.status = 500
    const { ticket_number } = await app.createTask({ title: 'Ring the bell' })
    await deliveryRow('task.created').getByText('It responded 500').waitFor()
    await section.getByText(/1 pending message · \d+ failed in a row/).waitFor()
    receiver.response.status = 204
    await deliveryRow('task.created')
      .getByRole('button', { name: 'Send task.created again' })
      .click()
    await page.getByLabel('What happened').getByText('Sent again: status 204').waitFor()
    await deliveryRow(/204 in/).waitFor()
    expect(receiver.requests.at(-1)!.text).toContain(ticket_number)
    await section.getByText(/no pending messages/).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('a new secret is shown, and the page says until when the old one is valid', async () => {
    await section.getByRole('button', { name: 'New secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signing secret' })
    expect(await dialog.getByText(/^whsec_/).textContent()).not.toBe(secret)
    await dialog.getByRole('button', { name: 'Copy Signing secret' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await section.getByText(/the old secret is valid until/).waitFor()
  })

  test('an inactive webhook cannot be tested, and a deleted one leaves the agent to polling', async () => {
    await section.getByRole('button', { name: 'Edit…' }).click()
    await page.getByRole('checkbox', { name: /^Active/ }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Switched off').waitFor()
    expect(await section.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true)
    await section.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await section.getByText(/^No webhook: Scout/).waitFor()
    await waitUntil(async () => (await fetchWebhook()).status === 404)
    expect(ada.problems).toEqual([])
  })
})
