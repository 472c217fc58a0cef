import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const board = '/projects/1'

async function openPalette(page: Page, isNarrow: boolean) {
  if (isNarrow) await page.getByRole('button', { name: 'Search' }).click()
  else await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
}

/** Agents need unique names. */
const AGENT_NAMES = ['on my laptop', 'at the office', 'in the cloud', 'at home']
let agentCount = 0

async function createAgent(page: Page) {
  const name = `Claude ${AGENT_NAMES[agentCount++ % AGENT_NAMES.length]}`
  await page.getByLabel('Agent name').fill(name)
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('tab').first().waitFor()
}

const CONNECTION_ERRORS = /Failed to (load|fetch)|ERR_|net::|dynamically imported/

export const OTHER: readonly Screen[] = [
  { name: 'mine', path: '/my' },
  { name: 'mine-snooze', path: '/my', act: openSnooze, isWideOnly: true },
  {
    name: 'mine-add',
    path: '/my',
    async act(page) {
      await page.getByRole('main').getByRole('textbox').first().fill('Water the plants tomorrow')
    },
  },
  { name: 'mine-empty', instance: 'empty', path: '/my' },
  { name: 'palette', path: board, act: (page, _, isNarrow) => openPalette(page, isNarrow) },
  {
    name: 'palette-found',
    path: board,
    async act(page, _, isNarrow) {
      await openPalette(page, isNarrow)
      await page.keyboard.type('exp')
      await page.getByRole('option', { name: /Exports time out/ }).waitFor()
    },
    isWideOnly: true,
  },
  {
    name: 'keys',
    path: board,
    async act(page) {
      await page.keyboard.press('Shift+?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'places',
    path: board,
    async act(page, _, isNarrow) {
      const name = isNarrow ? 'Menu' : 'Collapse sidebar'
      await page.getByRole('button', { name }).click()
    },
  },
  { name: 'new-board', path: '/new' },
  { name: 'import', path: '/import' },
  { name: 'import-preview', path: '/import', act: previewImport },
  { name: 'connect', instance: 'empty', path: '/projects/1?connect=' },
  { name: 'connected', instance: 'empty', path: '/projects/1?connect=', act: createAgent },
  {
    name: 'offline',
    path: board,
    async act(page) {
      await page.context().setOffline(true)
      await page
        .getByText(/^Not connected/)
        .first()
        .waitFor()
    },
    ignoredMessages: CONNECTION_ERRORS,
  },
  {
    name: 'signed-out',
    path: board,
    async act(page) {
      await page.context().clearCookies()
      await page.keyboard.press('j')
      await page.keyboard.press('Shift+ArrowDown')
      await page.getByRole('alertdialog').waitFor()
    },
    ignoredMessages: /401/,
  },
  {
    name: 'broken',
    path: board,
    async act(page) {
      await page.route('**/assets/*.js', (route) => route.abort())
      await page.getByRole('link', { name: 'My Tasks' }).click()
      await page.getByRole('button', { name: 'Retry' }).waitFor()
    },
    ignoredMessages: CONNECTION_ERRORS,
    isWideOnly: true,
  },
  { name: 'sign-in', path: '/sign-in', isSignedOut: true },
  { name: 'set-up', instance: 'unclaimed', path: ({ setUp }) => setUp!, isSignedOut: true },
  { name: 'manual', path: '/docs/manual', isSignedOut: true },
  { name: 'manual-page', path: '/docs/manual/start', isSignedOut: true },
]

const HARBOUR = join(import.meta.dir, '../../test/import/fixtures/trello/harbour.json')

async function previewImport(page: Page) {
  await page.locator('input[type=file]').first().setInputFiles(HARBOUR)
  await page.getByRole('button', { name: 'Start import' }).waitFor()
}

async function openSnooze(page: Page) {
  await page.getByText('Renew the certificate of the mail server').waitFor()
  for (const key of ['j', 's']) await page.keyboard.press(key)
  await page.getByRole('dialog').first().waitFor()
}
