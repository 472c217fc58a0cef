import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { accessibilityIssues } from './page-checks.ts'
import { openPlainPage, type Scheme } from './plain-page.ts'
import { isBrowserSkipped } from './web-app.ts'

const SCREENS = 'dist/screens'
const REDIRECT = 'http://127.0.0.1:9/callback'
const CHALLENGE = 'x'.repeat(43)

describe.skipIf(isBrowserSkipped)('the pages on which people allow apps', () => {
  let server: BoardServer
  let browser: Browser

  beforeAll(async () => {
    mkdirSync(SCREENS, { recursive: true })
    server = await startBoardServer()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const openPage = (scheme: Scheme, width: number) => openPlainPage(browser, scheme, width)

  async function signIn(page: Page) {
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
  }

  const post = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, { method: 'POST', body, headers })
    return (await response.json()) as Record<string, string>
  }

  const register = async () => {
    const metadata = { client_name: 'Lantern', redirect_uris: [REDIRECT] }
    const headers = { 'content-type': 'application/json' }
    return (await post('/oauth/register', JSON.stringify(metadata), headers)).client_id!
  }

  const authorizeUrl = (client_id: string) => {
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const request = { response_type: 'code', client_id, redirect_uri: REDIRECT, ...pkce }
    return `${server.url}/oauth/authorize?${new URLSearchParams(request)}`
  }

  for (const [scheme, width] of [
    ['light', 1100],
    ['dark', 1100],
    ['light', 390],
  ] as const)
    test(`lead to the app in the ${scheme} theme at ${width} pixels`, async () => {
      const { page, errors } = await openPage(scheme, width)
      await page.goto(authorizeUrl(await register()))
      await signIn(page)
      await page.getByRole('heading', { name: 'Allow Lantern?' }).waitFor()
      await page.getByText('Permissions').click()
      expect(await accessibilityIssues(page)).toEqual([])
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrollWidth).toBeLessThanOrEqual(width)
      await page.screenshot({ path: `${SCREENS}/consent-${scheme}-${width}.png`, fullPage: true })
      expect(await page.getByLabel('A new agent of mine').isChecked()).toBe(true)
      await page.getByRole('radio', { name: /^Me/ }).check()
      const leaving = page.waitForRequest((request) => request.url().startsWith(REDIRECT))
      await page.getByRole('button', { name: 'Allow' }).click()
      expect(new URL((await leaving).url()).searchParams.get('code')).toBeTruthy()
      expect(errors.filter((text) => !text.includes('ERR_'))).toEqual([])
      await page.context().close()
    })

  test('keep what a person chose when the name of the agent is taken', async () => {
    const { page } = await openPage('light', 1100)
    await page.goto(authorizeUrl(await register()))
    await signIn(page)
    await page.getByLabel('Name of the new agent').fill('Ada')
    await page.getByLabel('How long').selectOption('7')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('agents cannot use the name of a person').waitFor()
    expect(await page.getByLabel('Name of the new agent').inputValue()).toBe('Ada')
    expect(await page.getByLabel('How long').inputValue()).toBe('7')
    await page.context().close()
  })

  test('connect a device, which the settings then list and revoke', async () => {
    const { page, errors } = await openPage('light', 1100)
    const device = await post(
      '/oauth/device_authorization',
      new URLSearchParams({ client_id: 'cork', resource: server.url }),
    )
    await page.goto(device.verification_uri_complete!)
    await signIn(page)
    await page.getByLabel('Code').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.screenshot({ path: `${SCREENS}/device.png` })
    await page.keyboard.press('Enter')
    await page.getByText(device.user_code!).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.screenshot({ path: `${SCREENS}/device-consent.png`, fullPage: true })
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const poll = { grant_type, client_id: 'cork', device_code: device.device_code! }
    const { access_token } = await post('/oauth/token', new URLSearchParams(poll))
    const authorization = `Bearer ${access_token}`
    const projects = () => fetch(`${server.url}/api/v1/projects`, { headers: { authorization } })
    expect((await projects()).status).toBe(200)

    await page.getByRole('link', { name: 'Settings, Connected apps' }).click()
    await page.getByRole('button', { name: 'Revoke Cork command line' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.screenshot({ path: `${SCREENS}/connected-apps.png` })
    await page.getByRole('button', { name: 'Revoke Cork command line' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No apps yet').waitFor()
    await page.getByText('Revoked Cork command line').waitFor()
    expect((await projects()).status).toBe(401)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
