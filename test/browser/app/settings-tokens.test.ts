import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { player } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { copied, serverIn } from './connecting.ts'

const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).waitFor()

describe.skipIf(noBrowser)('tokens, keys and calendar feeds in the settings', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  beforeAll(async () => {
    desk = await openDesk()
    await desk.create({ title: 'Paint the fence', due_date: '2027-01-05' })
    ada = await desk.sit({ may: /status of 409/ })
    page = ada.page
  }, 60_000)
  afterAll(() => desk?.leave())

  const line = (name: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  const bare = async (path: string, secret: string | null) =>
    (await desk.http('GET', path, { secret })).status

  async function make(what: string, name: string) {
    await page.getByLabel(`Name of the ${what}`).fill(name)
    await page.getByRole('button', { name: `Create ${what}` }).click()
    const shown = page.getByRole('region', { name: `Your new ${what}: ${name}` })
    await shown.waitFor()
    return shown
  }

  /** Asserts that the page, its URL, its storage and its cookies do not contain the secret. */
  async function forgotten(secret: string) {
    const kept = await page.evaluate(() =>
      JSON.stringify([
        document.documentElement.outerHTML,
        location.href,
        { ...sessionStorage },
        { ...localStorage },
        document.cookie,
      ]),
    )
    expect(kept).not.toContain(secret)
  }

  async function revoke(name: string, deed = 'Revoke') {
    await line(name)
      .getByRole('button', { name: `${deed} ${name}` })
      .click()
    const dialog = page.getByRole('dialog', { name: `${deed} ${name}?` })
    await dialog.getByRole('button', { name: deed, exact: true }).click()
    await line(name).waitFor({ state: 'detached' })
    await told(page, `${deed === 'Delete' ? 'Deleted' : 'Revoked'} ${name}`)
  }

  let token = ''

  test('a token is created under MCP, shown once with its configuration, and connects a client', async () => {
    await ada.go('/settings')
    await page.getByRole('link', { name: 'MCP', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'MCP' }).waitFor()
    const shown = await make('token', 'My <editor>')
    expect(await shown.evaluate((one) => one === document.activeElement)).toBe(true)
    token = (await shown.getByRole('region', { name: 'Token' }).textContent())!
    expect(token).toStartWith('ey')
    const server = serverIn(desk.url, token)
    expect(await copied(page, 'Claude Code')).toBe(
      `claude mcp add --transport http corkboard ${desk.url}/mcp --header "Authorization: Bearer ${token}"`,
    )
    const cursor = JSON.parse(await copied(page, 'Cursor'))
    expect(cursor.mcpServers.corkboard).toEqual({ url: server.url, headers: server.headers })
    expect(JSON.parse(await copied(page, 'VS Code')).servers.corkboard).toEqual(server)
    expect(await copied(page, 'Plain HTTP')).toContain(`Bearer ${token}`)
    expect(await faultsInBothThemes(page)).toEqual([])
    await line('My <editor>').getByText('never used').waitFor()
    const editor = await player(JSON.parse(await copied(page, 'VS Code')).servers.corkboard)
    const { you } = await editor.tool('svc_user_context', 'hello')
    expect(you).toMatchObject({ kind: 'person', name: 'Ada' })
    await editor.close()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await forgotten(token)
    await page.reload()
    await line('My <editor>')
      .getByText(/^used /)
      .waitFor()
    await line('My <editor>').getByText('expires in 30 days').waitFor()
    await forgotten(token)
  }, 30_000)

  test('closing a new token without copying it asks first', async () => {
    const shown = await make('token', 'Forgotten')
    const secret = (await shown.getByRole('region', { name: 'Token' }).textContent())!
    await page.getByRole('button', { name: 'Done' }).click()
    await shown.getByText('It was not copied').waitFor()
    await page.getByRole('button', { name: 'Close anyway' }).click()
    await shown.waitFor({ state: 'detached' })
    await forgotten(secret)
  })

  test('an expired token is marked as expired, and a revoked one is refused with 401', async () => {
    expect(await bare('/api/v1/projects', token)).toBe(200)
    await revoke('My <editor>')
    expect(await bare('/api/v1/projects', token)).toBe(401)
    const over = { name: 'Old one', expired: true, expires_at: '2026-01-31T12:00:00.000Z' }
    await page.route('**/api/v1/access-tokens?*', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      Object.assign(body.data[0], over)
      await route.fulfill({ response: answer, json: body })
    })
    await page.reload()
    await line('Old one')
      .getByText(/^expired /)
      .waitFor()
    expect(await line('Old one').getByRole('button', { name: 'Remove Old one' }).count()).toBe(1)
    await page.unroute('**/api/v1/access-tokens?*')
    await page.reload()
    await revoke('Forgotten')
  })

  test('a read-only token can read, and is refused with 403 when it writes', async () => {
    await page.getByLabel('Access', { exact: true }).selectOption('Read only')
    const shown = await make('token', 'Reader')
    const reader = (await shown.getByRole('region', { name: 'Token' }).textContent())!
    await line('Reader').getByText('read-only').waitFor()
    expect(await bare('/api/v1/projects', reader)).toBe(200)
    const body = { title: 'By a reader', project_id: desk.project_id }
    expect((await desk.http('POST', '/api/v1/tasks', { body, secret: reader })).status).toBe(403)
    await ada.go('/my')
    await forgotten(reader)
  })

  test('a key has the chosen expiry and scopes, is listed by its prefix, and is revoked', async () => {
    await ada.go('/settings/api-keys')
    await page.getByLabel('Name of the key').fill('Backup script')
    await page.getByLabel('Expiration').selectOption('90 days')
    await page.getByLabel('Access', { exact: true }).selectOption('Selected scopes')
    expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await page.getByLabel('See boards', { exact: true }).check()
    expect(await faultsInBothThemes(page)).toEqual([])
    const shown = await make('key', 'Backup script')
    const key = (await shown.getByRole('region', { name: 'Key' }).textContent())!
    expect(key).toStartWith('cork_')
    const held = line('Backup script')
    await held.getByText(`${key.slice(0, 11)}…`).waitFor()
    await held.getByText('expires in 90 days').waitFor()
    expect(await bare('/api/v1/projects', key)).toBe(200)
    expect(await bare('/api/v1/my-tasks', key)).toBe(403)
    await shown.getByRole('button', { name: 'Copy Key' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await page.getByRole('button', { name: 'Done' }).click()
    await shown.waitFor({ state: 'detached' })
    await forgotten(key)
    await revoke('Backup script')
    expect(await bare('/api/v1/projects', key)).toBe(401)
  })

  test('an eleventh key is refused with the reason, and its name stays in the field', async () => {
    // The key that was created with the server is the first one.
    for (let i = 2; i <= 10; i++)
      await desk.http('POST', '/api/v1/api-keys', { body: { name: `Key ${i}` } })
    await page.getByText('You can have 10 keys at a time; you have 10.').waitFor()
    await page.getByLabel('Name of the key').fill('Eleventh')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').getByText('You already have 10 active API keys').waitFor()
    expect(await page.getByLabel('Name of the key').inputValue()).toBe('Eleventh')
    expect(await line('Eleventh').count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke Key 2', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Revoke Key 2')
    expect(await line('Key 2').count()).toBe(1)
  })

  test('a calendar feed shows its URL once, contains the tasks, and responds 404 when deleted', async () => {
    await ada.go('/settings/calendars')
    await page.getByText('No feeds yet.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Home')
    await page.getByLabel('Tasks').selectOption('All')
    await page.getByLabel('Board', { exact: true }).selectOption('Home')
    await page.getByRole('button', { name: 'Create feed' }).click()
    const shown = page.getByRole('region', { name: 'Address of Home' })
    const url = (await shown.getByRole('region', { name: 'Address' }).textContent())!
    expect(await faultsInBothThemes(page)).toEqual([])
    const { pathname } = new URL(url)
    expect((await desk.http('GET', pathname, { secret: null })).text).toContain('Paint the fence')
    await shown.getByRole('button', { name: 'Copy Address' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await shown.waitFor({ state: 'detached' })
    await forgotten(pathname)
    await page.reload()
    await line('Home')
      .getByText(/^read /)
      .waitFor()
    await revoke('Home', 'Delete')
    expect(await bare(pathname, null)).toBe(404)
    expect(ada.complaints).toEqual([])
  })
})
