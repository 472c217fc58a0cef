import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { postbox, soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'

describe.skipIf(noBrowser)('the webhook of an agent', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  let part: Locator
  let agent_id = ''
  let secret = ''
  const box = postbox()
  beforeAll(async () => {
    desk = await openDesk({ CORK_ALLOW_HOSTS: '127.0.0.1', CORK_WEBHOOK_CYCLE: '0.2' })
    agent_id = (await desk.agent({ name: 'Scout' })).agent_id
    ada = await desk.sit({ may: /400|409/ })
    page = ada.page
    part = page.getByRole('region', { name: 'Webhook' })
    await ada.go(`/agents/${agent_id}`)
  }, 60_000)
  afterAll(async () => {
    box.close()
    await desk?.leave()
  })

  const hook = () => desk.http('GET', `/api/v1/agents/${agent_id}/webhook`)
  const line = (words: string | RegExp) => part.getByRole('row').filter({ hasText: words }).first()

  test('a private address is refused with a reason and stays in its field', async () => {
    await part.getByText(/^No webhook: Scout polls for its messages/).waitFor()
    await part.getByRole('button', { name: 'Set up…' }).click()
    await page.getByLabel('Address').fill('https://10.0.0.1/hook')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('alert')
      .getByText(/10\.0\.0\.1|private|not/)
      .waitFor()
    expect(await page.getByLabel('Address').inputValue()).toBe('https://10.0.0.1/hook')
    expect((await hook()).status).toBe(404)
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('a new webhook shows its secret once, and warns when it is closed without copying', async () => {
    await page.getByLabel('Address').fill(box.url)
    await page.getByRole('checkbox', { name: /^a task is created/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signing secret' })
    await dialog.getByText(/^whsec_/).waitFor()
    // The dialog handles keys only once it has the focus.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null)
    await page.keyboard.press('Escape')
    await dialog
      .getByRole('alert')
      .getByText(/will not be shown again/)
      .waitFor()
    await dialog.getByRole('button', { name: 'Copy Signing secret' }).click()
    await dialog.getByRole('status').getByText('Copied').waitFor()
    secret = await page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByRole('button', { name: 'Done' }).click()
    await part.getByText(box.url).waitFor()
    expect((await hook()).body.data).toMatchObject({ active: true, url: box.url })
    expect((await hook()).body.data.events).toContain('task.created')
    expect(await page.getByText(secret).count()).toBe(0)
  })

  test('a test delivery is signed with the secret, and its response is shown', async () => {
    await part.getByRole('button', { name: 'Send test' }).click()
    await page
      .getByLabel('What happened')
      .getByText(/^Response 200 after \d+ ms/)
      .waitFor()
    await line('webhook.test')
      .getByText(/^200 in/)
      .waitFor()
    const { headers, text } = box.letters.at(-1)!
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const mark = createHmac('sha256', key).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${mark}`)
    expect(await faults(page)).toEqual([])
  })

  test('a failed delivery is logged, its message stays pending, and it can be sent again by hand', async () => {
    box.box.status = 500
    const { ticket_number } = await desk.create({ title: 'Ring the bell' })
    await line('task.created').getByText('It responded 500').waitFor()
    await part.getByText(/1 pending message · \d+ failed in a row/).waitFor()
    box.box.status = 204
    await line('task.created').getByRole('button', { name: 'Send task.created again' }).click()
    await page.getByLabel('What happened').getByText('Sent again: status 204').waitFor()
    await line(/204 in/).waitFor()
    expect(box.letters.at(-1)!.text).toContain(ticket_number)
    await part.getByText(/no pending messages/).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('a new secret is shown, and the page says until when the old one is valid', async () => {
    await part.getByRole('button', { name: 'New secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signing secret' })
    expect(await dialog.getByText(/^whsec_/).textContent()).not.toBe(secret)
    await dialog.getByRole('button', { name: 'Copy Signing secret' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await part.getByText(/the old secret is valid until/).waitFor()
  })

  test('an inactive webhook cannot be tested, and a deleted one leaves the agent to polling', async () => {
    await part.getByRole('button', { name: 'Edit…' }).click()
    await page.getByRole('checkbox', { name: /^Active/ }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await part.getByText('Switched off').waitFor()
    expect(await part.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true)
    await part.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await part.getByText(/^No webhook: Scout/).waitFor()
    await soon(async () => ((await hook()).status === 404 ? true : undefined))
    expect(ada.complaints).toEqual([])
  })
})
