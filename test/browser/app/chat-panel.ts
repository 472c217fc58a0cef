import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'

/** Locators and actions for the chat of the app. */
export function chatPanel(page: Page) {
  const panel = page.locator('.chat')
  const input = panel.getByRole('textbox', { name: 'Message' })
  const card = (title: string | RegExp) => panel.getByRole('group', { name: title })
  /** Waits until no answer is pending. */
  const waitUntilIdle = () => panel.getByRole('button', { name: 'Send' }).waitFor()
  return {
    panel,
    input,
    card,
    messages: panel.getByRole('region', { name: 'Messages' }),
    async open() {
      await page.keyboard.press('Control+j')
      await input.waitFor()
      await waitUntil(async () => await input.evaluate((one) => one === document.activeElement))
    },
    /** An answer is pending until it is stored, which is after its text is shown. */
    async send(message: string) {
      await input.fill(message)
      await waitUntilIdle()
      await page.keyboard.press('Enter')
    },
    /** Waits until a card shows this state. */
    waitForState: (title: string | RegExp, state: string) =>
      card(title).getByText(state).first().waitFor({ state: 'attached' }),
    waitUntilIdle,
  }
}
