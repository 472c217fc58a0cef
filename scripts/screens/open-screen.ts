import type { Browser, BrowserContext, Page } from 'playwright-core'
import { recordProblems } from '../../test/browser/page-checks.ts'
import type { Instances } from './instances.ts'
import type { Screen } from './screen.ts'

export interface Variant {
  theme: 'light' | 'dark'
  isNarrow?: boolean
  /** The width of the window, if it is not that of a usual one. */
  width?: number
  /** The device pixel ratio of the screenshot. */
  scale?: number
}

interface OpenedScreen {
  page: Page
  context: BrowserContext
  problems: string[]
}

/** Opens a screen in a new browser context and performs its actions. */
export async function openScreen(
  browser: Browser,
  instances: Instances,
  screen: Screen,
  { theme, isNarrow = false, width = isNarrow ? 390 : 1360, scale = 1 }: Variant,
): Promise<OpenedScreen> {
  const instance = instances[screen.instance ?? 'demo']
  const context = await browser.newContext({
    ...{ colorScheme: theme, reducedMotion: 'reduce', deviceScaleFactor: scale },
    viewport: { width, height: isNarrow ? 844 : 850 },
    ...{ hasTouch: isNarrow, isMobile: isNarrow, locale: 'en-GB' },
    timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  if (!screen.isSignedOut)
    await context.addCookies(instance.cookies.map((cookie) => ({ ...cookie, url: instance.url })))
  const page = await context.newPage()
  const problems = recordProblems(page, instance.url, screen.ignoredMessages)
  page.setDefaultTimeout(10_000)
  await screen.prepare?.(instance)
  await page.goto(
    instance.url + (typeof screen.path === 'string' ? screen.path : screen.path(instance)),
  )
  // A dialog may hide `main` from queries by role, so it only has to be attached.
  await page.locator('main').waitFor({ state: 'attached' })
  await waitUntilStill(page)
  await screen.act?.(page, instance, isNarrow)
  await waitUntilStill(page)
  return { page, context, problems }
}

/** Waits until nothing on the page has changed for a while and no animation runs. */
const waitUntilStill = (page: Page) =>
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
      .filter(
        (animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      )
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})))
  })
