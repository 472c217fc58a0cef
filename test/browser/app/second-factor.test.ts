import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Page, Route } from 'playwright-core'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const PASSWORD = 'correct horse battery'
const PERIOD_MS = 30_000

/** The code of a later period works already, because clocks of phones may be off. */
const codeOf = (secret: string, laterPeriods = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + laterPeriods * PERIOD_MS,
  })

describe.skipIf(isBrowserSkipped)('passkeys, codes and second factors', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let device: Awaited<ReturnType<typeof addAuthenticator>>
  let secret: string
  let recoveryCodes: string[]
  beforeAll(async () => {
    app = await openWebApp({ TZ: 'UTC', CORK_HOST: 'localhost' })
    ada = await app.openSession({ ignoredMessages: /status of 40[0134]/ })
    page = ada.page
    device = await addAuthenticator(page)
  })
  afterAll(() => app?.close())

  const section = (name: string, of = page) => of.getByRole('region', { name, exact: true })
  const openSignIn = async () => {
    const session = await app.openSession({ signedOut: true, ignoredMessages: /status of 40[013]/ })
    await session.page.goto(`${app.url}/sign-in?next=/settings/security`)
    return session
  }
  const givePassword = async ({ page: form }: BrowserSession) => {
    await form.getByLabel('Email').fill('ada@example.com')
    await form.getByLabel('Password').fill(PASSWORD)
    await form.getByRole('button', { name: 'Sign in', exact: true }).click()
    await form.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
  }
  const reachesSettings = ({ page: other }: BrowserSession) =>
    other.getByRole('heading', { name: 'Security' }).waitFor()

  test('a person without factors sees what each is for', async () => {
    await ada.go('/settings/security')
    await section('Passkeys').getByText('No passkeys yet.').waitFor()
    await section('Recovery codes').getByText('Add a passkey or an authenticator app').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('a bar names the teams that require a second factor, and leads to the settings', async () => {
    const other = await app.openSession({ width: 420, height: 800 })
    await other.page.route('**/api/v1/user/context', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const teams = [{ team_id: 7, name: 'Shipyard' }]
      const data = { ...body.data, teams_requiring_second_factor: teams }
      await route.fulfill({ response, json: { ...body, data } })
    })
    await other.go('/my')
    await other.page.getByText('Shipyard requires a second factor.').waitFor()
    expect(await accessibilityIssuesInBothThemes(other.page)).toEqual([])
    await other.page.getByRole('link', { name: 'Add a second factor' }).click()
    await reachesSettings(other)
    expect(await accessibilityIssuesInBothThemes(other.page)).toEqual([])
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('a passkey is added, shows recovery codes once, and can be renamed', async () => {
    await section('Passkeys').getByRole('button', { name: 'Add a passkey' }).click()
    await waitForToast(page, 'Added the passkey')
    const codes = page.getByRole('region', { name: 'Recovery codes' }).locator('pre')
    recoveryCodes = (await codes.textContent())!.split('\n')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('It was not copied').waitFor()
    await page.getByRole('button', { name: 'Close anyway' }).click()
    await section('Recovery codes').getByText('10 codes are left.').waitFor()
    await page.getByRole('button', { name: 'Rename Linux' }).click()
    await page.getByLabel('Name of the passkey').fill('Work laptop')
    await page.keyboard.press('Enter')
    await section('Passkeys').locator('bdi').getByText('Work laptop').waitFor()
    await section('Passkeys').getByText('never used').waitFor()
  })

  test('a passkey signs in without a password', async () => {
    const other = await openSignIn()
    expect(await accessibilityIssuesInBothThemes(other.page)).toEqual([])
    await device.copyTo(other.page)
    await other.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await reachesSettings(other)
    await section('Passkeys', other.page).getByText(/used/).waitFor()
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('the email field offers passkeys by itself', async () => {
    const other = await app.openSession({ signedOut: true, ignoredMessages: /status of 40[013]/ })
    await device.copyTo(other.page)
    await other.page.goto(`${app.url}/sign-in?next=/settings/security`)
    await reachesSettings(other)
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('a passkey is the second factor after a password', async () => {
    const other = await openSignIn()
    await givePassword(other)
    expect(await accessibilityIssuesInBothThemes(other.page)).toEqual([])
    await device.copyTo(other.page)
    await other.page.getByRole('button', { name: 'Use a passkey' }).click()
    await reachesSettings(other)
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('an authenticator app is set up with a QR code and its first code', async () => {
    const app = section('Authenticator app')
    await app.getByRole('button', { name: 'Set up an app' }).click()
    await app.getByRole('img', { name: 'QR code' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    secret = (await app.locator('pre').textContent())!
    await app.getByLabel('Code that the app shows').fill('000000')
    await app.getByRole('button', { name: 'Confirm' }).click()
    await app.getByText('This is not the code that the app shows now').waitFor()
    await app.getByLabel('Code that the app shows').fill(codeOf(secret))
    await app.getByRole('button', { name: 'Confirm' }).click()
    await waitForToast(page, 'Added the authenticator app')
    await app.getByRole('button', { name: 'Remove the authenticator app' }).waitFor()
  })

  test('a code of the app is the second factor, also without scripts', async () => {
    const context = await app.browser.newContext({ javaScriptEnabled: false })
    const form = await context.newPage()
    await form.goto(`${app.url}/sign-in`)
    expect(await form.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await form.getByLabel('Email').fill('ada@example.com')
    await form.getByLabel('Password').fill(PASSWORD)
    await form.getByRole('button', { name: 'Sign in', exact: true }).click()
    await form.getByLabel('Code').fill(codeOf(secret, 1))
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.waitForURL(`${app.url}/`)
    expect((await form.request.get(`${app.url}/api/session/verify`)).ok()).toBe(true)
    await context.close()
  })

  test('a recovery code signs in once', async () => {
    const other = await openSignIn()
    await givePassword(other)
    const enter = async (session: BrowserSession) => {
      await session.page.getByLabel('Code').fill(recoveryCodes[0]!)
      await session.page.getByRole('button', { name: 'Continue' }).click()
    }
    await enter(other)
    await reachesSettings(other)
    await section('Recovery codes', other.page).getByText('9 codes are left.').waitFor()
    const again = await openSignIn()
    await givePassword(again)
    await enter(again)
    await again.page.getByText('This code is wrong, or was used before').waitFor()
    expect(await accessibilityIssuesInBothThemes(again.page)).toEqual([])
    for (const session of [other, again]) await session.context.close()
  })

  test('an old sign-in is asked who it is, once, and the action continues', async () => {
    const details = { verification: 'required' }
    const json = { success: false, message: 'Confirm that it is you', details }
    const refuse = (route: Route) => route.fulfill({ status: 403, json })
    await page.route('**/api/v1/user/recovery-codes', refuse, { times: 1 })
    const codes = section('Recovery codes')
    await codes.getByRole('button', { name: 'Replace recovery codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('button', { name: 'Use a passkey' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByLabel('Your password').fill('not this one')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('This is not your current password').waitFor()
    await dialog.getByRole('button', { name: 'Use a code' }).click()
    await dialog.getByLabel('Code').fill(recoveryCodes[1]!)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
    await codes.locator('pre').waitFor()
    await page.getByRole('button', { name: 'Copy Codes' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
  })

  test('a passkey and the app can be removed', async () => {
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await waitForToast(page, 'Removed Work laptop')
    await page.getByRole('button', { name: 'Remove the authenticator app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await waitForToast(page, 'Removed the authenticator app')
    await section('Passkeys').getByText('No passkeys yet.').waitFor()
    await ada.go('/settings/audit')
    const entries = page.getByRole('region', { name: 'Audit log entries' })
    await entries.getByText(/removed the passkey “Work laptop”/).waitFor()
    await entries.getByText('used a recovery code').first().waitFor()
    expect(ada.problems).toEqual([])
  })
})
