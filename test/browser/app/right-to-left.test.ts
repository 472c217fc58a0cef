import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { isFull } from '../../support/scale.ts'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped } from '../web-app.ts'
import { addressesIn } from './addresses.ts'
import { screensOf } from './screens.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const SIZES = isFull ? [DESKTOP, { width: 768, height: 1024 }, PHONE] : [DESKTOP, PHONE]
/** Long enough for the requests that a screen sends after its first response. */
const SETTLE_MS = 150
const MAX_PER_PAGE = 3

/**
 * The elements that extend beyond the window. The document clips them, so its own width does not
 * show them. The content of a horizontal scroller can be scrolled to, and text that an ellipsis
 * shortens is shortened on purpose.
 */
const elementsOutside = (page: Page): Promise<string[]> =>
  page.evaluate((limit) => {
    const isAllowed = (element: Element) => {
      for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
        const { overflowX, textOverflow, clipPath } = getComputedStyle(one)
        if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis' || clipPath !== 'none')
          return true
      }
      return false
    }
    const elements: string[] = []
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('svg') && element.localName !== 'svg') continue
      const { left, right, width, height } = element.getBoundingClientRect()
      if (!width || !height || (left >= -1 && right <= innerWidth + 1)) continue
      if (getComputedStyle(element).visibility === 'hidden' || isAllowed(element)) continue
      const { className, localName } = element
      elements.push(
        `${localName}.${String(className)} from ${Math.round(left)} to ${Math.round(right)}`,
      )
    }
    return elements.slice(0, limit)
  }, MAX_PER_PAGE)

describe.skipIf(isBrowserSkipped)('no element extends beyond the window', () => {
  let demo: Instance
  let browser: Browser
  beforeAll(async () => {
    demo = await startDemo()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  async function open(direction: 'ltr' | 'rtl'): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })
    await context.addCookies(demo.cookies.map((one) => ({ ...one, url: demo.url })))
    await context.addInitScript((dir) => {
      const setDirection = () => document.documentElement?.setAttribute('dir', dir)
      setDirection()
      new MutationObserver(setDirection).observe(document, { childList: true })
    }, direction)
    return context
  }

  async function checkSizes(page: Page, name: string) {
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await page.waitForTimeout(SETTLE_MS)
      // A slow machine may still show what the screen shows while it loads.
      await expectEventually(
        async () => (await elementsOutside(page)).map((one) => `${name} at ${size.width}: ${one}`),
        [],
      )
    }
    await page.setViewportSize(DESKTOP)
  }

  for (const direction of ['ltr', 'rtl'] as const)
    test(`on every route and at every size, with dir=${direction}`, async () => {
      const context = await open(direction)
      const page = await context.newPage()
      for (const address of await addressesIn(demo)) {
        await page.goto(demo.url + address)
        await page.getByRole('main').waitFor()
        expect(await page.evaluate(() => document.documentElement.dir)).toBe(direction)
        await checkSizes(page, address)
      }
      await context.close()
    }, 600_000)

  test('on screens with a popup or a dialog, with dir=rtl', async () => {
    const context = await open('rtl')
    const page = await context.newPage()
    for (const { name, path, open: openPopup } of await screensOf(demo)) {
      if (!openPopup) continue
      await page.goto(demo.url + path)
      await openPopup(page)
      await checkSizes(page, name)
    }
    await context.close()
  }, 300_000)
})
