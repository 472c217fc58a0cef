import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { catalog } from '../../src/catalog.ts'
import { type House, openHouse } from '../binary/house.ts'

const skipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

describe.skipIf(skipped)('the documentation page', () => {
  let browser: Browser
  let house: House
  let address: string

  beforeAll(async () => {
    house = await openHouse()
    address = house.url
    browser = await openBrowser()
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  /** A page that blocks and records requests to other hosts, and records its errors. */
  async function watched() {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    const strangers: string[] = []
    const errors: string[] = []
    await page.route('**/*', (route) => {
      const { origin, protocol } = new URL(route.request().url())
      if (origin === address || protocol === 'data:' || protocol === 'blob:')
        return route.continue()
      strangers.push(route.request().url())
      return route.abort()
    })
    // Drawing hundreds of operations takes its time on a busy machine.
    page.setDefaultTimeout(100_000)
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    return { page, strangers, errors }
  }

  test('shows every operation, contacts no other host and logs no unexpected error', async () => {
    const { page, strangers, errors } = await watched()
    await page.goto(`${address}/docs`)
    await page.getByRole('heading', { name: catalog[0].summary }).waitFor()
    const routes = catalog.flatMap(({ on }) => [on.rest ?? []].flat()) as string[]
    const shown = await page.evaluate(() => document.body.textContent ?? '')
    for (const route of routes) {
      const [method, path] = route.split(' ') as [string, string]
      expect(shown).toContain(method.toLowerCase() + path.replace(/:(\w+)/g, '{$1}'))
    }
    for (const { on, summary } of catalog) if ('rest' in on) expect(shown).toContain(summary)
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
    expect(strangers).toEqual([])
    await page.close()
  }, 60_000)

  test('its policy blocks other hosts; a page without the policy shows that the test detects them', async () => {
    const { page, strangers, errors } = await watched()
    const load = () => {
      new Image().src = 'https://example.com/pixel.png'
    }
    await page.goto(`${address}/docs`)
    await page.evaluate(load)
    await page.waitForTimeout(200)
    expect(errors.join()).toContain('Content Security Policy')
    expect(strangers).toEqual([])
    await page.goto(`${address}/llms.txt`)
    await page.evaluate(load)
    await page.waitForTimeout(200)
    expect(strangers).toEqual(['https://example.com/pixel.png'])
  }, 60_000)
})
