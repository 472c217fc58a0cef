import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request, Route } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { mapConcurrently } from '../../../scripts/concurrency.ts'
import { type Instance, startDemo } from '../../../scripts/screens/instances.ts'
import { catalog } from '../../../src/catalog.ts'
import { routesOf } from '../../../src/surfaces/rest/routes.ts'
import { scaleCount } from '../../support/scale.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped } from '../web-app.ts'
import { type Screen, screensOf } from './screens.ts'

/** The requests of each operation, as a pattern for "METHOD path". */
const OPERATIONS = routesOf(catalog)
  .map(({ op, method, path }) => ({
    name: op.name,
    pattern: new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`),
    parameters: path.split(':').length,
  }))
  // A fixed path takes precedence over a path with parameters.
  .sort((a, b) => a.parameters - b.parameters)

function operationOf(request: Request): string | undefined {
  const { pathname } = new URL(request.url())
  const line = `${request.method()} ${pathname}`
  return OPERATIONS.find(({ pattern }) => pattern.test(line))?.name
}

const MESSAGE = /Could not load|could not be loaded|cannot be shown|could not start/
const BODY = JSON.stringify({ success: false, error: 'internal', message: 'Failed on purpose' })
/** Presence is no data that anybody waits for, so its failure shows no message. */
const SILENT = 'presence.report'
/** The time for a screen to load. The event stream keeps the network from becoming idle. */
const SETTLE_MS = 1500
/** An operation that many screens request is tested on only this many of them. */
const MAX_SCREENS = scaleCount(1, 2)
/** More than needed, because a busy machine renders responses late. */
const MAX_RETRIES = 30
/** If fewer operations are requested, the screens have not loaded. */
const MIN_OPERATIONS = 45

/** More pages at once need longer to recover than the retries allow. */
const MAX_PAGES = 1

describe.skipIf(isBrowserSkipped)('a request that fails', () => {
  let demo: Instance
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let screens: Screen[]
  beforeAll(async () => {
    demo = await startDemo()
    browser = await openBrowser()
    screens = await screensOf(demo)
  })
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
    const operations = new Set<string>()
    const { page, close } = await visit(path, (name) => {
      if (name && name !== SILENT) operations.add(name)
      return false
    })
    await page.waitForTimeout(SETTLE_MS)
    if (open) {
      operations.clear()
      await open(page)
      await page.waitForTimeout(SETTLE_MS)
    }
    await close()
    return operations
  }

  const alertsOf = (page: Page) =>
    page.locator('[role=alert], main.broken').filter({ hasText: MESSAGE })

  const succeeds = (promise: Promise<unknown>) =>
    promise.then(
      () => true,
      () => false,
    )

  /** Fails one operation, then retries it. Returns the problem, or an empty string. */
  async function retryProblem({ path, open }: Screen, operation: string): Promise<string> {
    const { page, recover, close } = await visit(path, (name) => name === operation)
    try {
      await open?.(page)
      const alerts = alertsOf(page)
      if (!(await succeeds(alerts.first().waitFor()))) return 'no message'
      await recover()
      for (let times = 0; await alerts.count(); times++) {
        if (times === MAX_RETRIES) return 'Retry did not recover'
        // The alert may be gone, because the retry of another alert can load its data as well.
        const retry = alerts.first().getByRole('button', { name: /^Retry/ })
        if (await succeeds(retry.focus({ timeout: 1000 }))) await page.keyboard.press('Enter')
        await page.waitForTimeout(300)
      }
      return ''
    } finally {
      await close()
    }
  }

  test('is reported on every screen, and Retry by keyboard recovers', async () => {
    const screenFilter = process.env.CORK_SCREEN ?? ''
    const selectedScreens = screens.filter(({ name }) => name.includes(screenFilter))
    const problems: string[] = []
    const requested = await mapConcurrently(MAX_PAGES, selectedScreens, (screen) =>
      requestedBy(screen).catch((error) => {
        problems.push(`${screen.name}: ${error}`)
        return new Set<string>()
      }),
    )
    const timesRequested = new Map<string, number>()
    const failures: [Screen, string][] = []
    for (const [index, screen] of selectedScreens.entries())
      for (const operation of requested[index]!) {
        const times = timesRequested.get(operation) ?? 0
        timesRequested.set(operation, times + 1)
        if (times < MAX_SCREENS) failures.push([screen, operation])
      }
    await mapConcurrently(MAX_PAGES, failures, async ([screen, operation]) => {
      const problem = await retryProblem(screen, operation).catch(String)
      if (problem) problems.push(`${screen.name}: ${operation}: ${problem}`)
    })
    expect(problems).toEqual([])
    if (!screenFilter) expect(timesRequested.size).toBeGreaterThan(MIN_OPERATIONS)
  }, 1_500_000)

  test('affects only its part of the screen, which is accessible and keeps the focus', async () => {
    const task = screens.find(({ name }) => name === 'a task')!
    const { page, recover, close } = await visit(task.path, (name) => name === 'comments.list')
    const comments = page.getByRole('region', { name: 'Comments' })
    await comments.getByRole('alert').getByText('Could not load comments').waitFor()
    await page.getByText('Open a large board').waitFor()
    expect(await comments.getByRole('textbox').count()).toBe(1)
    expect(await alertsOf(page).count()).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await recover()
    await comments.getByRole('button', { name: 'Retry loading comments' }).focus()
    await page.keyboard.press('Enter')
    await comments.getByRole('listitem').first().waitFor()
    const isWithin = await comments.evaluate((one) => one.contains(document.activeElement))
    expect(isWithin).toBe(true)
    await close()
  })

  test('is shown in a dialog that loads after the request has failed', async () => {
    const { path, open } = screens.find(({ name }) => name === 'the versions of a text')!
    const { page, close } = await visit(path, (name) => name === 'tasks.versions')
    await page.route('**/assets/dialog-popup-*.js', async (route) => {
      await Bun.sleep(3000)
      await route.fallback()
    })
    await page.reload()
    await open!(page)
    await page.getByRole('dialog').getByText('Could not load versions').waitFor()
    await close()
  })
})
