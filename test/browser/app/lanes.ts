import type { Locator, Page } from 'playwright-core'
import type { WebApp } from '../web-app.ts'

/** The titles of the cards by lane and column. Cells without a card are left out. */
export const titlesByLane = (page: Page) => () =>
  page.evaluate(() => {
    const textOf = (one: Element | null | undefined) => one?.textContent?.trim() ?? ''
    const lanes: Record<string, Record<string, string[]>> = {}
    const columns = [...document.querySelectorAll<HTMLElement>('.lanes .heads h2')].map(textOf)
    let lane = ''
    const rows = [...document.querySelectorAll<HTMLElement>('.lanes > ul > li')]
    rows.sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
    for (const row of rows) {
      const name = row.querySelector('.lane-name .name')
      if (name) {
        lane = textOf(name)
        lanes[lane] = {}
      }
      for (const slot of row.querySelectorAll<HTMLElement>('.slot')) {
        const titles = [...slot.querySelectorAll('.title')].map(textOf)
        const column = columns[Number.parseInt(slot.style.gridColumn, 10) - 1] ?? ''
        if (titles.length)
          lanes[lane] = {
            ...lanes[lane],
            [column]: [...(lanes[lane]![column] ?? []), ...titles],
          }
      }
    }
    return lanes
  })

/** The end of a cell, where a card can be dropped or added. */
export const cellEnd = (page: Page, lane: string, column: string): Locator =>
  page.getByRole('button', { name: `Add a task in ${column}, ${lane}`, exact: true })

/** A card in the given lane. A card can be in several lanes. */
export const cardInLane = (page: Page, lane: string | number, title: string): Locator =>
  page
    .locator(`[data-lane="${lane}"] article`)
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })

/** The column, assignees and labels of each task on the server, by title. */
export async function fieldsByTitle(app: WebApp, project_id: number) {
  const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board`)
  const { cards, actors, labels, sections } = body.data
  const nameOf = (key: number | string) =>
    actors.find((one: { user_id?: number; agent_id?: string }) =>
      [one.user_id, one.agent_id].includes(key as never),
    ).name
  const labelOf = (id: number) =>
    labels.find(({ label_id }: { label_id: number }) => label_id === id).name
  return Object.fromEntries(
    cards.map((card: BoardCard) => [
      card.title,
      [
        sections.find((one: BoardCard) => one.section_id === card.section_id).title,
        ...(card.assignees ?? []).map(nameOf).sort(),
        ...(card.labels ?? []).map(labelOf),
      ].join(' '),
    ]),
  )
}

interface BoardCard {
  title: string
  section_id: number
  assignees?: (number | string)[]
  labels?: number[]
}
