import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const rows = (page: Page) => page.getByRole('article')

const invite = async (page: Page) => {
  await page.getByLabel('Email').fill('kim@example.com')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('button', { name: /^Copy/ }).first().waitFor()
}

export const INBOX: readonly Screen[] = [
  { name: 'inbox', path: '/inbox', act: (page) => rows(page).first().waitFor() },
  {
    name: 'inbox-open',
    path: '/inbox',
    async act(page) {
      await rows(page)
        .getByRole('button', { name: /asks you to decide/ })
        .click()
      await page.getByText('Exports time out').last().waitFor()
    },
  },
  { name: 'inbox-board', path: '/inbox?in=all&board=1', isWideOnly: true },
  {
    name: 'inbox-back',
    path: '/inbox',
    async act(page) {
      await page.getByRole('button', { name: /mentioned you/ }).focus()
      await page.keyboard.press('r')
      await page.getByRole('textbox', { name: /^Reply/ }).fill('Good enough for whom?')
    },
    isWideOnly: true,
  },
  {
    name: 'inbox-chosen',
    path: '/inbox',
    async act(page) {
      await rows(page).first().waitFor()
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    },
    isWideOnly: true,
  },
  { name: 'inbox-zero', instance: 'empty', path: '/inbox' },
  { name: 'team', path: '/settings/team' },
  {
    name: 'team-policy',
    path: '/settings/team',
    act: (page) =>
      page.getByRole('region', { name: 'Sign-in and access' }).scrollIntoViewIfNeeded(),
  },
  { name: 'team-invited', instance: 'empty', path: '/settings/team', act: invite },
  { name: 'audit', path: '/settings/audit' },
  {
    name: 'audit-entry',
    path: '/settings/audit?kind=agent.',
    act: (page) =>
      page
        .getByRole('button', { name: /created the agent/ })
        .first()
        .click(),
    isWideOnly: true,
  },
]
