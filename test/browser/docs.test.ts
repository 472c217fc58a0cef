import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { catalog } from '../../src/catalog.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { isBrowserSkipped } from './web-app.ts'

describe.skipIf(isBrowserSkipped)('the documentation page', () => {
  let browser: Browser
  let server: BoardServer
  let url: string

  beforeAll(async () => {
    server = await startBoardServer()
    url = server.url
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  /** Opens a page that blocks and records requests to other hosts, and records its errors. */
  async function openWatchedPage() {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    const foreignRequests: string[] = []
    const errors: string[] = []
    await page.route('**/*', (route) => {
      const { origin, protocol } = new URL(route.request().url())
      if (origin === url || protocol === 'data:' || protocol === 'blob:') return route.continue()
      foreignRequests.push(route.request().url())
      return route.abort()
    })
    // Rendering hundreds of operations is slow on a busy machine.
    page.setDefaultTimeout(100_000)
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    return { page, foreignRequests, errors }
  }

  test('shows every operation, contacts no other host and logs no unexpected error', async () => {
    const { page, foreignRequests, errors } = await openWatchedPage()
    await page.goto(`${url}/docs`)
    await page.getByRole('heading', { name: catalog[0].summary }).waitFor()
    const routes = catalog.flatMap(({ on }) => [on.rest ?? []].flat()) as string[]
    const pageText = await page.evaluate(() => document.body.textContent ?? '')
    for (const route of routes) {
      const [method, path] = route.split(' ') as [string, string]
      expect(pageText).toContain(method.toLowerCase() + path.replace(/:(\w+)/g, '{$1}'))
    }
    for (const { on, summary } of catalog) if ('rest' in on) expect(pageText).toContain(summary)
    expect(errors).toEqual([])
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Send/ }).first().click()
    // Without a key, this server refuses the request.
    await page.getByText('Authentication failed').first().waitFor()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('401')
    expect(foreignRequests).toEqual([])
    await page.close()
  })

  test('its policy blocks other hosts; a page without the policy shows that the test detects them', async () => {
    const { page, foreignRequests, errors } = await openWatchedPage()
    const loadForeignImage = () => {
      new Image().src = 'https://example.com/pixel.png'
    }
    await page.goto(`${url}/docs`)
    await page.evaluate(loadForeignImage)
    await page.waitForTimeout(200)
    expect(errors.join()).toContain('Content Security Policy')
    expect(foreignRequests).toEqual([])
    await page.goto(`${url}/llms.txt`)
    await page.evaluate(loadForeignImage)
    await page.waitForTimeout(200)
    expect(foreignRequests).toEqual(['https://example.com/pixel.png'])
  })
})
