import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const OLD = 'correct horse battery'
const NEW = 'paper lantern seven'

describe.skipIf(isBrowserSkipped)('the security settings', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp({ TZ: 'UTC' })
    // Requests that are under way while Ada signs out everywhere are refused.
    ada = await app.openSession({ ignoredMessages: /status of 40[01]/ })
    page = ada.page
  })
  afterAll(() => app?.close())

  const sessions = () => page.getByRole('list', { name: 'Browsers' }).getByRole('listitem')
  const isSignedIn = async ({ page: otherPage }: BrowserSession) =>
    (await otherPage.request.get(`${app.url}/api/session/verify`)).ok()

  async function signIn(session: BrowserSession, password: string) {
    await session.page.goto(`${app.url}/sign-in?next=/settings/security`)
    await session.page.getByLabel('Email').fill('ada@example.com')
    await session.page.getByLabel('Password').fill(password)
    await session.page.keyboard.press('Enter')
  }

  test('list every browser, mark the current one, and sign out another', async () => {
    const other = await app.openSession({ ignoredMessages: /status of 401/ })
    await other.go('/my')
    await ada.go('/settings/security')
    await page.getByText('This browser').waitFor()
    expect(await sessions().first().textContent()).toContain('This browser')
    const signOutButtons = page
      .getByRole('main')
      .getByRole('button', { name: /^Sign out Browser$/ })
    expect(await signOutButtons.count()).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await signOutButtons.click()
    await waitForToast(page, 'Signed out that browser')
    await signOutButtons.waitFor({ state: 'detached' })
    expect([await isSignedIn(ada), await isSignedIn(other)]).toEqual([true, false])
    await other.page.getByRole('alertdialog', { name: 'You are signed out' }).waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('list a new sign-in live, and sign out all other browsers', async () => {
    const other = await app.openSession({ signedOut: true })
    await signIn(other, OLD)
    await other.page.getByRole('heading', { name: 'Security' }).waitFor()
    await sessions().nth(1).waitFor()
    expect(await sessions().nth(1).textContent()).toContain('Chrome on Linux')
    expect(await sessions().nth(1).textContent()).not.toContain('This browser')
    await page.getByRole('button', { name: 'Sign out 1 other browser' }).click()
    await waitForToast(page, 'Signed out 1 other browser')
    await sessions().nth(1).waitFor({ state: 'detached' })
    expect([await isSignedIn(ada), await isSignedIn(other)]).toEqual([true, false])
    await other.context.close()
  })

  test('refuse a wrong or short password with a message at its field', async () => {
    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill(NEW)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This is not your current password').waitFor()
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Current password').fill(OLD)
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText('The password must have at least 10 characters')
      .waitFor()
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('New password').inputValue()).toBe('short')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('keep this session and end the others on a new password, which the browser does not store', async () => {
    const other = await app.openSession({ signedOut: true })
    await signIn(other, OLD)
    await other.page.getByRole('heading', { name: 'Security' }).waitFor()
    await page.getByLabel('Current password').fill(OLD)
    await page.getByLabel('New password').fill(NEW)
    await page.keyboard.press('Enter')
    await waitForToast(page, /^Changed the password, and signed out one other browser/)
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    expect([await isSignedIn(ada), await isSignedIn(other)]).toEqual([true, false])
    const storage = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, localStorage]))
    expect(storage).not.toContain(NEW)
    await page.reload()
    await page.getByText('This browser').waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    const newSession = await app.openSession({ signedOut: true, ignoredMessages: /status of 401/ })
    await signIn(newSession, OLD)
    await newSession.page.getByRole('alert').getByText('Wrong email or password').waitFor()
    await signIn(newSession, NEW)
    await newSession.page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(newSession.problems).toEqual([])
    for (const session of [other, newSession]) await session.context.close()
  })

  test('ask before signing out everywhere, which can be cancelled', async () => {
    const button = page.getByRole('button', { name: 'Sign out everywhere' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' })
    await dialog.getByText('have to sign in again').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() =>
      document.activeElement?.textContent?.startsWith('Sign out everywhere'),
    )
    expect(await isSignedIn(ada)).toBe(true)
    await button.click()
    await dialog.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await isSignedIn(ada)).toBe(false)
    expect(ada.problems).toEqual([])
  })

  test('the first sign-in sets the time zone of the browser, and a later change is kept', async () => {
    const invitation = await app.http('POST', `/api/v1/teams/${app.team_id}/invitations`, {
      body: { email: 'ben@example.com', role: 'member' },
    })
    const ben = await app.openSession({ signedOut: true })
    await ben.page.goto(invitation.body.data.link)
    await ben.page.getByLabel('Your name').fill('Ben')
    await ben.page.getByLabel('Password').fill(NEW)
    await ben.page.keyboard.press('Enter')
    await waitForToast(ben.page, 'Time zone set to Europe/Berlin, as in your browser')
    await ben.go('/settings')
    const timeZoneButton = (name: string) =>
      ben.page.getByRole('button', { name: `Time zone: ${name}` })
    await timeZoneButton('Europe/Berlin').waitFor()
    await ben.page.getByRole('button', { name: /^Time zone/ }).click()
    await ben.page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('UTC')
    await ben.page.getByRole('option', { name: 'UTC', exact: true }).click()
    await timeZoneButton('UTC').waitFor()
    await waitForToast(ben.page, 'Changed your time zone to UTC')
    await ben.page.reload()
    await timeZoneButton('UTC').waitFor()
    expect(await ben.page.getByText('Time zone set to').count()).toBe(0)
    expect(ben.problems).toEqual([])
    await ben.context.close()
  })

  test('a new password also revokes keys and tokens if that is selected, and is audited', async () => {
    const session = await app.openSession({ signedOut: true })
    await signIn(session, NEW)
    const form = session.page.getByRole('form', { name: 'Password' })
    await form.getByLabel('Current password').fill(NEW)
    await form.getByLabel('New password').fill(OLD)
    await form.getByRole('checkbox', { name: /^Also revoke my API keys/ }).check()
    await form.getByRole('button', { name: 'Change password' }).click()
    await waitForToast(session.page, /credentials were revoked/)
    expect((await app.http('GET', '/api/v1/user/hello')).status).toBe(401)
    await session.go('/settings/audit')
    const entries = session.page.getByRole('region', { name: 'Audit log entries' })
    await entries.getByText('changed their password').first().waitFor()
    await entries.getByText('signed in').first().waitFor()
    await entries.getByText('from 127.0.0.1').first().waitFor()
    expect(await accessibilityIssuesInBothThemes(session.page)).toEqual([])
    expect(session.problems).toEqual([])
    await session.context.close()
  })
})
