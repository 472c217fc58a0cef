import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request, Route } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { routes } from '../../../src/web/data/routes.ts'
import { noBrowser } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { type Screen, screensOf } from './screens.ts'

/** How each operation is requested, as a pattern of "METHOD path". */
const OPERATIONS = Object.entries(routes())
  .map(([name, route]) => ({
    name,
    pattern: new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`),
    parameters: route.split(':').length,
  }))
  // A fixed path wins over one with parameters.
  .sort((a, b) => a.parameters - b.parameters)

function operationOf(request: Request): string | undefined {
  const { pathname } = new URL(request.url())
  const line = `${request.method()} ${pathname}`
  return OPERATIONS.find(({ pattern }) => pattern.test(line))?.name
}

const MESSAGE = /Could not load|could not be loaded|cannot be shown|could not start/
const BODY = JSON.stringify({ success: false, error: 'internal', message: 'Failed on purpose' })
/** The event stream never lets the network be idle, so a screen gets this long to load. */
const SETTLE_MS = 1500
/** Operations that more screens than these request are not tried on each of them. */
const MOST_SCREENS = 2
/** Far more than needed: a busy machine takes its time to show what came. */
const MOST_RETRIES = 30
/** Fewer would mean that the screens were not loaded. */
const LEAST_OPERATIONS = 45

describe.skipIf(noBrowser)('a request that fails', () => {
  let demo: Instance
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let screens: Screen[]
  beforeAll(async () => {
    demo = await startDemo()
    browser = await openBrowser()
    screens = await screensOf(demo)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  /** Opens a path in a new browser context in which some operations fail. */
  async function visit(path: string, isFailing: (name: string | undefined) => boolean) {
    const context = await browser.newContext({
      ...{ viewport: { width: 1280, height: 850 }, reducedMotion: 'reduce' },
    })
    await context.addCookies(demo.cookies.map((one) => ({ ...one, url: demo.url })))
    const fail = (route: Route) =>
      isFailing(operationOf(route.request()))
        ? route.fulfill({ status: 500, contentType: 'application/json', body: BODY })
        : route.fallback()
    await context.route('**/api/v1/**', fail)
    const page = await context.newPage()
    await page.goto(demo.url + path)
    await page.locator('main').first().waitFor({ state: 'attached' })
    return {
      page,
      recover: () => context.unroute('**/api/v1/**', fail),
      close: () => context.close(),
    }
  }

  /** The operations that a screen requests, or only those of the popup opened on it. */
  async function requestedBy({ path, open }: Screen): Promise<Set<string>> {
    const found = new Set<string>()
    const { page, close } = await visit(path, (name) => {
      if (name) found.add(name)
      return false
    })
    await page.waitForTimeout(SETTLE_MS)
    if (open) {
      found.clear()
      await open(page)
      await page.waitForTimeout(SETTLE_MS)
    }
    await close()
    return found
  }

  const alertsOf = (page: Page) =>
    page.locator('[role=alert], main.broken').filter({ hasText: MESSAGE })

  const comesToPass = (promise: Promise<unknown>) =>
    promise.then(
      () => true,
      () => false,
    )

  /** What goes wrong while the operation fails and after Retry; empty if nothing does. */
  async function tried({ path, open }: Screen, operation: string): Promise<string> {
    const { page, recover, close } = await visit(path, (name) => name === operation)
    try {
      await open?.(page)
      const alerts = alertsOf(page)
      if (!(await comesToPass(alerts.first().waitFor()))) return 'no message'
      await recover()
      for (let times = 0; await alerts.count(); times++) {
        if (times === MOST_RETRIES) return 'Retry did not recover'
        // The alert may be gone by now, because a request of another one brought its data.
        const retry = alerts.first().getByRole('button', { name: /^Retry/ })
        if (await comesToPass(retry.focus({ timeout: 1000 }))) await page.keyboard.press('Enter')
        await page.waitForTimeout(300)
      }
      return ''
    } finally {
      await close()
    }
  }

  test('is reported on every screen, and Retry by keyboard recovers', async () => {
    const problems: string[] = []
    const seen = new Map<string, number>()
    const only = process.env.CORK_SCREEN ?? ''
    for (const screen of screens.filter(({ name }) => name.includes(only))) {
      const requested = await requestedBy(screen).catch((error) => {
        problems.push(`${screen.name}: ${error}`)
        return []
      })
      for (const operation of requested) {
        const times = seen.get(operation) ?? 0
        seen.set(operation, times + 1)
        if (times >= MOST_SCREENS) continue
        const problem = await tried(screen, operation).catch(String)
        if (problem) problems.push(`${screen.name}: ${operation}: ${problem}`)
      }
    }
    expect(problems).toEqual([])
    if (!only) expect(seen.size).toBeGreaterThan(LEAST_OPERATIONS)
  }, 1_500_000)

  test('affects only its part of the screen, which is accessible and keeps the focus', async () => {
    const task = screens.find(({ name }) => name === 'a task')!
    const { page, recover, close } = await visit(task.path, (name) => name === 'comments.list')
    const comments = page.getByRole('region', { name: 'Comments' })
    await comments.getByRole('alert').getByText('Could not load comments').waitFor()
    await page.getByText('Open a large board').waitFor()
    expect(await comments.getByRole('textbox').count()).toBe(1)
    expect(await alertsOf(page).count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])
    await recover()
    await comments.getByRole('button', { name: 'Retry loading comments' }).focus()
    await page.keyboard.press('Enter')
    await comments.getByRole('listitem').first().waitFor()
    const isWithin = await comments.evaluate((one) => one.contains(document.activeElement))
    expect(isWithin).toBe(true)
    await close()
  }, 60_000)
})
