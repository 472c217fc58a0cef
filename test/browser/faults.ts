import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What a reader with a screen reader, or a narrow window, would stumble over. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    // The document clips what sticks out, so its own width says nothing.
    const all = [document.documentElement, document.body, document.querySelector('#app')]
    const isWide = all.some((element) => element && element.scrollWidth > innerWidth)
    const wide = isWide ? ['wider than its window'] : []
    return [...wide, ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]
  })
}

/** The same in light and dark; without motion, so that no colour is measured on its way. */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await faults(page)).map((one) => `${colorScheme}: ${one}`))
  }
  return found
}

/** What goes wrong out of sight: errors, warnings, and requests to anybody else. */
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
