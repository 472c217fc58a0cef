import type { Page } from 'playwright-core'
import { LATE, SPLIT } from './model.ts'
import type { Screen } from './screen.ts'

const path = '/projects/1'
const chat = (page: Page) => page.locator('.chat')

async function openChat(page: Page, isNarrow: boolean) {
  if (isNarrow) await page.getByRole('button', { name: 'Chat' }).click()
  else await page.keyboard.press('Control+j')
  await chat(page).getByRole('textbox', { name: 'Message' }).waitFor()
}

/** Sends a message in a new chat. */
async function sendMessage(page: Page, text: string, isNarrow: boolean) {
  await openChat(page, isNarrow)
  await chat(page).getByRole('button', { name: 'New chat', exact: true }).click()
  await chat(page).getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

/** The chat beside a board. */
export const CHAT: readonly Screen[] = [
  {
    ...{ name: 'chat', path },
    async act(page, _, isNarrow) {
      await sendMessage(page, LATE, isNarrow)
      await chat(page).getByText('I would begin with').first().waitFor()
      await chat(page).getByRole('button', { name: 'Send' }).waitFor()
    },
  },
  {
    ...{ name: 'chat-confirm', path },
    async act(page, _, isNarrow) {
      await sendMessage(page, SPLIT, isNarrow)
      await chat(page)
        .getByRole('button', { name: /^Allow\b/ })
        .first()
        .waitFor()
      await chat(page).getByRole('button', { name: 'Send' }).waitFor()
    },
  },
  {
    ...{ name: 'chat-threads', path, isWideOnly: true },
    async act(page, _, isNarrow) {
      await openChat(page, isNarrow)
      await chat(page)
        .getByRole('button', { name: /^Chats: / })
        .click()
      await chat(page)
        .getByRole('button', { name: /^Delete the chat/ })
        .first()
        .waitFor()
    },
  },
]
