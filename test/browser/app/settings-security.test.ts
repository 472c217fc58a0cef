import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'

const OLD = 'correct horse battery'
const NEW = 'paper lantern seven'

const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).waitFor()

describe.skipIf(noBrowser)('the security settings', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  beforeAll(async () => {
    desk = await openDesk({ TZ: 'UTC' })
    // Requests that are under way while Ada signs out everywhere are refused.
    ada = await desk.sit({ may: /status of 40[01]/ })
    page = ada.page
  }, 60_000)
  afterAll(() => desk?.leave())

  const sessions = () => page.getByRole('list', { name: 'Browsers' }).getByRole('listitem')
  const isIn = async ({ page: theirs }: Person) =>
    (await theirs.request.get(`${desk.url}/api/session/verify`)).ok()

  async function signIn(one: Person, password: string) {
    await one.page.goto(`${desk.url}/sign-in?next=/settings/security`)
    await one.page.getByLabel('Email').fill('ada@example.com')
    await one.page.getByLabel('Password').fill(password)
    await one.page.keyboard.press('Enter')
  }

  test('list every browser, mark the current one, and sign out another', async () => {
    const other = await desk.sit({ may: /status of 401/ })
    await other.go('/my')
    await ada.go('/settings/security')
    await page.getByText('This browser').waitFor()
    expect(await sessions().first().textContent()).toContain('This browser')
    const ends = page.getByRole('main').getByRole('button', { name: /^Sign out Browser$/ })
    expect(await ends.count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])
    await ends.click()
    await told(page, 'Signed out that browser')
    await ends.waitFor({ state: 'detached' })
    expect([await isIn(ada), await isIn(other)]).toEqual([true, false])
    await other.page.getByRole('alertdialog', { name: 'You are signed out' }).waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(other.complaints).toEqual([])
    await other.context.close()
  }, 30_000)

  test('list a new sign-in live, and sign out all other browsers', async () => {
    const other = await desk.sit({ stranger: true })
    await signIn(other, OLD)
    await other.page.getByRole('heading', { name: 'Security' }).waitFor()
    await sessions().nth(1).waitFor()
    expect(await sessions().nth(1).textContent()).toContain('Chrome on Linux')
    expect(await sessions().nth(1).textContent()).not.toContain('This browser')
    await page.getByRole('button', { name: 'Sign out 1 other browser' }).click()
    await told(page, 'Signed out 1 other browser')
    await sessions().nth(1).waitFor({ state: 'detached' })
    expect([await isIn(ada), await isIn(other)]).toEqual([true, false])
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
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('keep this session and end the others on a new password, which the browser does not store', async () => {
    const other = await desk.sit({ stranger: true })
    await signIn(other, OLD)
    await other.page.getByRole('heading', { name: 'Security' }).waitFor()
    await page.getByLabel('Current password').fill(OLD)
    await page.getByLabel('New password').fill(NEW)
    await page.keyboard.press('Enter')
    await told(page, /^Changed the password, and signed out one other browser/)
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    expect([await isIn(ada), await isIn(other)]).toEqual([true, false])
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, localStorage]))
    expect(kept).not.toContain(NEW)
    await page.reload()
    await page.getByText('This browser').waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    const stranger = await desk.sit({ stranger: true, may: /status of 401/ })
    await signIn(stranger, OLD)
    await stranger.page.getByRole('alert').getByText('Wrong email or password').waitFor()
    await signIn(stranger, NEW)
    await stranger.page.getByRole('heading', { name: 'Security' }).waitFor()
    expect(stranger.complaints).toEqual([])
    for (const one of [other, stranger]) await one.context.close()
  }, 30_000)

  test('ask before signing out everywhere, which can be cancelled', async () => {
    const button = page.getByRole('button', { name: 'Sign out everywhere' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' })
    await dialog.getByText('have to sign in again').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() =>
      document.activeElement?.textContent?.startsWith('Sign out everywhere'),
    )
    expect(await isIn(ada)).toBe(true)
    await button.click()
    await dialog.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await isIn(ada)).toBe(false)
    expect(ada.complaints).toEqual([])
  })

  test('the first sign-in sets the time zone of the browser, and a later change is kept', async () => {
    const invited = await desk.http('POST', `/api/v1/teams/${desk.team_id}/invitations`, {
      body: { email: 'ben@example.com', role: 'member' },
    })
    const ben = await desk.sit({ stranger: true })
    await ben.page.goto(invited.body.data.link)
    await ben.page.getByLabel('Your name').fill('Ben')
    await ben.page.getByLabel('Password').fill(NEW)
    await ben.page.keyboard.press('Enter')
    await told(ben.page, 'Time zone set to Europe/Berlin, as in your browser')
    await ben.go('/settings')
    const zone = (name: string) => ben.page.getByRole('button', { name: `Time zone: ${name}` })
    await zone('Europe/Berlin').waitFor()
    await ben.page.getByRole('button', { name: /^Time zone/ }).click()
    await ben.page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('UTC')
    await ben.page.getByRole('option', { name: 'UTC', exact: true }).click()
    await zone('UTC').waitFor()
    await told(ben.page, 'Changed your time zone to UTC')
    await ben.page.reload()
    await zone('UTC').waitFor()
    expect(await ben.page.getByText('Time zone set to').count()).toBe(0)
    expect(ben.complaints).toEqual([])
    await ben.context.close()
  }, 30_000)

  test('a new password also revokes keys and tokens if that is selected, and is audited', async () => {
    const one = await desk.sit({ stranger: true })
    await signIn(one, NEW)
    const form = one.page.getByRole('form', { name: 'Password' })
    await form.getByLabel('Current password').fill(NEW)
    await form.getByLabel('New password').fill(OLD)
    await form.getByRole('checkbox', { name: /^Also revoke my API keys/ }).check()
    await form.getByRole('button', { name: 'Change password' }).click()
    await told(one.page, /credentials were revoked/)
    expect((await desk.http('GET', '/api/v1/user/hello')).status).toBe(401)
    await one.go('/settings/audit')
    const entries = one.page.getByRole('region', { name: 'Audit log entries' })
    await entries.getByText('changed their password').first().waitFor()
    await entries.getByText('signed in').first().waitFor()
    await entries.getByText('from 127.0.0.1').first().waitFor()
    expect(await faultsInBothThemes(one.page)).toEqual([])
    expect(one.complaints).toEqual([])
    await one.context.close()
  }, 30_000)
})
