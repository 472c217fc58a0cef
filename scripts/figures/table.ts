import type { Page } from 'playwright-core'
import type { BoardPage } from './board.ts'
import { measure } from './clock.ts'
import type { Board } from './large-board.ts'
import { type Row, rowOf } from './row.ts'

const ROW = '.table [data-task]'
const ACTIVE = `(document.activeElement?.closest('[data-line]')?.dataset.line + document.activeElement?.closest('[data-field]')?.dataset.field)`
const KEYS = ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft']

/** Counts the tasks of the main thread that are longer than 50 ms; returns the longest. */
const longestTask = (page: Page) =>
  page.evaluate(() => {
    const all = (globalThis as { longTasks?: number[] }).longTasks ?? []
    return Math.max(0, ...all.splice(0))
  })

async function watchLongTasks(page: Page) {
  await page.evaluate(() => {
    const longTasks: number[] = []
    Object.assign(globalThis, { longTasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration)
    }).observe({ entryTypes: ['longtask'] })
  })
}

/** Measures how long the board takes to become a table, and the arrow keys in it. */
export async function timeTable({ page }: BoardPage, board: Board, times: number): Promise<Row[]> {
  await page.goto(`${board.url}/projects/${board.project_id}`)
  await page.locator('article[data-task]').first().waitFor()
  // The code of the table is loaded in the background.
  await page.waitForTimeout(3000)
  await watchLongTasks(page)
  const switches: number[] = []
  const tasks: number[] = []
  for (let at = 0; at < times; at++) {
    await page.keyboard.press('v')
    const isTable = `document.querySelector('${ROW}') !== null`
    switches.push(await measure(page, 'keydown', isTable, () => page.keyboard.press('2')))
    await page.waitForTimeout(300)
    tasks.push(await longestTask(page))
    await page.keyboard.press('v')
    await page.keyboard.press('1')
    await page.locator('.board article[data-task]').first().waitFor()
    await page.waitForTimeout(300)
    await longestTask(page)
  }
  await page.goto(`${board.url}/projects/${board.project_id}?layout=list`)
  await page.locator(ROW).first().waitFor()
  await page.keyboard.press('j')
  const keys: number[] = []
  for (let at = 0; at < times * 4; at++) {
    const before = await page.evaluate(ACTIVE)
    const isMoved = `${ACTIVE} !== '${before}'`
    const key = KEYS[at % KEYS.length]!
    keys.push(await measure(page, 'keydown', isMoved, () => page.keyboard.press(key)))
  }
  return [
    rowOf(`${board.total} cards: V 2 to painted table`, switches, 200),
    rowOf(`${board.total} cards: longest task after V 2`, tasks, 50),
    rowOf(`${board.total} cards: table, arrow key to paint`, keys, 50),
  ]
}
