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

/**
 * What V8 compiles from the functions of the app, and what the browser records for the devtools. Both
 * grow with the time that a page runs, up to a limit, and hold nothing of the app.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['code', 'native', 'object shape'])

/** The used heap and the part of it that the app's own objects take, in MB, after two collections. */
async function heapOf(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const used = (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  return { used, objects: sizeOfObjects(await snapshotOf(session)) / 1e6 }
}

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  /** The fields of all nodes, one after the other. */
  nodes: number[]
}

async function snapshotOf(session: CDPSession): Promise<Snapshot> {
  const chunks: string[] = []
  const add = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', add)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', add)
  return JSON.parse(chunks.join(''))
}

function sizeOfObjects({ snapshot: { meta }, nodes }: Snapshot): number {
  const { node_fields: fields } = meta
  const [types] = meta.node_types
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')]
  let size = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!LEFT_OUT.has(types[nodes[at + typeAt]!]!)) size += nodes[at + sizeAt]!
  return size
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
  const heaps: { used: number; objects: number }[] = []
  const counts: { nodes: number; listeners: number }[] = []
  for (let done = 1; done <= quarter * 4; done++) {
    await ACTIONS[done % ACTIONS.length]!(page, Math.floor(done / ACTIONS.length))
    if (done % quarter) continue
    heaps.push(await heapOf(session))
    counts.push(await countsOf(session))
  }
  const rows = heaps.flatMap(({ used, objects }, at): Row[] => {
    const { nodes, listeners } = counts[at]!
    const figure = `heap after ${quarter * (at + 1)} actions (${nodes} nodes, ${listeners} listeners)`
    return [
      { figure, value: used, unit: 'MB' },
      { figure: `${figure}: objects of the app`, value: objects, unit: 'MB' },
    ]
  })
  const growth = heaps.at(-1)!.objects / heaps[0]!.objects - 1
  const figure = `heap: growth of the app's objects from ${quarter} to ${quarter * 4} actions`
  return [...rows, { figure, value: growth * 100, unit: '%', max: 5 }]
}
