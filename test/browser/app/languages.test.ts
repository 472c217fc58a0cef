import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('the language of the app', () => {
  let app: WebApp
  let ada: BrowserSession
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
  })
  afterAll(() => app?.close())

  const shownOn = (page: Page) =>
    page.evaluate(() => {
      const { lang, dir } = document.documentElement
      const files = performance.getEntriesByType('resource').map(({ name }) => name)
      const loaded = files.flatMap((name) => /language-([\w-]+)-\w+\.js/.exec(name)?.[1] ?? [])
      return { lang, dir, loaded }
    })
  const shown = () => shownOn(ada.page)

  test('English loads no file of a language, and has the dates of the browser', async () => {
    await ada.go('/settings/profile')
    expect(await shown()).toEqual({ lang: 'en-GB', dir: '', loaded: [] })
  })

  test('a browser in another language gets one file, and its dates', async () => {
    const { page, go, problems } = await app.openSession({ locale: 'de-AT' })
    await go('/settings/profile')
    expect(await shownOn(page)).toEqual({ lang: 'de-AT', dir: '', loaded: ['de'] })
    expect(problems).toEqual([])
  })

  test('a language that is chosen in the settings applies at once, Arabic from right to left', async () => {
    await ada.go('/settings/profile')
    await ada.page.getByLabel('Language').selectOption('العربية')
    const arabic = { lang: 'ar', dir: 'rtl', loaded: ['ar'] }
    await expectEventually(() => shown(), arabic)
    await ada.page.getByRole('main').waitFor()
    expect(await accessibilityIssues(ada.page)).toEqual([])
    await ada.page.locator('select:has(option[value="ar"])').selectOption('auto')
    await expectEventually(async () => (await shown()).lang, 'en-GB')
  })

  test('every screen so far had no error', () => {
    expect(ada.problems).toEqual([])
  })
})
