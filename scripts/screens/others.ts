import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const board = '/projects/1'

async function palette(page: Page, isNarrow: boolean) {
  if (isNarrow) await page.getByRole('button', { name: 'Search' }).click()
  else await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
}

/** Agents need unique names. */
const PLACES_OF_CLAUDE = ['on my laptop', 'at the office', 'in the cloud', 'at home']
let made = 0

async function connect(page: Page) {
  const name = `Claude ${PLACES_OF_CLAUDE[made++ % PLACES_OF_CLAUDE.length]}`
  await page.getByLabel('Agent name').fill(name)
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('tab').first().waitFor()
}

const LOST = /Failed to (load|fetch)|ERR_|net::|dynamically imported/

export const OTHERS: readonly Screen[] = [
  { name: 'mine', path: '/my' },
  { name: 'mine-snooze', path: '/my', act: snooze, isWide: true },
  {
    name: 'mine-add',
    path: '/my',
    async act(page) {
      await page.getByRole('main').getByRole('textbox').first().fill('Water the plants tomorrow')
    },
  },
  { name: 'mine-empty', world: 'fresh', path: '/my' },
  { name: 'palette', path: board, act: (page, _, isNarrow) => palette(page, isNarrow) },
  {
    name: 'palette-found',
    path: board,
    async act(page, _, isNarrow) {
      await palette(page, isNarrow)
      await page.keyboard.type('exp')
      await page.getByRole('option', { name: /Exports time out/ }).waitFor()
    },
    isWide: true,
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
  { name: 'connect', world: 'fresh', path: '/projects/1?connect=' },
  { name: 'connected', world: 'fresh', path: '/projects/1?connect=', act: connect },
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
    allowed: LOST,
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
    allowed: /401/,
  },
  {
    name: 'broken',
    path: board,
    async act(page) {
      await page.route('**/assets/*.js', (route) => route.abort())
      await page.getByRole('link', { name: 'My Tasks' }).click()
      await page.getByRole('button', { name: 'Retry' }).waitFor()
    },
    allowed: LOST,
    isWide: true,
  },
  { name: 'sign-in', path: '/sign-in', isSignedOut: true },
  { name: 'set-up', world: 'bare', path: ({ setUp }) => setUp!, isSignedOut: true },
  { name: 'manual', path: '/docs/manual', isSignedOut: true },
  { name: 'manual-page', path: '/docs/manual/start', isSignedOut: true },
]

async function snooze(page: Page) {
  await page.getByText('Renew the certificate of the mail server').waitFor()
  for (const key of ['j', 's']) await page.keyboard.press(key)
  await page.getByRole('dialog').first().waitFor()
}
