import type { Locator, Page } from 'playwright-core'
import type { WebApp } from '../web-app.ts'

const COLUMNS = ['Ideas', 'Next', 'Doing', 'Done']

/** Creates a board. Each test uses its own board, so tests do not affect each other. */
export async function createBoard(app: WebApp, title: string, fields: object = {}) {
  const sections = COLUMNS.map((name) => ({ title: name }))
  const { body } = await app.http('POST', '/api/v1/projects', {
    body: { team_id: app.team_id, title, sections, ...fields },
  })
  const { project_id, sections: createdSections, tasks, labels } = body.data
  const idOf = (name: string) =>
    createdSections.find((one: { title: string }) => one.title === name).section_id as number
  return { project_id: project_id as number, tasks: tasks as string[], labels, idOf }
}

const LABELS = [
  { name: 'garden', color: '#2f7d32' },
  { name: 'house', color: '#8a4b2f' },
]
const TASKS = [
  { title: 'Prune the roses', section_index: 0, priority: 1, labels: ['garden'] },
  { title: 'Paint the fence', section_index: 0, priority: 3, estimate: 5, labels: ['garden'] },
  { title: 'Fix the tap', section_index: 1, priority: 2, estimate: 2, labels: ['house'] },
  { title: 'Order tiles', section_index: 3, labels: ['house'] },
]

/** The titles of the tasks of createGardenBoard, in order. */
export const GARDEN_TITLES = TASKS.map(({ title }) => title)
export const createGardenBoard = (app: WebApp, title: string) =>
  createBoard(app, title, { labels: LABELS, tasks: TASKS })

/** The titles of all cards that are shown. */
export const cardTitles = (page: Page) => () =>
  page.getByRole('article').getByRole('heading', { level: 3 }).allTextContents()

/** Tasks in the column Ideas, in this order. */
export const tasksInIdeas = (...titles: string[]) => ({
  tasks: titles.map((title) => ({ title, section_index: 0 })),
})

/** The titles of all rows of the list. */
export const rowTitles = (page: Page) => () =>
  page.getByRole('grid').locator('[data-task] .title.cover').allTextContents()

export const columnOf = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: new RegExp(`^${title}, `) })

export const cardOf = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('button', { name: title, exact: true }) })

export const titleOf = (page: Page, title: string): Locator =>
  page.getByRole('article').getByRole('button', { name: title, exact: true })

export const titlesIn = (page: Page, column: string): Promise<string[]> =>
  columnOf(page, column).getByRole('heading', { level: 3 }).allTextContents()

/** The titles of the cards on the server, by column and in their order. */
export async function titlesByColumn(
  app: WebApp,
  project_id: number,
): Promise<Record<string, string[]>> {
  const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board`)
  const { sections, cards } = body.data
  return Object.fromEntries(
    sections.map(({ section_id, title }: { section_id: number; title: string }) => [
      title,
      cards
        .filter((card: { section_id: number }) => card.section_id === section_id)
        .map((card: { title: string }) => card.title),
    ]),
  )
}

export const fetchTask = async (app: WebApp, ticket: string) =>
  (await app.http('GET', `/api/v1/tasks/${ticket}`)).body.data

/** The label or the text of the focused element. */
export const focusedName = (page: Page) => () =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (!element || element === document.body) return 'nothing'
    const name =
      element.getAttribute('aria-label') ?? element.querySelector('[aria-label]')?.ariaLabel
    return name ?? element.textContent
  })

/** Drags an element with the mouse to the edge of another one. */
export async function drag(page: Page, from: Locator, to: Locator, edge: keyof typeof EDGES) {
  const [a, b] = [(await from.boundingBox())!, (await to.boundingBox())!]
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
  await page.mouse.down()
  const [x, y] = EDGES[edge](b)
  await page.mouse.move(x - 5, y, { steps: 4 })
  await page.mouse.move(x, y)
  await page.mouse.up()
}

type Box = Record<'x' | 'y' | 'width' | 'height', number>
const EDGES = {
  top: ({ x, y, width }: Box) => [x + width / 2, y + 4] as const,
  bottom: ({ x, y, width, height }: Box) => [x + width / 2, y + height - 4] as const,
  left: ({ x, y, height }: Box) => [x + 10, y + height / 2] as const,
  right: ({ x, y, width, height }: Box) => [x + width - 4, y + height / 2] as const,
}

/** Presses Undo in the toast that contains these words. */
export const undoFromToast = (page: Page, expectedText: string) =>
  page
    .locator('.toast')
    .filter({ hasText: expectedText })
    .getByRole('button', { name: /^Undo/ })
    .click()
