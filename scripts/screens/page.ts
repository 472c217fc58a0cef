import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const TASK = 'Exports time out on boards with many tasks'

/** The id of a page of the task, by its title. */
async function pageIdOf(instance: Instance, title: string): Promise<number> {
  const pages = await instance.call('GET', `/api/v1/tasks/${instance.key(TASK)}/pages`)
  return pages.find((one: { title: string }) => one.title === title)?.page_id
}

/** Opens a page of the task in the tree, and presses keys. */
const openPage = (title: string, keys: readonly string[] = []) =>
  async function open(page: Page) {
    await page.getByRole('treeitem', { name: title }).click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    for (const key of keys) await page.keyboard.press(key)
  }

const ROWS = 'Sending rows as they are read'
const CHARTS = 'Where the time goes'
const taskPath = (instance: Instance) => `/t/${instance.key(TASK)}`

const CHART = `<!doctype html>
<style>
  :root { color-scheme: light dark }
  body { max-width: 40rem; margin: auto; padding: 1rem 2rem; font: 16px/1.5 system-ui }
  p { margin: 0.75rem 0 0 }
  i { display: block; height: 1.75rem; border-radius: 6px; background: #b06f35 }
</style>
<h1>Where the time goes</h1>
<p>Counting, 27 s<i style="width: 90%"></i>
<p>Reading, 2 s<i style="width: 7%"></i>
<p>Writing the file, 1 s<i style="width: 3.5%"></i>
`

/** Creates the canvas. */
async function createCanvas(instance: Instance) {
  if (await pageIdOf(instance, CHARTS)) return
  const body = { title: CHARTS, canvas: true, content: CHART }
  await instance.call('POST', `/api/v1/tasks/${instance.key(TASK)}/pages`, body)
}

/** Edits a page that an agent wrote, so that it has two versions. */
async function editPage(instance: Instance) {
  const page_id = await pageIdOf(instance, ROWS)
  const { content, version } = await instance.call('GET', `/api/v1/pages/${page_id}`)
  if (version > 2) return
  await instance.call('PATCH', `/api/v1/pages/${page_id}`, {
    content: content
      .replace('500 rows at a time', '1,000 rows at a time')
      .replace('when the reader hangs up', 'when somebody closes the window')
      .replace('piles up in memory.', 'piles up in memory.\n4. Nothing is counted.'),
    note: 'As it was built',
  })
}

export const PAGE: readonly Screen[] = [
  {
    name: 'task-pages',
    path: taskPath,
    prepare: createCanvas,
    act: (page) => page.getByRole('tree').scrollIntoViewIfNeeded(),
    isWideOnly: true,
  },
  { name: 'page', path: taskPath, act: openPage('Why large exports time out') },
  {
    name: 'page-editor',
    path: taskPath,
    async act(page) {
      await openPage(ROWS)(page)
      await page.getByRole('button', { name: /^Edit/ }).click()
      await page.locator('.writing .code:not([hidden])').waitFor()
    },
  },
  {
    name: 'page-versions',
    path: taskPath,
    prepare: editPage,
    async act(page) {
      await openPage(ROWS)(page)
      await page.getByRole('button', { name: /^Versions/ }).click()
      await page.getByRole('region', { name: 'What changed' }).waitFor()
    },
  },
  { name: 'page-canvas', path: taskPath, prepare: createCanvas, act: openPage(CHARTS) },
  {
    name: 'page-canvas-source',
    path: taskPath,
    prepare: createCanvas,
    act: openPage(CHARTS, ['e']),
    isWideOnly: true,
  },
  {
    name: 'page-new',
    path: (instance) => `/p/new?on=${instance.key(TASK)}&kind=exploration`,
    isWideOnly: true,
  },
  { name: 'page-missing', path: '/p/999', ignoredMessages: /404/, isWideOnly: true },
]
