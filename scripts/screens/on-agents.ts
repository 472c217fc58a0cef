import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

/** By its name in the list. */
async function open(page: Page, name: string) {
  await page.getByRole('main').getByRole('link', { name, exact: true }).click()
  await page.getByRole('region', { name: 'Runs' }).waitFor()
}

async function create(page: Page) {
  await page.getByRole('button', { name: /^New agent/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Claude at the pier')
}

export const AGENTS: readonly Screen[] = [
  { name: 'agents', path: '/agents' },
  { name: 'agents-empty', world: 'fresh', path: '/agents', isWide: true },
  { name: 'agents-new', path: '/agents', act: create },
  { name: 'agent', path: '/agents', act: (page) => open(page, 'Lantern') },
  {
    name: 'agent-delete',
    path: '/agents',
    async act(page) {
      await page.getByRole('button', { name: 'More about Lantern' }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByLabel(/^Type its name/).fill('Lan')
    },
    isWide: true,
  },
  {
    name: 'webhook',
    path: '/agents',
    async act(page) {
      await open(page, 'Lantern')
      await page.getByRole('button', { name: 'Set up…' }).click()
      await page.getByRole('dialog').getByLabel('Address').fill('https://example.com/hook')
    },
    isWide: true,
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
    isWide: true,
  },
  {
    name: 'run-start',
    path: (world) => `/t/${world.key('Exports time out on boards with many tasks')}`,
    async act(page) {
      await page.getByRole('button', { name: /^More about SR-/ }).click()
      await page.getByRole('menuitem', { name: 'Start a run…' }).click()
      await page.getByRole('dialog').waitFor()
    },
    isWide: true,
  },
  { name: 'run-missing', path: '/runs/999', allowed: /404/, isWide: true },
]
