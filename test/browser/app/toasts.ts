import type { Page } from 'playwright-core'

/** Waits for a message about what was done. */
export const waitForToast = (page: Page, text: string | RegExp) =>
  page.getByLabel('What happened').getByText(text).first().waitFor()
