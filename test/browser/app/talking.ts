import type { Page } from 'playwright-core'
import { soon } from '../../binary/players.ts'

/** The chat of the app, as a person at a browser uses it. */
export function talking(page: Page) {
  const panel = page.locator('.chat')
  const box = panel.getByRole('textbox', { name: 'Message' })
  const card = (title: string | RegExp) => panel.getByRole('group', { name: title })
  return {
    panel,
    box,
    card,
    messages: panel.getByRole('region', { name: 'Messages' }),
    async open() {
      await page.keyboard.press('Control+j')
      await box.waitFor()
      await soon(async () => await box.evaluate((one) => one === document.activeElement))
    },
    async say(words: string) {
      await box.fill(words)
      await page.keyboard.press('Enter')
    },
    /** Waits until a card shows this state. */
    stands: (title: string | RegExp, how: string) =>
      card(title).getByText(how).first().waitFor({ state: 'attached' }),
    /** Waits until no answer is pending. */
    quiet: () => panel.getByRole('button', { name: 'Send' }).waitFor(),
  }
}
