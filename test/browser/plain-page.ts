import type { Browser } from 'playwright-core'

export type Scheme = 'light' | 'dark'

/** Opens a page outside of the web app, and collects the errors that the browser reports. */
export async function openPlainPage(browser: Browser, colorScheme: Scheme, width: number) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  return { page, errors }
}
