import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const MAIN = 'Exports time out on boards with many tasks'
const OTHER = 'Make a backup before every upgrade'
const page = (title: string) => (world: Instance) => `/t/${world.key(title)}`
const peek = (title: string) => (world: Instance) => `/projects/1?task=${world.key(title)}`

const wrote = (text: string) => (world: Instance) =>
  world.call('PATCH', `/api/v1/tasks/${world.key(OTHER)}`, {
    description: text,
    content_type: 'markdown',
  })

const BEFORE = 'Before an upgrade the server copies its folder.\n\n- where to: beside it\n- '

/** Types into the description, at its end. */
async function edit(page: Page, text: string) {
  const own = page.getByRole('region', { name: 'Description' })
  await own.getByRole('button', { name: 'Edit' }).click()
  // The plain field gives way to this one as soon as that is there.
  await own.locator('[contenteditable=true]').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

export const TASK: readonly Screen[] = [
  { name: 'peek', path: peek(MAIN) },
  { name: 'peek-subtasks', path: peek('Show who is looking at a board'), isWide: true },
  { name: 'task', path: page(MAIN) },
  {
    name: 'task-editor',
    path: page(OTHER),
    before: wrote(BEFORE),
    act: (page) => edit(page, 'how many to keep: **three**\nwho hears of it: @Robin'),
  },
  {
    name: 'task-conflict',
    path: page(OTHER),
    before: wrote(BEFORE),
    async act(page, world) {
      await edit(page, 'how many to keep: **three**')
      await wrote(`${BEFORE}how many to keep: the last one\n`)(world)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('alert').getByText('Somebody changed this').waitFor()
    },
    allowed: /409/,
  },
  {
    name: 'task-label',
    path: page(MAIN),
    async act(page) {
      await page.keyboard.press('l')
      await page.getByRole('listbox').waitFor()
    },
    isWide: true,
  },
  { name: 'task-missing', path: '/t/SR-999', allowed: /404/, isWide: true },
]
