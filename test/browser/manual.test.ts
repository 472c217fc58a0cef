import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { accessibilityIssues } from './page-checks.ts'
import { isBrowserSkipped } from './web-app.ts'

describe.skipIf(isBrowserSkipped)('the manual', () => {
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

  async function openPage(colorScheme: 'light' | 'dark', width: number, javaScriptEnabled = true) {
    const context = await browser.newContext({
      ...{ colorScheme, javaScriptEnabled, viewport: { width, height: 900 } },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    return { page, errors }
  }

  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const)
    test(`is accessible, searchable and free of errors in ${scheme} at ${width} pixels`, async () => {
      const { page, errors } = await openPage(scheme, width)
      await page.goto(`${server.url}/sign-in`)
      await page.getByRole('link', { name: 'Manual' }).click()
      await page.getByRole('heading', { level: 1, name: 'Corkboard manual' }).waitFor()
      expect(await accessibilityIssues(page)).toEqual([])
      await page.getByRole('main').getByRole('link', { name: 'Backup and restore' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Backup and restore' }).waitFor()
      expect(await accessibilityIssues(page)).toEqual([])
      await page.getByLabel('Search the manual').fill('how to back up')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: /Create a backup/ }).click()
      await page.waitForURL(/backup#create-a-backup$/)
      const heading = page.getByRole('heading', { name: /^Create a backup/ })
      expect((await heading.boundingBox())!.y).toBeWithin(-1, 200)
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
      expect(await accessibilityIssues(page)).toEqual([])
      await page.goto(`${server.url}/docs/manual/start`)
      expect(await page.locator('img').evaluate((img: HTMLImageElement) => img.alt)).not.toBe('')
      expect(await accessibilityIssues(page)).toEqual([])
      expect(errors).toEqual([])
      await page.context().close()
    })

  test('copies a code block, and opens its table of contents in a narrow window', async () => {
    const { page, errors } = await openPage('light', 390)
    await page.goto(`${server.url}/docs/manual/start`)
    await page.locator('pre', { hasText: 'cork serve --demo' }).hover()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const clipboard = await page.evaluate(() => navigator.clipboard.readText())
    expect(clipboard).toBe('cork serve --demo --data demo\n')
    await page.getByText('Contents', { exact: true }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Databases' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Databases' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('is readable and searchable without JavaScript, and shows no Copy buttons', async () => {
    const { page } = await openPage('light', 1280, false)
    await page.goto(`${server.url}/docs/manual`)
    await page.getByLabel('Search the manual').fill('lease')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Claim tasks with a lease/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents at work' }).waitFor()
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    await page.context().close()
  })
})
