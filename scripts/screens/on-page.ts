import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const TASK = 'Exports time out on boards with many tasks'

/** The number of a page of that task by its title. */
async function pageOf(world: Instance, title: string): Promise<number> {
  const pages = await world.call('GET', `/api/v1/tasks/${world.key(TASK)}/pages`)
  return pages.find((one: { title: string }) => one.title === title)?.page_id
}

/** Opens a page of the task as somebody would. */
const opened = (title: string, keys: readonly string[] = []) =>
  async function open(page: Page) {
    await page.getByRole('treeitem', { name: title }).click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    for (const key of keys) await page.keyboard.press(key)
  }

const ROWS = 'Sending rows as they are read'
const CHARTS = 'Where the time goes'
const at = (world: Instance) => `/t/${world.key(TASK)}`

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

async function draw(world: Instance) {
  if (await pageOf(world, CHARTS)) return
  const body = { title: CHARTS, canvas: true, content: CHART }
  await world.call('POST', `/api/v1/tasks/${world.key(TASK)}/pages`, body)
}

/** Somebody corrects what Beacon wrote. */
async function correct(world: Instance) {
  const page_id = await pageOf(world, ROWS)
  const { content, version } = await world.call('GET', `/api/v1/pages/${page_id}`)
  if (version > 2) return
  await world.call('PATCH', `/api/v1/pages/${page_id}`, {
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
    path: at,
    before: draw,
    act: (page) => page.getByRole('tree').scrollIntoViewIfNeeded(),
    isWide: true,
  },
  { name: 'page', path: at, act: opened('Why large exports time out') },
  {
    name: 'page-editor',
    path: at,
    async act(page) {
      await opened(ROWS)(page)
      await page.getByRole('button', { name: /^Edit/ }).click()
      await page.locator('.writing .code:not([hidden])').waitFor()
    },
  },
  {
    name: 'page-versions',
    path: at,
    before: correct,
    async act(page) {
      await opened(ROWS)(page)
      await page.getByRole('button', { name: /^Versions/ }).click()
      await page.getByRole('region', { name: 'What changed' }).waitFor()
    },
  },
  { name: 'page-canvas', path: at, before: draw, act: opened(CHARTS) },
  {
    name: 'page-canvas-source',
    path: at,
    before: draw,
    act: opened(CHARTS, ['e']),
    isWide: true,
  },
  {
    name: 'page-new',
    path: (world) => `/p/new?on=${world.key(TASK)}&kind=exploration`,
    isWide: true,
  },
  { name: 'page-missing', path: '/p/999', allowed: /404/, isWide: true },
]
