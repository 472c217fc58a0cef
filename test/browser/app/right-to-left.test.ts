import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { noBrowser } from '../desk.ts'
import { addressesIn } from './addresses.ts'
import { screensOf } from './screens.ts'

const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]
/** Long enough for the requests that a screen sends after its first response. */
const SETTLE_MS = 150
const MOST_PER_PAGE = 3

/**
 * The elements that extend beyond the window. The document clips them, so its own width does not
 * show them. The content of a horizontal scroller can be scrolled to, and text that an ellipsis
 * shortens is shortened on purpose.
 */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate((most) => {
    const isAllowed = (element: Element) => {
      for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
        const { overflowX, textOverflow, clipPath } = getComputedStyle(one)
        if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis' || clipPath !== 'none')
          return true
      }
      return false
    }
    const found: string[] = []
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('svg') && element.localName !== 'svg') continue
      const { left, right, width, height } = element.getBoundingClientRect()
      if (!width || !height || (left >= -1 && right <= innerWidth + 1)) continue
      if (getComputedStyle(element).visibility === 'hidden' || isAllowed(element)) continue
      const { className, localName } = element
      found.push(
        `${localName}.${String(className)} from ${Math.round(left)} to ${Math.round(right)}`,
      )
    }
    return found.slice(0, most)
  }, MOST_PER_PAGE)

describe.skipIf(noBrowser)('no element extends beyond the window', () => {
  let world: Instance
  let browser: Browser
  beforeAll(async () => {
    world = await startDemo()
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  async function open(direction: 'ltr' | 'rtl'): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: SIZES[0]!, reducedMotion: 'reduce' })
    await context.addCookies(world.cookies.map((one) => ({ ...one, url: world.url })))
    await context.addInitScript((dir) => {
      const put = () => document.documentElement?.setAttribute('dir', dir)
      put()
      new MutationObserver(put).observe(document, { childList: true })
    }, direction)
    return context
  }

  async function look(page: Page, name: string): Promise<string[]> {
    const wrong: string[] = []
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await page.waitForTimeout(SETTLE_MS)
      const found = await outside(page)
      wrong.push(...found.map((one) => `${name} at ${size.width}: ${one}`))
    }
    await page.setViewportSize(SIZES[0]!)
    return wrong
  }

  for (const direction of ['ltr', 'rtl'] as const)
    test(`on every route and at three sizes, with dir=${direction}`, async () => {
      const context = await open(direction)
      const page = await context.newPage()
      const wrong: string[] = []
      for (const address of await addressesIn(world)) {
        await page.goto(world.url + address)
        await page.getByRole('main').waitFor()
        expect(await page.evaluate(() => document.documentElement.dir)).toBe(direction)
        wrong.push(...(await look(page, address)))
      }
      await context.close()
      expect(wrong).toEqual([])
    }, 600_000)

  test('on screens with a popup or a dialog, with dir=rtl', async () => {
    const context = await open('rtl')
    const page = await context.newPage()
    const wrong: string[] = []
    for (const { name, path, open: act } of await screensOf(world)) {
      if (!act) continue
      await page.goto(world.url + path)
      await act(page)
      wrong.push(...(await look(page, name)))
    }
    await context.close()
    expect(wrong).toEqual([])
  }, 300_000)
})
