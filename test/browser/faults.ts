import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Accessibility violations that axe finds, and whether the page is wider than its window. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    // The document clips overflow, so its own width is not enough.
    const all = [document.documentElement, document.body, document.querySelector('#app')]
    const isWide = all.some((element) => element && element.scrollWidth > innerWidth)
    const wide = isWide ? ['wider than its window'] : []
    return [...wide, ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]
  })
}

/** The faults in both themes. Without motion, so that no colour is in transition. */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await faults(page)).map((one) => `${colorScheme}: ${one}`))
  }
  return found
}

/** Collects uncaught errors, console errors and warnings, and requests to other hosts. */
export function listened(page: Page, url: string, may?: RegExp): string[] {
  const complaints: string[] = []
  const complain = (words: string) => may?.test(words) || complaints.push(words)
  page.on('pageerror', (error) => complain(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.text())
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(`${url}/`) && !/^(data|blob):/.test(to)) complain(`asked ${to}`)
  })
  return complaints
}
