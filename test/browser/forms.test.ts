import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { accessibilityIssues } from './page-checks.ts'
import { openPlainPage, type Scheme } from './plain-page.ts'
import { isBrowserSkipped } from './web-app.ts'

describe.skipIf(isBrowserSkipped)('the sign-in and invitation pages', () => {
  let server: BoardServer
  let browser: Browser

  beforeAll(async () => {
    server = await startBoardServer()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const openPage = (scheme: Scheme, width: number) => openPlainPage(browser, scheme, width)

  for (const [scheme, width] of [
    ['light', 1100],
    ['dark', 390],
  ] as const)
    test(`are accessible and log no errors in the ${scheme} theme at ${width} pixels`, async () => {
      const { page, errors } = await openPage(scheme, width)
      await page.goto(`${server.url}/settings`)
      expect(await accessibilityIssues(page)).toEqual([])
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password').fill('correct horse battery')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Profile' }).waitFor()
      const invitation = await server.http('POST', `/api/v1/teams/${server.team_id}/invitations`, {
        body: { email: `${scheme}@example.com`, role: 'member' },
      })
      await page.goto(invitation.body.data.link)
      expect(await accessibilityIssues(page)).toEqual([])
      expect(errors).toEqual([])
      await page.context().close()
    })
})
