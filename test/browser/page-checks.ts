import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Accessibility violations that axe finds, and whether the page is wider than its window. */
export async function accessibilityIssues(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // Text that fades in has too little contrast.
    const isMoving = ({ playState, effect }: Animation) =>
      playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
    const moving = document.getAnimations().filter(isMoving)
    await Promise.allSettled(moving.map(({ finished }) => finished))
    // Preloading serves only rules about sounds and turned devices, and fails without a server.
    // Axe is not loaded in frames, and its message to a sandboxed one is an error on the console.
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      preload: false,
      iframes: false,
    })
    // The document clips overflow, so its own width is not enough.
    const elements = [document.documentElement, document.body, document.querySelector('#app')]
    const isWide = elements.some((element) => element && element.scrollWidth > innerWidth)
    const overflowIssues = isWide ? ['wider than its window'] : []
    return [...overflowIssues, ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]
  })
}

/** Checks both themes, with reduced motion, so that no colour is in transition. */
export async function accessibilityIssuesInBothThemes(page: Page): Promise<string[]> {
  const issues: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    issues.push(...(await accessibilityIssues(page)).map((issue) => `${colorScheme}: ${issue}`))
  }
  return issues
}

/** The cumulative layout shift since the page was opened. */
export const layoutShiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const one of list.getEntries()) sum += (one as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // Buffered entries are delivered by the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 50))
      }),
  )

/** Most sessions block service workers, of which Playwright warns. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'

/** Collects uncaught errors, console errors and warnings, and requests to other hosts. */
export function recordProblems(page: Page, url: string, ignoredMessages?: RegExp): string[] {
  const problems: string[] = []
  const isIgnored = (message: string) =>
    message === BLOCKED_WORKER || ignoredMessages?.test(message)
  const addProblem = (message: string) => isIgnored(message) || problems.push(message)
  page.on('pageerror', (error) => addProblem(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) addProblem(message.text())
  })
  page.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(`${url}/`) && !/^(data|blob):/.test(target))
      addProblem(`requested ${target}`)
  })
  return problems
}
