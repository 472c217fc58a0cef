import type { CDPSession, Page } from 'playwright-core'
import { type BoardPage, CARD, dragBetween } from './board.ts'
import type { Board } from './large-board.ts'
import type { Row } from './row.ts'

const TITLE = `${CARD} .title`
const TASK = 'section[aria-label^="Task "]'

async function openAndCloseTask(page: Page) {
  await page.locator(TITLE).first().focus()
  await page.keyboard.press('Enter')
  await page.locator(TASK).waitFor()
  await page.keyboard.press('Escape')
  await page.locator(TASK).waitFor({ state: 'detached' })
}

async function switchToTable(page: Page) {
  await page.keyboard.press('v')
  await page.keyboard.press('2')
  await page.locator('.table [data-task]').first().waitFor()
}

async function switchToBoard(page: Page) {
  await page.keyboard.press('v')
  await page.keyboard.press('1')
  await page.locator(CARD).first().waitFor()
}

async function typeTask(page: Page) {
  await page.keyboard.press('c')
  const field = page.getByRole('textbox', { name: /^New task in / })
  await field.waitFor()
  await page.keyboard.type('Ask')
  await field.fill('')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
}

async function editChip(page: Page) {
  await page.locator(TITLE).first().focus()
  await page.keyboard.press('p')
  const picker = page.getByRole('combobox', { name: 'Priority' })
  await picker.waitFor()
  await page.keyboard.press('Escape')
  await picker.waitFor({ state: 'detached' })
}

/** Drags a card to the next column and, the next time, back. */
async function dragCard(page: Page, round: number) {
  const columns = page.locator('section[aria-label]:has(h2)')
  const [from, to] = round % 2 ? [1, 0] : [0, 1]
  await dragBetween(
    page,
    columns.nth(from).locator(CARD).nth(1),
    columns.nth(to).locator(CARD).nth(1),
  )
  await page.mouse.up()
}

const ACTIONS = [openAndCloseTask, switchToTable, switchToBoard, typeTask, editChip, dragCard]

/** The used heap in MB, after everything that is not referenced is freed. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
}

const countsOf = async (session: CDPSession) => {
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { nodes, listeners: jsEventListeners }
}

/**
 * Measures the memory of one page in the course of many actions. It may not grow from the first
 * quarter, when all code is loaded, to the last.
 */
export async function measureMemory({ page }: BoardPage, board: Board, total: number) {
  await page.goto(`${board.url}/projects/${board.project_id}`)
  await page.locator(CARD).first().waitFor()
  const session = await page.context().newCDPSession(page)
  const quarter = Math.ceil(total / 4)
  const heaps: number[] = []
  const counts: { nodes: number; listeners: number }[] = []
  for (let done = 1; done <= quarter * 4; done++) {
    await ACTIONS[done % ACTIONS.length]!(page, Math.floor(done / ACTIONS.length))
    if (done % quarter) continue
    heaps.push(await heapOf(session))
    counts.push(await countsOf(session))
  }
  const rows = heaps.map((value, at): Row => {
    const { nodes, listeners } = counts[at]!
    const figure = `heap after ${quarter * (at + 1)} actions (${nodes} nodes, ${listeners} listeners)`
    return { figure, value, unit: 'MB' }
  })
  const growth = heaps.at(-1)! / heaps[0]! - 1
  const figure = `heap: growth from ${quarter} to ${quarter * 4} actions`
  return [...rows, { figure, value: growth * 100, unit: '%', max: 5 }]
}
