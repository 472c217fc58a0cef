import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { CLIENT, type RealIssuer, startRealIssuer } from '../support/real-issuer.ts'
import { accessibilityIssuesInBothThemes } from './page-checks.ts'
import { isBrowserSkipped } from './web-app.ts'

const SCREENS = join(import.meta.dir, '../../dist/screens')
const PASSWORD = 'correct horse battery'

describe.skipIf(isBrowserSkipped)('signing in through an issuer', () => {
  let issuer: RealIssuer
  let server: BoardServer
  let browser: Browser

  beforeAll(async () => {
    issuer = await startRealIssuer('http://localhost')
    server = await startBoardServer({
      ...{ CORK_OIDC_ISSUER: issuer.url, CORK_OIDC_CLIENT_ID: CLIENT.id },
      ...{ CORK_OIDC_CLIENT_SECRET: CLIENT.secret, CORK_OIDC_NAME: 'Harbour ID' },
      ...{ CORK_OIDC_2_ISSUER: 'http://127.0.0.1:9', CORK_OIDC_2_CLIENT_ID: 'other' },
      CORK_OIDC_2_NAME: 'Example Workspace',
    })
    await issuer.registerBoard(server.url)
    browser = await openBrowser()
    mkdirSync(SCREENS, { recursive: true })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    issuer?.closeConnections()
    await issuer?.stop()
  })

  const openPage = async () => {
    const context = await browser.newContext({ viewport: { width: 1100, height: 800 } })
    return context.newPage()
  }

  /** Checks a page in both themes, wide and narrow, and takes a picture of each. */
  async function review(page: Page, name: string) {
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    for (const [scheme, width] of [
      ['light', 1100],
      ['dark', 1100],
      ['light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 800 })
      const isScrolling = 'document.documentElement.scrollWidth > innerWidth'
      expect(await page.evaluate(isScrolling)).toBe(false)
      const form = width < 500 ? 'narrow' : scheme
      await page.screenshot({ path: join(SCREENS, `${name}-${form}.png`) })
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1100, height: 800 })
  }

  const signInWithIssuer = async (page: Page, path = '/sign-in') => {
    await page.goto(server.url + path)
    await page.getByRole('link', { name: 'Sign in with Harbour ID' }).click()
  }

  test('a person links an account with the password, sees it in the settings and signs out', async () => {
    issuer.add({ sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada' })
    const page = await openPage()
    await page.goto(`${server.url}/sign-in`)
    await review(page, 'sign-in-issuers')
    await signInWithIssuer(page, '/settings/security')
    await page.getByRole('heading', { name: 'Link Harbour ID' }).waitFor()
    await review(page, 'sign-in-link')
    await page.getByLabel('Password of your Corkboard account').fill('wrong')
    await page.getByRole('button', { name: 'Link and sign in' }).click()
    await page.getByText('This is not the password of the account.').waitFor()
    await page.getByLabel('Password of your Corkboard account').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign-in providers' }).waitFor()
    await page.getByText('Harbour ID: ada@example.com').waitFor()
    await review(page, 'settings-sign-in-providers')
    await page.evaluate(`(() => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/sign-out'
      document.body.append(form)
      form.submit()
    })()`)
    await page.waitForURL(`${issuer.url}/session/end**`)
    await page.context().close()
  })

  test('an issuer that is down is explained, with the ways to go on', async () => {
    const page = await openPage()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('link', { name: 'Sign in with Example Workspace' }).click()
    await page.getByText('Example Workspace cannot be reached now.').waitFor()
    await review(page, 'sign-in-failed')
    await page.getByRole('link', { name: 'Sign in another way' }).click()
    await page.getByLabel('Email').waitFor()
    await page.context().close()
  })

  test('an admin approves the link of a member, who can then sign in', async () => {
    const { body } = await server.http('POST', `/api/v1/teams/${server.team_id}/invitations`, {
      body: { email: 'cleo@example.com', role: 'member' },
    })
    const cleo = await openPage()
    await cleo.goto(body.data.link)
    await cleo.getByLabel('Your name').fill('Cleo')
    await cleo.getByLabel('Password').fill(PASSWORD)
    await cleo.keyboard.press('Enter')
    await cleo.getByRole('main').waitFor()
    await cleo.context().clearCookies()
    issuer.add({ sub: 'cleo-1', email: 'cleo@example.com', email_verified: true, name: 'Cleo' })
    await signInWithIssuer(cleo)
    await cleo.getByRole('button', { name: 'Ask an admin to approve it' }).click()
    await cleo.getByRole('heading', { name: 'Waiting for approval' }).waitFor()

    const ada = await openPage()
    await ada.goto(`${server.url}/sign-in?next=/settings/team`)
    await ada.getByLabel('Email').fill('ada@example.com')
    await ada.getByLabel('Password').fill(PASSWORD)
    await ada.keyboard.press('Enter')
    const section = ada.getByRole('region', { name: 'Sign-in links to approve' })
    await section.getByText('Cleo (cleo@example.com)').waitFor()
    await review(ada, 'settings-approve-link')
    await section.getByRole('button', { name: 'Approve the link of Cleo' }).click()
    await ada.getByText('Approved. The person can sign in now.').waitFor()

    await signInWithIssuer(cleo, '/my')
    await cleo.waitForURL(`${server.url}/my`)
    await cleo.context().close()
    await ada.context().close()
  })
})
