import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const MAIN = 'Exports time out on boards with many tasks'
const OTHER = 'Make a backup before every upgrade'
const pagePath = (title: string) => (instance: Instance) => `/t/${instance.key(title)}`
const panelPath = (title: string) => (instance: Instance) =>
  `/projects/1?task=${instance.key(title)}`

const setDescription = (text: string) => (instance: Instance) =>
  instance.call('PATCH', `/api/v1/tasks/${instance.key(OTHER)}`, {
    description: text,
    content_type: 'markdown',
  })

const BEFORE = 'Before an upgrade the server copies its folder.\n\n- where to: beside it\n- '

/** Types at the end of the description. */
async function editDescription(page: Page, text: string) {
  const region = page.getByRole('region', { name: 'Description' })
  await region.getByRole('button', { name: 'Edit' }).click()
  // The editor replaces the plain field as soon as it is loaded.
  await region.locator('[contenteditable=true]').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

export const TASK: readonly Screen[] = [
  { name: 'peek', path: panelPath(MAIN) },
  { name: 'peek-subtasks', path: panelPath('Show who is looking at a board'), isWideOnly: true },
  { name: 'task', path: pagePath(MAIN) },
  {
    name: 'task-editor',
    path: pagePath(OTHER),
    prepare: setDescription(BEFORE),
    act: (page) => editDescription(page, 'how many to keep: **three**\nwho hears of it: @Robin'),
  },
  {
    name: 'task-label',
    path: pagePath(MAIN),
    async act(page) {
      await page.keyboard.press('l')
      await page.getByRole('listbox').waitFor()
    },
    isWideOnly: true,
  },
  { name: 'task-missing', path: '/t/SR-999', ignoredMessages: /404/, isWideOnly: true },
]
