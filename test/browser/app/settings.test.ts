import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startMailServer } from '../../support/smtp.ts'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { pressSequence } from './keys.ts'
import { waitForToast } from './toasts.ts'

const waitForHeading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const SECTIONS = [
  ...['Profile', 'Security', 'Notifications', 'Appearance', 'Skills'],
  ...['MCP', 'API keys', 'Calendar feeds'],
]

describe.skipIf(isBrowserSkipped)('the settings', () => {
  let app: WebApp
  let mailServer: Awaited<ReturnType<typeof startMailServer>>
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    mailServer = await startMailServer()
    app = await openWebApp({
      TZ: 'UTC',
      CORK_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?from=cork@example.com`,
    })
    ada = await app.openSession({ ignoredMessages: /status of 400/ })
    page = ada.page
  })
  afterAll(() => app?.close())

  const fetchProfile = async () => (await app.http('GET', '/api/v1/user/context')).body.data.profile
  const fetchEmailSettings = async () => (await app.http('GET', '/api/v1/profile/mail')).body.data

  test('open with g and s, and each section is accessible and has its own URL', async () => {
    await ada.go('/my')
    await pressSequence(page, 'g', 's')
    await waitForHeading(page, 'Profile')
    const nav = page.getByRole('navigation', { name: 'Settings' })
    for (const name of SECTIONS) {
      await nav.getByRole('link', { name, exact: true }).click()
      await waitForHeading(page, name)
      await expectEventually(() => nav.locator('[aria-current=page]').allTextContents(), [name])
      expect([name, await accessibilityIssuesInBothThemes(page)]).toEqual([name, []])
    }
    await page.reload()
    await waitForHeading(page, SECTIONS.at(-1)!)
    await ada.go('/settings/nothing')
    await waitForHeading(page, 'Profile')
  })

  test('save a name when its field loses the focus, and restore the old one by undo', async () => {
    await ada.go('/settings')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Ada Byron')
    await page.keyboard.press('Tab')
    await waitForToast(page, 'Changed your name')
    expect((await fetchProfile()).display_name).toBe('Ada Byron')
    await page.locator('.self').getByText('Ada Byron').waitFor()
    await page.getByRole('heading', { name: 'Profile' }).click()
    await page.keyboard.press('Control+z')
    await page
      .locator('.self')
      .getByText(/^Ada(?! Byron)/)
      .waitFor()
    await waitUntil(async () => (await fetchProfile()).display_name === 'Ada')
    await name.fill('Somebody else')
    await page.keyboard.press('Escape')
    await waitUntil(async () => (await name.inputValue()) === 'Ada')
  })

  test('save a name when the person goes back or reloads the page', async () => {
    await ada.go('/my')
    await pressSequence(page, 'g', 's')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Ada King')
    await page.goBack()
    await page.locator('.self').getByText('Ada King').waitFor()
    await page.goForward()
    await name.fill('Ada')
    await page.reload()
    await waitUntil(async () => (await fetchProfile()).display_name === 'Ada')
  })

  test('keep a refused picture URL in its field, with the reason of the server', async () => {
    const picture = page.getByRole('textbox', { name: 'Address of a picture' })
    await picture.fill('http://example.com/ada.png')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('must be the https URL').waitFor()
    expect(await picture.inputValue()).toBe('http://example.com/ada.png')
    expect(await picture.getAttribute('aria-invalid')).toBe('true')
    expect((await fetchProfile()).avatar).toBe(null)
    await picture.fill('https://example.com/ada.png')
    await page.keyboard.press('Enter')
    await waitForToast(page, 'Changed your picture')
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
    await picture.fill('')
    await page.keyboard.press('Enter')
    await waitForToast(page, 'Removed your picture')
    expect((await fetchProfile()).avatar).toBe(null)
  })

  test('suggest the time zone of the browser, and find any other by typing', async () => {
    await page.getByRole('button', { name: 'Use Europe/Berlin from this browser' }).click()
    await waitForToast(page, 'Changed your time zone to Europe/Berlin')
    expect((await fetchProfile()).time_zone).toBe('Europe/Berlin')
    expect(await page.getByRole('button', { name: /^Use Europe/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Time zone: Europe/Berlin' }).click()
    await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('new york')
    await page.getByRole('option', { name: 'America/New York' }).waitFor()
    await page.keyboard.press('Enter')
    await waitForToast(page, 'Changed your time zone to America/New York')
    await page.waitForFunction(() =>
      document.activeElement?.textContent?.startsWith('America/New York'),
    )
    expect((await fetchProfile()).time_zone).toBe('America/New_York')
    await page.getByRole('button', { name: 'Use Europe/Berlin from this browser' }).waitFor()
  })

  test('show a language that was changed elsewhere live', async () => {
    await app.http('PATCH', '/api/v1/user/profile', { body: { locale: 'de' } })
    const german = page.getByLabel('Language').locator('option:checked', { hasText: 'Deutsch' })
    await german.waitFor({ state: 'attached' })
    await app.http('PATCH', '/api/v1/user/profile', { body: { locale: 'auto' } })
  })

  test('save the default board', async () => {
    await page.getByLabel('Default board').selectOption('Home')
    await waitForToast(page, 'Changed your default board')
    expect((await fetchProfile()).default_board).toBe(app.project_id)
  })

  test('save when and about what to send email, and send a test email', async () => {
    await ada.go('/settings/notifications')
    expect(await page.getByText('Email is not set up').count()).toBe(0)
    expect(await page.getByRole('group', { name: 'Send email for' }).count()).toBe(0)
    await page.getByLabel('Once a day').check()
    await page.getByLabel('Time', { exact: true }).selectOption('07:00')
    const kinds = page.getByRole('group', { name: 'Send email for' })
    expect(await kinds.getByLabel('Somebody mentions you').isChecked()).toBe(true)
    // The second checkbox is changed before the first change is saved. Both changes are kept.
    await page.route('**/api/v1/profile/mail*', async (route) => {
      await Bun.sleep(500)
      await route.continue()
    })
    await kinds.getByLabel('Somebody mentions you').uncheck()
    await kinds.getByLabel('One of your tasks is due soon').check()
    await waitUntil(async () => (await fetchEmailSettings()).kinds.includes('due_soon'))
    expect(await fetchEmailSettings()).toMatchObject({ mode: 'daily', hour: 7 })
    expect((await fetchEmailSettings()).kinds).not.toContain('mentioned')
    expect(await kinds.getByLabel('Somebody mentions you').isChecked()).toBe(false)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Important only' }).click()
    await waitUntil(async () => (await fetchEmailSettings()).kinds.includes('mentioned'))
    await page.getByRole('button', { name: 'Send test email' }).click()
    await page.getByRole('status').getByText('Sent to ada@example.com').waitFor()
    expect(mailServer.emails.map(({ to }) => to)).toEqual([['ada@example.com']])
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByLabel('Never').check()
    await kinds.waitFor({ state: 'detached' })
    await waitUntil(async () => (await fetchEmailSettings()).mode === 'off')
  })

  test('follow the theme of the system until one is selected, and again after a reset', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await ada.go('/settings/appearance')
    const selectedTheme = () => page.evaluate(() => document.documentElement.dataset.theme)
    const theme = page.getByRole('group', { name: 'Theme' })
    expect(await theme.getByLabel('System').isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await selectedTheme()).toBe('dark')
    await page.reload()
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
    expect(await selectedTheme()).toBe('dark')
    await page.getByRole('heading', { name: 'Theme' }).click()
    await page.keyboard.press('t')
    await theme.getByRole('radio', { name: 'System', checked: true }).waitFor()
    expect(await selectedTheme()).toBeUndefined()
    await page.getByRole('checkbox', { name: 'Collapsed' }).check()
    await page.getByRole('button', { name: 'Expand sidebar' }).click()
    expect(await page.getByRole('checkbox', { name: 'Collapsed' }).isChecked()).toBe(false)
  })

  test('list their sections in a select field on a phone, and fit its screen', async () => {
    const other = await app.openSession({ width: 390, height: 844, touch: true, theme: 'dark' })
    await other.go('/settings')
    const list = other.page.getByLabel('Settings section')
    for (const name of SECTIONS) {
      await list.selectOption(name)
      await waitForHeading(other.page, name)
      expect([name, await accessibilityIssues(other.page)]).toEqual([name, []])
    }
    expect(await other.page.getByRole('navigation', { name: 'Settings' }).count()).toBe(0)
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.problems).toEqual([])
  })
})
