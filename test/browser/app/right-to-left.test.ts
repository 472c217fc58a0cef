import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { pseudoLanguage } from '../../support/pseudo-language.ts'
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

/**
 * The texts of which a part is hidden, because an element around them is too small and neither
 * scrolls nor shortens them with an ellipsis, and those that leave their button.
 */
const clippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate((limit) => {
    const clipperOf = (element: Element): Element | undefined => {
      for (
        let one: Element | null = element;
        one && one !== document.body;
        one = one.parentElement
      ) {
        const style = getComputedStyle(one)
        const { overflowX, overflowY, textOverflow, clipPath, webkitLineClamp, display } = style
        if (textOverflow === 'ellipsis' || clipPath !== 'none' || webkitLineClamp !== 'none')
          return undefined
        if (/auto|scroll/.test(overflowX + overflowY) || style.position === 'fixed')
          return undefined
        if (/hidden|clip/.test(overflowX) && display !== 'inline') return one
        if (one.matches('button, [role="tab"], .button')) return one
      }
      return undefined
    }
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      if (!node.nodeValue!.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue
      if (parent.closest('svg, .cm-editor, [aria-hidden="true"], canvas, pre')) continue
      const clipper = clipperOf(parent)
      if (!clipper) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const [text, box] = [range.getBoundingClientRect(), clipper.getBoundingClientRect()]
      // What is animated to no size, or only for screen readers, is hidden on purpose.
      if (!text.width || box.width <= 2 || box.height <= 2) continue
      if (text.left >= box.left - 2 && text.right <= box.right + 2) continue
      texts.push(
        `"${node.nodeValue!.trim().slice(0, 40)}" in ${clipper.localName}.${String(clipper.className)}`,
      )
    }
    return texts.slice(0, limit)
  }, MAX_PER_PAGE)

describe.skipIf(isBrowserSkipped)(
  'no element extends beyond the window and no text its box',
  () => {
    let demo: Instance
    let browser: Browser
    let pseudo: string
    beforeAll(async () => {
      demo = await startDemo()
      browser = await openBrowser()
      pseudo = await pseudoLanguage()
    })
    afterAll(async () => {
      await browser?.close()
      await demo?.stop()
    })

    async function open(direction: 'ltr' | 'rtl', isPseudo = false): Promise<BrowserContext> {
      const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })
      await context.addCookies(demo.cookies.map((one) => ({ ...one, url: demo.url })))
      await context.addInitScript((dir) => {
        const setDirection = () => document.documentElement?.setAttribute('dir', dir)
        setDirection()
        new MutationObserver(setDirection).observe(document, { childList: true })
      }, direction)
      if (isPseudo) await context.addInitScript(pseudo)
      return context
    }

    async function checkSizes(page: Page, name: string) {
      await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await page.waitForTimeout(SETTLE_MS)
        // A slow machine may still show what the screen shows while it loads.
        await expectEventually(
          async () =>
            [...(await elementsOutside(page)), ...(await clippedTexts(page))].map(
              (one) => `${name} at ${size.width}: ${one}`,
            ),
          [],
        )
      }
      await page.setViewportSize(DESKTOP)
    }

    for (const [direction, isPseudo] of [
      ['ltr', false],
      ['ltr', true],
      ['rtl', true],
    ] as const)
      test(`on every route and at every size, with dir=${direction}${isPseudo ? ' and long texts' : ''}`, async () => {
        const context = await open(direction, isPseudo)
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
  },
)
