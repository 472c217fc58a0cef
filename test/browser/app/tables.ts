import type { Page } from 'playwright-core'
import type { WebApp } from '../web-app.ts'
import { createGardenBoard } from './boards.ts'

export const grid = (page: Page) => page.getByRole('grid', { name: /^Tasks of / })
export const rowOf = (page: Page, title: string) =>
  grid(page)
    .locator('[data-task]')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })
export const cellOf = (page: Page, title: string, field: string) =>
  rowOf(page, title).locator(`[data-field="${field}"]`)
export const groups = (page: Page) => () =>
  grid(page).getByRole('heading', { level: 2 }).allTextContents()

/** Opens a new garden board as a table. */
export async function openTable(app: WebApp, name: string, path = '') {
  const board = await createGardenBoard(app, name)
  const session = await app.openSession()
  await session.go(`/projects/${board.project_id}?layout=list${path}`)
  await cellOf(session.page, 'Prune the roses', 'title').waitFor()
  return { ...board, ...session }
}

/** The card of a task, as the board returns it. */
export async function storedCard(app: WebApp, project_id: number, title: string) {
  const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board`)
  return body.data.cards.find((card: { title: string }) => card.title === title)
}
