import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { Desk } from '../desk.ts'

const COLUMNS = ['Ideas', 'Next', 'Doing', 'Done']

/** A board to try things on; each test has one of its own, so that none sees what another did. */
export async function makeBoard(desk: Desk, title: string, more: object = {}) {
  const sections = COLUMNS.map((name) => ({ title: name }))
  const { body } = await desk.http('POST', '/api/v1/projects', {
    body: { team_id: desk.team_id, title, sections, ...more },
  })
  const { project_id, sections: made, tasks, labels } = body.data
  const idOf = (name: string) =>
    made.find((one: { title: string }) => one.title === name).section_id as number
  return { project_id: project_id as number, tasks: tasks as string[], labels, idOf }
}

/** Tasks in the column Ideas, in this order. */
export const ideas = (...titles: string[]) => ({
  tasks: titles.map((title) => ({ title, section_index: 0 })),
})

export const columnOf = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: new RegExp(`^${title}, `) })

export const cardOf = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('button', { name: title, exact: true }) })

export const titleOf = (page: Page, title: string): Locator =>
  page.getByRole('article').getByRole('button', { name: title, exact: true })

export const titlesIn = (page: Page, column: string): Promise<string[]> =>
  columnOf(page, column).getByRole('heading', { level: 3 }).allTextContents()

/** What the server holds, by column and in the order of its cards. */
export async function heldIn(desk: Desk, project_id: number): Promise<Record<string, string[]>> {
  const { body } = await desk.http('GET', `/api/v1/projects/${project_id}/board`)
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

export const taskOf = async (desk: Desk, ticket: string) =>
  (await desk.http('GET', `/api/v1/tasks/${ticket}`)).body.data

const PATIENCE_MS = 4000

/** Waits until it is so, and says what it was instead where it never is. */
export async function becomes(ask: () => Promise<unknown>, wanted: unknown) {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    if (Bun.deepEquals(await ask(), wanted)) return
    await Bun.sleep(25)
  }
  expect(await ask()).toEqual(wanted)
}

/** What has the focus, by its words. */
export const focusIn = (page: Page) => () =>
  page.evaluate(() => {
    const { activeElement: at } = document
    if (!at || at === document.body) return 'nothing'
    const name = at.getAttribute('aria-label') ?? at.querySelector('[aria-label]')?.ariaLabel
    return name ?? at.textContent
  })
