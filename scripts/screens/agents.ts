import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

/** Opens an agent by its name in the list. */
async function openAgent(page: Page, name: string) {
  await page.getByRole('main').getByRole('link', { name, exact: true }).click()
  await page.getByRole('region', { name: 'Runs' }).waitFor()
}

/** Fills in the dialog for a new agent. */
async function fillNewAgent(page: Page) {
  await page.getByRole('button', { name: /^New agent/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Claude at the pier')
}

export const AGENTS: readonly Screen[] = [
  { name: 'agents', path: '/agents' },
  { name: 'agents-empty', instance: 'empty', path: '/agents', isWideOnly: true },
  { name: 'agents-new', path: '/agents', act: fillNewAgent },
  { name: 'agent', path: '/agents', act: (page) => openAgent(page, 'Lantern') },
  {
    name: 'agent-delete',
    path: '/agents',
    async act(page) {
      await page.getByRole('button', { name: 'More about Lantern' }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByLabel(/^Type its name/).fill('Lan')
    },
    isWideOnly: true,
  },
  {
    name: 'webhook',
    path: '/agents',
    async act(page) {
      await openAgent(page, 'Lantern')
      await page.getByRole('button', { name: 'Set up…' }).click()
      await page.getByRole('dialog').getByLabel('Address').fill('https://example.com/hook')
    },
    isWideOnly: true,
  },
  { name: 'run', path: '/runs/1' },
  {
    name: 'run-found',
    path: '/runs/1',
    async act(page) {
      await page.keyboard.press('f')
      await page.keyboard.type('count')
      await page.keyboard.press('Enter')
      await page.locator('.current mark').first().waitFor()
    },
    isWideOnly: true,
  },
  {
    name: 'run-start',
    path: (instance) => `/t/${instance.key('Exports time out on boards with many tasks')}`,
    async act(page) {
      await page.getByRole('button', { name: /^More about SR-/ }).click()
      await page.getByRole('menuitem', { name: 'Start a run…' }).click()
      await page.getByRole('dialog').waitFor()
    },
    isWideOnly: true,
  },
  { name: 'run-missing', path: '/runs/999', ignoredMessages: /404/, isWideOnly: true },
]
