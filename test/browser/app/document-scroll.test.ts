import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { isBrowserSkipped } from '../web-app.ts'
import { addressesIn } from './addresses.ts'

const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]
const TAB_PRESSES = 15
/** Long enough for the requests that a screen sends after its first response. */
const SETTLE_MS = 400

interface ScrollRecord {
  /** Elements that scrolled although they are not scrollers: the document, or clipping boxes. */
  scrolled: string[]
}

/** Records scrolls of elements that a person cannot scroll back, in the global `scrollRecord`. */
const recordScrolls = (page: Page) =>
  page.addInitScript(() => {
    const scrollRecord = { scrolled: [] as string[] }
    Object.assign(globalThis, { scrollRecord })
    const addScroll = ({ target }: Event) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
      if (target instanceof Element) {
        const { overflowX, overflowY } = getComputedStyle(target)
        if (/auto|scroll/.test(overflowX + overflowY)) return
        scrollRecord.scrolled.push(`${target.tagName}.${target.className}`)
      } else scrollRecord.scrolled.push('document')
    }
    addEventListener('scroll', addScroll, true)
  })

/** Elements that scrolled, or that are larger than the window. */
const misplacedElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrolled } = (globalThis as unknown as { scrollRecord: ScrollRecord }).scrollRecord
    const found = [...new Set(scrolled)].map((name) => `${name} scrolled`)
    const isLargerThanWindow = (element: Element) =>
      element.scrollHeight > innerHeight || element.scrollWidth > innerWidth
    for (const element of [
      document.documentElement,
      document.body,
      document.querySelector('#app')!,
    ])
      if (isLargerThanWindow(element) || element.scrollTop || element.scrollLeft)
        found.push(
          `${element.tagName} is ${element.scrollWidth}×${element.scrollHeight} in a window of ${innerWidth}×${innerHeight}`,
        )
    return found
  })

/** Numbers the scrollers; returns for each one a point at which nothing covers it. */
const scrollersOf = (page: Page): Promise<{ at: number; x: number; y: number; name: string }[]> =>
  page.evaluate(() => {
    const isScroller = (element: Element) => {
      const { overflowY } = getComputedStyle(element)
      return /auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1
    }
    const isTextarea = (element: Element) => element.matches('textarea, select')
    const all = [...document.querySelectorAll<HTMLElement>('#app *')].filter(
      (element) => isScroller(element) && !isTextarea(element),
    )
    const unpositioned = all.filter((element) => getComputedStyle(element).position === 'static')
    if (unpositioned.length)
      throw new Error(
        `${unpositioned[0]!.className} scrolls, but is not positioned, so it does not contain its absolutely positioned children`,
      )
    return all.flatMap((element, at) => {
      element.dataset.scroller = String(at)
      const { x, y, width, height } = element.getBoundingClientRect()
      const points = [0.5, 0.15, 0.85].map((part) => [x + width * part, y + height * part] as const)
      const uncovered = points.find(
        ([x, y]) => document.elementFromPoint(x, y)?.closest('[data-scroller]') === element,
      )
      const name = `${element.tagName}.${element.className}`
      return uncovered ? [{ at, x: uncovered[0], y: uncovered[1], name }] : []
    })
  })

const waitForFrames = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )

/** Turns the wheel over each scroller and over the middle; returns those that miss their end. */
async function wheelEverywhere(page: Page): Promise<string[]> {
  const stuck: string[] = []
  for (const { at, x, y, name } of await scrollersOf(page)) {
    await page.mouse.move(x, y)
    const pixelsToEnd = () =>
      page.evaluate((at) => {
        const element = document.querySelector(`[data-scroller="${at}"]`)
        return element ? element.scrollHeight - element.clientHeight - element.scrollTop : 0
      }, at)
    let remaining = await pixelsToEnd()
    // A virtual list grows while its rows are rendered.
    for (let attempt = 0; attempt < 20 && remaining > 1; attempt++) {
      await page.mouse.wheel(0, 20_000)
      await waitForFrames(page)
      remaining = await pixelsToEnd()
    }
    if (remaining > 1) stuck.push(`${name} stops ${remaining} px before its end`)
    await page.mouse.wheel(0, 20_000)
  }
  const { width, height } = page.viewportSize()!
  await page.mouse.move(width / 2, height / 2)
  await page.mouse.wheel(3000, 20_000)
  await waitForFrames(page)
  return stuck
}

/** Focuses every focusable element, visible or not. */
const focusEverything = (page: Page) =>
  page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex]'
    for (const element of document.querySelectorAll<HTMLElement>(selector)) element.focus()
    ;(document.activeElement as HTMLElement | null)?.blur()
  })

describe.skipIf(isBrowserSkipped)('the document', () => {
  let demo: Instance
  let browser: Browser
  let page: Page
  let addresses: string[]
  beforeAll(async () => {
    demo = await startDemo()
    addresses = await addressesIn(demo)
    browser = await openBrowser()
    const context = await browser.newContext({ viewport: SIZES[0]!, reducedMotion: 'reduce' })
    const { url } = demo
    await context.addCookies(demo.cookies.map((one) => ({ ...one, url })))
    page = await context.newPage()
    await recordScrolls(page)
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  test('never scrolls, and every scroller reaches its end, on every route and at three sizes', async () => {
    const problems: string[] = []
    for (const address of addresses)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        if (size === SIZES[0]) {
          await page.goto(demo.url + address)
          await page.getByRole('main').waitFor()
          await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
          await page.waitForTimeout(SETTLE_MS)
        }
        await waitForFrames(page)
        const addProblems = (found: readonly string[]) =>
          problems.push(...found.map((one) => `${address} at ${size.width}: ${one}`))
        addProblems(await wheelEverywhere(page))
        for (let press = 0; press < TAB_PRESSES; press++) await page.keyboard.press('Tab')
        await focusEverything(page)
        await waitForFrames(page)
        addProblems(await misplacedElements(page))
        await page.evaluate(() => {
          ;(globalThis as unknown as { scrollRecord: ScrollRecord }).scrollRecord.scrolled = []
        })
      }
    expect(problems).toEqual([])
  }, 600_000)
})
