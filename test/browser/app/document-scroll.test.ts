import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { noBrowser } from '../desk.ts'
import { addressesIn } from './addresses.ts'

const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]
const TABS = 15
/** Long enough for the requests that a screen sends after its first response. */
const SETTLE_MS = 400

interface Watched {
  /** Elements other than scrollers that scrolled: the document, or a box that only clips. */
  moved: string[]
}

/** Records each scroll of an element that a person could not scroll back. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const watched = { moved: [] as string[] }
    Object.assign(globalThis, { watched })
    const note = ({ target }: Event) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
      if (target instanceof Element) {
        const { overflowX, overflowY } = getComputedStyle(target)
        if (/auto|scroll/.test(overflowX + overflowY)) return
        watched.moved.push(`${target.tagName}.${target.className}`)
      } else watched.moved.push('document')
    }
    addEventListener('scroll', note, true)
  })

/** Elements that scrolled, or that are larger than the window. */
const outOfPlace = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { moved } = (globalThis as unknown as { watched: Watched }).watched
    const found = [...new Set(moved)].map((name) => `${name} scrolled`)
    const isOver = (element: Element) =>
      element.scrollHeight > innerHeight || element.scrollWidth > innerWidth
    for (const element of [
      document.documentElement,
      document.body,
      document.querySelector('#app')!,
    ])
      if (isOver(element) || element.scrollTop || element.scrollLeft)
        found.push(
          `${element.tagName} is ${element.scrollWidth}×${element.scrollHeight} in a window of ${innerWidth}×${innerHeight}`,
        )
    return found
  })

/** Numbers the scrollers; returns a point inside of each one that is not covered. */
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
    const loose = all.filter((element) => getComputedStyle(element).position === 'static')
    if (loose.length) throw new Error(`${loose[0]!.className} scrolls and holds no helpers`)
    return all.flatMap((element, at) => {
      element.dataset.scroller = String(at)
      const { x, y, width, height } = element.getBoundingClientRect()
      const points = [0.5, 0.15, 0.85].map((part) => [x + width * part, y + height * part] as const)
      const free = points.find(
        ([x, y]) => document.elementFromPoint(x, y)?.closest('[data-scroller]') === element,
      )
      const name = `${element.tagName}.${element.className}`
      return free ? [{ at, x: free[0], y: free[1], name }] : []
    })
  })

const frames = (page: Page) =>
  page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))))

/** Wheels over each scroller and over the middle; returns scrollers that missed their end. */
async function wheelEverywhere(page: Page): Promise<string[]> {
  const stuck: string[] = []
  for (const { at, x, y, name } of await scrollersOf(page)) {
    await page.mouse.move(x, y)
    const left = () =>
      page.evaluate((at) => {
        const element = document.querySelector(`[data-scroller="${at}"]`)
        return element ? element.scrollHeight - element.clientHeight - element.scrollTop : 0
      }, at)
    let rest = await left()
    // A virtual list grows while its rows are rendered.
    for (let turn = 0; turn < 20 && rest > 1; turn++) {
      await page.mouse.wheel(0, 20_000)
      await frames(page)
      rest = await left()
    }
    if (rest > 1) stuck.push(`${name} stops ${rest} px before its end`)
    await page.mouse.wheel(0, 20_000)
  }
  const { width, height } = page.viewportSize()!
  await page.mouse.move(width / 2, height / 2)
  await page.mouse.wheel(3000, 20_000)
  await frames(page)
  return stuck
}

/** Focuses every focusable element, visible or not. */
const focusEverything = (page: Page) =>
  page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex]'
    for (const element of document.querySelectorAll<HTMLElement>(selector)) element.focus()
    ;(document.activeElement as HTMLElement | null)?.blur()
  })

describe.skipIf(noBrowser)('the document', () => {
  let world: Instance
  let browser: Browser
  let page: Page
  let addresses: string[]
  beforeAll(async () => {
    world = await startDemo()
    addresses = await addressesIn(world)
    browser = await openBrowser()
    const context = await browser.newContext({ viewport: SIZES[0]!, reducedMotion: 'reduce' })
    const { url } = world
    await context.addCookies(world.cookies.map((one) => ({ ...one, url })))
    page = await context.newPage()
    await watch(page)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  test('never scrolls, and every scroller reaches its end, on every route and at three sizes', async () => {
    const wrong: string[] = []
    for (const address of addresses)
      for (const size of SIZES) {
        await page.setViewportSize(size)
        if (size === SIZES[0]) {
          await page.goto(world.url + address)
          await page.getByRole('main').waitFor()
          await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
          await page.waitForTimeout(SETTLE_MS)
        }
        await frames(page)
        const note = (found: readonly string[]) =>
          wrong.push(...found.map((one) => `${address} at ${size.width}: ${one}`))
        note(await wheelEverywhere(page))
        for (let press = 0; press < TABS; press++) await page.keyboard.press('Tab')
        await focusEverything(page)
        await frames(page)
        note(await outOfPlace(page))
        await page.evaluate(() => {
          ;(globalThis as unknown as { watched: Watched }).watched.moved = []
        })
      }
    expect(wrong).toEqual([])
  }, 600_000)
})
