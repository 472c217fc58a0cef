import type { Locator, Page } from 'playwright-core'
import type { Desk } from '../desk.ts'

/** The titles of the cards by lane and column. Cells without a card are left out. */
export const lanesOn = (page: Page) => () =>
  page.evaluate(() => {
    const said = (one: Element | null | undefined) => one?.textContent?.trim() ?? ''
    const lanes: Record<string, Record<string, string[]>> = {}
    const columns = [...document.querySelectorAll<HTMLElement>('.lanes .heads h2')].map(said)
    let here = ''
    const lines = [...document.querySelectorAll<HTMLElement>('.lanes > ul > li')]
    lines.sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
    for (const line of lines) {
      const name = line.querySelector('.lane-name .name')
      if (name) {
        here = said(name)
        lanes[here] = {}
      }
      for (const slot of line.querySelectorAll<HTMLElement>('.slot')) {
        const title = slot.querySelector('.title')
        const column = columns[Number.parseInt(slot.style.gridColumn, 10) - 1] ?? ''
        if (title)
          lanes[here] = { ...lanes[here], [column]: [...(lanes[here]![column] ?? []), said(title)] }
      }
    }
    return lanes
  })

/** The end of a cell, where a card can be dropped or added. */
export const endOf = (page: Page, lane: string, column: string): Locator =>
  page.getByRole('button', { name: `Add a task in ${column}, ${lane}`, exact: true })

/** A card in the given lane. A card can be in several lanes. */
export const cardIn = (page: Page, lane: string | number, title: string): Locator =>
  page
    .locator(`[data-lane="${lane}"] article`)
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })

/** The column, assignees and labels of each task on the server, by title. */
export async function givenIn(desk: Desk, project_id: number) {
  const { body } = await desk.http('GET', `/api/v1/projects/${project_id}/board`)
  const { cards, actors, labels, sections } = body.data
  const nameOf = (key: number | string) =>
    actors.find((one: { user_id?: number; agent_id?: string }) =>
      [one.user_id, one.agent_id].includes(key as never),
    ).name
  const labelOf = (id: number) =>
    labels.find(({ label_id }: { label_id: number }) => label_id === id).name
  return Object.fromEntries(
    cards.map((card: Given) => [
      card.title,
      [
        sections.find((one: Given) => one.section_id === card.section_id).title,
        ...(card.assignees ?? []).map(nameOf).sort(),
        ...(card.labels ?? []).map(labelOf),
      ].join(' '),
    ]),
  )
}

interface Given {
  title: string
  section_id: number
  assignees?: (number | string)[]
  labels?: number[]
}
