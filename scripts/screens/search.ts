import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const EXPORTS = 'Exports time out on boards with many tasks'

const waitForResults = (page: Page) => page.locator('.hit.text').first().waitFor()

/** Starts a timer, after stopping all others. */
async function startTimer(instance: Instance) {
  await stopTimers(instance)
  await instance.call('POST', `/api/v1/tasks/${instance.key(EXPORTS)}/timer/start`, {})
}

const waitForTimer = (page: Page) => page.getByRole('region', { name: 'Your timers' }).waitFor()

async function stopTimers(instance: Instance) {
  for (const { ticket_number } of await instance.call('GET', '/api/v1/time/running'))
    await instance.call('POST', `/api/v1/tasks/${ticket_number}/timer/stop`, {})
}

/** The search, the timers and the editor of a view. */
export const SEARCH: readonly Screen[] = [
  { name: 'search', path: '/search?q=export+time', act: waitForResults },
  {
    name: 'search-begin',
    path: '/search',
    act: (page) => page.getByRole('heading', { name: 'Operators' }).waitFor(),
  },
  {
    name: 'search-typing',
    path: '/search',
    async act(page) {
      await page.keyboard.type('export assignee:')
      await page.getByRole('option', { name: /Mira/ }).waitFor()
    },
    isWideOnly: true,
  },
  {
    name: 'search-nothing',
    path: '/search?q=label:web+is:overdue',
    act: (page) =>
      page
        .getByRole('button', { name: /^Without/ })
        .first()
        .waitFor(),
  },
  {
    name: 'search-refused',
    path: '/search?q=owner:robin',
    act: (page) => page.getByRole('alert').first().waitFor(),
    ignoredMessages: /400/,
    isWideOnly: true,
  },
  {
    name: 'timer',
    path: ({ key }) => `/t/${key(EXPORTS)}`,
    prepare: startTimer,
    act: waitForTimer,
  },
  {
    name: 'timer-stop',
    path: '/projects/1',
    prepare: startTimer,
    async act(page) {
      await waitForTimer(page)
      await page.getByRole('button', { name: /^Stop SR/ }).click()
      await page.getByLabel('Note').fill('Measured where the time goes')
    },
  },
  {
    name: 'time-panel',
    path: ({ key }) => `/t/${key(EXPORTS)}`,
    prepare: stopTimers,
    async act(page) {
      await page.getByRole('button', { name: /^Time: / }).click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'view-editor',
    path: '/projects/1',
    async act(page) {
      await page.getByRole('button', { name: 'View: All tasks' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'At risk' }).click()
      await page.getByRole('button', { name: 'View: At risk' }).click()
      await page.getByRole('menuitem', { name: 'Edit view…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit view' })
      await dialog.getByRole('button', { name: 'Add rule to group' }).click()
      await dialog.getByRole('button', { name: 'Then by' }).click()
    },
    isWideOnly: true,
  },
]
