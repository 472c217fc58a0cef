import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { connectClient } from '../../binary/agent-client.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { copyConfiguration, mcpServerConfig } from './agent-dialog.ts'
import { waitForToast } from './toasts.ts'

describe.skipIf(isBrowserSkipped)('tokens, keys and calendar feeds in the settings', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    await app.createTask({ title: 'Paint the fence', due_date: '2099-01-05' })
    ada = await app.openSession({ ignoredMessages: /status of 409/ })
    page = ada.page
  })
  afterAll(() => app?.close())

  const row = (name: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  const statusOf = async (path: string, secret: string | null) =>
    (await app.http('GET', path, { secret })).status

  async function createCredential(kind: string, name: string) {
    await page.getByLabel(`Name of the ${kind}`).fill(name)
    await page.getByRole('button', { name: `Create ${kind}` }).click()
    const details = page.getByRole('region', { name: `Your new ${kind}: ${name}` })
    await details.waitFor()
    return details
  }

  /** Asserts that the page, its URL, its storage and its cookies do not contain the secret. */
  async function expectNotStored(secret: string) {
    const contents = await page.evaluate(() =>
      JSON.stringify([
        document.documentElement.outerHTML,
        location.href,
        { ...sessionStorage },
        { ...localStorage },
        document.cookie,
      ]),
    )
    expect(contents).not.toContain(secret)
  }

  async function revoke(name: string, action = 'Revoke') {
    await row(name)
      .getByRole('button', { name: `${action} ${name}` })
      .click()
    const dialog = page.getByRole('dialog', { name: `${action} ${name}?` })
    await dialog.getByRole('button', { name: action, exact: true }).click()
    await row(name).waitFor({ state: 'detached' })
    await waitForToast(page, `${action === 'Delete' ? 'Deleted' : 'Revoked'} ${name}`)
  }

  let token = ''

  test('a token is created under MCP, shown once with its configuration, and connects a client', async () => {
    await ada.go('/settings')
    await page.getByRole('link', { name: 'MCP', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'MCP' }).waitFor()
    const details = await createCredential('token', 'My <editor>')
    await details.and(page.locator(':focus')).waitFor()
    token = (await details.getByRole('region', { name: 'Token' }).textContent())!
    expect(token).toStartWith('ey')
    const server = mcpServerConfig(app.url, token)
    expect(await copyConfiguration(page, 'Claude Code')).toBe(
      `claude mcp add --transport http corkboard ${app.url}/mcp --header "Authorization: Bearer ${token}"`,
    )
    const cursor = JSON.parse(await copyConfiguration(page, 'Cursor'))
    expect(cursor.mcpServers.corkboard).toEqual({ url: server.url, headers: server.headers })
    expect(JSON.parse(await copyConfiguration(page, 'VS Code')).servers.corkboard).toEqual(server)
    expect(await copyConfiguration(page, 'Plain HTTP')).toContain(`Bearer ${token}`)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await row('My <editor>').getByText('never used').waitFor()
    const editor = await connectClient(
      JSON.parse(await copyConfiguration(page, 'VS Code')).servers.corkboard,
    )
    const { you } = await editor.callTool('svc_user_context', 'hello')
    expect(you).toMatchObject({ kind: 'person', name: 'Ada' })
    await editor.close()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await expectNotStored(token)
    await page.reload()
    await row('My <editor>')
      .getByText(/^used /)
      .waitFor()
    await row('My <editor>').getByText('expires in 30 days').waitFor()
    await expectNotStored(token)
  })

  test('closing a new token without copying it asks first', async () => {
    const details = await createCredential('token', 'Forgotten')
    const secret = (await details.getByRole('region', { name: 'Token' }).textContent())!
    await page.getByRole('button', { name: 'Done' }).click()
    await details.getByText('It was not copied').waitFor()
    await page.getByRole('button', { name: 'Close anyway' }).click()
    await details.waitFor({ state: 'detached' })
    await expectNotStored(secret)
  })

  test('an expired token is marked as expired, and a revoked one is refused with 401', async () => {
    expect(await statusOf('/api/v1/projects', token)).toBe(200)
    await revoke('My <editor>')
    expect(await statusOf('/api/v1/projects', token)).toBe(401)
    const expiredToken = { name: 'Old one', expired: true, expires_at: '2026-01-31T12:00:00.000Z' }
    await page.route('**/api/v1/access-tokens?*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      Object.assign(body.data[0], expiredToken)
      await route.fulfill({ response, json: body })
    })
    await page.reload()
    await row('Old one')
      .getByText(/^expired /)
      .waitFor()
    expect(await row('Old one').getByRole('button', { name: 'Remove Old one' }).count()).toBe(1)
    await page.unroute('**/api/v1/access-tokens?*')
    await page.reload()
    await revoke('Forgotten')
  })

  test('a read-only token can read, and is refused with 403 when it writes', async () => {
    await page.getByLabel('Access', { exact: true }).selectOption('Read only')
    const details = await createCredential('token', 'Reader')
    const reader = (await details.getByRole('region', { name: 'Token' }).textContent())!
    await row('Reader').getByText('read-only').waitFor()
    expect(await statusOf('/api/v1/projects', reader)).toBe(200)
    const body = { title: 'By a reader', project_id: app.project_id }
    expect((await app.http('POST', '/api/v1/tasks', { body, secret: reader })).status).toBe(403)
    await ada.go('/my')
    await expectNotStored(reader)
  })

  test('a key has the chosen expiry and scopes, is listed by its prefix, and is revoked', async () => {
    await ada.go('/settings/api-keys')
    await page.getByLabel('Name of the key').fill('Backup script')
    await page.getByLabel('Expiration').selectOption('90 days')
    await page.getByLabel('Access', { exact: true }).selectOption('Selected scopes')
    expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await page.getByLabel('See boards', { exact: true }).check()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const details = await createCredential('key', 'Backup script')
    const key = (await details.getByRole('region', { name: 'Key' }).textContent())!
    expect(key).toStartWith('cork_')
    const keyRow = row('Backup script')
    await keyRow.getByText(`${key.slice(0, 11)}…`).waitFor()
    await keyRow.getByText('expires in 90 days').waitFor()
    expect(await statusOf('/api/v1/projects', key)).toBe(200)
    expect(await statusOf('/api/v1/my-tasks', key)).toBe(403)
    await details.getByRole('button', { name: 'Copy Key' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await page.getByRole('button', { name: 'Done' }).click()
    await details.waitFor({ state: 'detached' })
    await expectNotStored(key)
    await revoke('Backup script')
    expect(await statusOf('/api/v1/projects', key)).toBe(401)
  })

  test('an eleventh key is refused with the reason, and its name stays in the field', async () => {
    // Setting up the server created the first key.
    for (let i = 2; i <= 10; i++)
      await app.http('POST', '/api/v1/api-keys', { body: { name: `Key ${i}` } })
    await page.getByText('You can have 10 keys at a time; you have 10.').waitFor()
    await page.getByLabel('Name of the key').fill('Eleventh')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').getByText('You already have 10 active API keys').waitFor()
    expect(await page.getByLabel('Name of the key').inputValue()).toBe('Eleventh')
    expect(await row('Eleventh').count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke Key 2', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Revoke Key 2')
    expect(await row('Key 2').count()).toBe(1)
  })

  test('a calendar feed shows its URL once, contains the tasks, and responds 404 when deleted', async () => {
    await ada.go('/settings/calendars')
    await page.getByText('No feeds yet.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Home')
    await page.getByLabel('Tasks').selectOption('All')
    await page.getByLabel('Board', { exact: true }).selectOption('Home')
    await page.getByRole('button', { name: 'Create feed' }).click()
    const details = page.getByRole('region', { name: 'Address of Home' })
    const url = (await details.getByRole('region', { name: 'Address' }).textContent())!
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const { pathname } = new URL(url)
    expect((await app.http('GET', pathname, { secret: null })).text).toContain('Paint the fence')
    await details.getByRole('button', { name: 'Copy Address' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await details.waitFor({ state: 'detached' })
    await expectNotStored(pathname)
    await page.reload()
    await row('Home')
      .getByText(/^read /)
      .waitFor()
    await revoke('Home', 'Delete')
    expect(await statusOf(pathname, null)).toBe(404)
    expect(ada.problems).toEqual([])
  })
})
