import type { Browser, BrowserContext, Page } from 'playwright-core'
import { listened } from '../../test/browser/faults.ts'
import type { Place } from './place.ts'
import type { Worlds } from './world.ts'

export interface Way {
  theme: 'light' | 'dark'
  isNarrow?: boolean
  /** Pixels of the picture for each of the page. */
  scale?: number
}

interface Seat {
  page: Page
  context: BrowserContext
  complaints: string[]
}

/** Somebody new at one of the places, who has done what is done there. */
export async function sitAt(
  browser: Browser,
  worlds: Worlds,
  place: Place,
  { theme, isNarrow = false, scale = 1 }: Way,
): Promise<Seat> {
  const world = worlds[place.world ?? 'demo']
  const context = await browser.newContext({
    ...{ colorScheme: theme, reducedMotion: 'reduce', deviceScaleFactor: scale },
    viewport: isNarrow ? { width: 390, height: 844 } : { width: 1360, height: 850 },
    ...{ hasTouch: isNarrow, isMobile: isNarrow, locale: 'en-GB' },
    timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  if (!place.isStranger)
    await context.addCookies(world.cookies.map((one) => ({ ...one, url: world.url })))
  const page = await context.newPage()
  const complaints = listened(page, world.url, place.may)
  page.setDefaultTimeout(10_000)
  await place.before?.(world)
  await page.goto(world.url + (typeof place.path === 'string' ? place.path : place.path(world)))
  // What stands above it may hide it from whoever asks for its role.
  await page.locator('main').waitFor({ state: 'attached' })
  await settle(page)
  await place.act?.(page, world, isNarrow)
  await settle(page)
  return { page, context, complaints }
}

/** Until nothing on the page has changed for a while, and nothing moves. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    await new Promise<void>((done) => {
      const QUIET_MS = 250
      const PATIENCE_MS = 4000
      let timer = setTimeout(done, QUIET_MS)
      setTimeout(done, PATIENCE_MS)
      new MutationObserver(() => {
        clearTimeout(timer)
        timer = setTimeout(done, QUIET_MS)
      }).observe(document, { subtree: true, childList: true, attributes: true })
    })
    const moving = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})))
  })
