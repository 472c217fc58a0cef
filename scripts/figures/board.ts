import type { Browser, Locator, Page } from 'playwright-core'
import { recordProblems } from '../../test/browser/page-checks.ts'
import { firstPaintedAt, installClock, measure } from './clock.ts'
import type { Board } from './large-board.ts'
import { type Row, rowOf } from './row.ts'

export interface BoardPage {
  page: Page
  problems: string[]
}

/** Opens a page of a browser that is signed in and has the clock installed. */
export async function openBoardPage(browser: Browser, board: Board): Promise<BoardPage> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  await context.addCookies(board.cookies.map((cookie) => ({ ...cookie, url: board.url })))
  const page = await context.newPage()
  const problems = recordProblems(page, board.url)
  await installClock(page)
  return { page, problems }
}

export const CARD = 'article[data-task]'
const ACTIVE = 'document.activeElement?.closest("[data-task]")?.dataset.task'

/** Measures the time from requesting the address until cards are painted. */
export async function timeOpening({ page }: BoardPage, board: Board, times: number): Promise<Row> {
  const durations: number[] = []
  for (let at = 0; at < times; at++) {
    await page.goto(`${board.url}/projects/${board.project_id}`, { waitUntil: 'commit' })
    durations.push(await firstPaintedAt(page, `document.querySelector('${CARD}') !== null`))
  }
  return rowOf(`${board.total} cards: address to painted cards`, durations)
}

/** Measures the machine itself: a counting loop, and a key press without a handler. */
export async function calibrate({ page }: BoardPage, board: Board, times: number): Promise<Row[]> {
  await page.goto(`${board.url}/docs/manual`)
  const loops = await page.evaluate((times) => {
    const durations: number[] = []
    for (let round = 0; round < times; round++) {
      const began = performance.now()
      let sum = 0
      for (let at = 0; at < 20_000_000; at++) sum = (sum + at * 7) % 1000
      durations.push(performance.now() - began + sum * 0)
    }
    return durations
  }, 10)
  const keys: number[] = []
  for (let at = 0; at < times; at++)
    keys.push(await measure(page, 'keydown', 'true', () => page.keyboard.press('j')))
  return [
    rowOf('machine: a loop of 20 million steps', loops),
    rowOf('machine: a key on an empty page to the next frame', keys),
  ]
}

/** Reads the CPU time of the page's main thread, independent of other load on the machine. */
async function threadTimeOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
}

const KEYS = ['j', 'j', 'ArrowDown', 'j', 'k', 'j', 'ArrowRight', 'ArrowLeft', 'j', 'ArrowUp', 'j']

/** Measures the keys that move the focus and select cards. */
export async function timeKeys({ page }: BoardPage, board: Board, times: number): Promise<Row[]> {
  const work = await threadTimeOf(page)
  const before = await work()
  await page.locator(`${CARD} .title`).first().focus()
  const durations: number[] = []
  const pressMove = async (key: string) => {
    const before = await page.evaluate(ACTIVE)
    const isDone = `${ACTIVE} !== undefined && ${ACTIVE} !== '${before}'`
    durations.push(await measure(page, 'keydown', isDone, () => page.keyboard.press(key)))
  }
  const pressSelect = async () => {
    const mark = 'String(document.activeElement?.getAttribute("aria-pressed"))'
    const isDone = `${mark} !== '${await page.evaluate(mark)}'`
    durations.push(await measure(page, 'keydown', isDone, () => page.keyboard.press('x')))
  }
  while (durations.length < times) {
    for (const key of KEYS) await pressMove(key)
    await pressSelect()
    await pressSelect()
  }
  const perKey = ((await work()) - before) / durations.length
  return [
    rowOf(`${board.total} cards: key to paint (j k x arrows)`, durations, 32),
    {
      figure: `${board.total} cards: work of the page's thread for a key`,
      value: perKey,
      unit: 'ms',
    },
  ]
}

/** Scrolls a column from its start and measures the frames. */
export async function timeScroll({ page }: BoardPage, board: Board, turns: number): Promise<Row[]> {
  const box = (await page.locator(CARD).first().boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate((card) => {
    const seen = { frames: [] as number[], max: 0 }
    let last = performance.now()
    const frame = (now: number) => {
      seen.frames.push(now - last)
      last = now
      seen.max = Math.max(seen.max, document.querySelectorAll(card).length)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    Object.assign(globalThis, { seen })
  }, CARD)
  for (let at = 0; at < turns; at++) await page.mouse.wheel(0, 400)
  const { frames, max } = await page.evaluate(
    () => (globalThis as never as { seen: { frames: number[]; max: number } }).seen,
  )
  return [
    rowOf(`${board.total} cards: frames while scrolling`, frames.slice(1), 50),
    { figure: `${board.total} cards: maximum in the document`, value: max, unit: '', max: 120 },
  ]
}

/** The middle of a card, once it is attached. */
async function middleOf(card: Locator) {
  await card.waitFor()
  const { x, y, width, height } = await card.evaluate((element) => element.getBoundingClientRect())
  return { x: x + width / 2, y: y + height / 2 }
}

/** Drags a card over another one, and does not drop it yet. */
export async function dragBetween(page: Page, from: Locator, to: Locator): Promise<void> {
  const [a, b] = [await middleOf(from), await middleOf(to)]
  await page.mouse.move(a.x, a.y)
  await page.mouse.down()
  await page.mouse.move(a.x + 12, a.y, { steps: 3 })
  await page.mouse.move(b.x, b.y, { steps: 6 })
}

const columnOf = (card: string) =>
  `document.querySelector('[data-task="${card}"]')?.closest('section')?.getAttribute('aria-label')?.split(',')[0]`

/** Measures moving a card to the next column, by mouse and by keys. */
export async function timeDrag({ page }: BoardPage, board: Board, times: number): Promise<Row[]> {
  await page.goto(`${board.url}/projects/${board.project_id}`)
  await page.locator(CARD).first().waitFor()
  const columns = page.locator('section[aria-label]:has(h2)')
  const byHand: number[] = []
  const byKeys: number[] = []
  for (let at = 0; at < times; at++) {
    const [from, to] = at % 2 ? [1, 0] : [0, 1]
    const card = columns.nth(from).locator(CARD).nth(1)
    const id = await card.getAttribute('data-task')
    const isPainted = `${columnOf(id!)} !== ${JSON.stringify(await page.evaluate(columnOf(id!)))}`
    await dragBetween(page, card, columns.nth(to).locator(CARD).nth(1))
    byHand.push(await measure(page, 'drop', isPainted, () => page.mouse.up()))
    await page.locator(`[data-task="${id}"] .title`).focus()
    const key = at % 2 ? 'Shift+ArrowRight' : 'Shift+ArrowLeft'
    const isBack = `${columnOf(id!)} !== ${JSON.stringify(await page.evaluate(columnOf(id!)))}`
    // Shift is held while the arrow is pressed.
    await page.keyboard.down('Shift')
    byKeys.push(await measure(page, 'keydown', isBack, () => page.keyboard.press(key.slice(6))))
    await page.keyboard.up('Shift')
  }
  return [
    rowOf(`${board.total} cards: drop to paint, by mouse`, byHand, 100),
    rowOf(`${board.total} cards: Shift + arrow to paint`, byKeys, 100),
  ]
}

/** Measures opening a task beside the board, and typing a new one. */
export async function timeTyping({ page }: BoardPage, board: Board, times: number): Promise<Row[]> {
  const openings: number[] = []
  const keystrokes: number[] = []
  const isOpen = `document.querySelector('section[aria-label^="Task "] textarea, section[aria-label^="Task "] h2') !== null`
  for (let at = 0; at < times; at++) {
    await page.locator(`${CARD} .title`).nth(at).focus()
    // The first opening is not counted, because it fetches code.
    const duration = await measure(page, 'keydown', isOpen, () => page.keyboard.press('Enter'))
    if (at) openings.push(duration)
    await page.keyboard.press('Escape')
    await page.waitForFunction(`!(${isOpen})`)
  }
  await page.getByRole('button', { name: 'Add a task to Ideas' }).click()
  const field = page.getByRole('textbox', { name: 'New task in Ideas' })
  await field.focus()
  const text = 'Write down what we have learnt this week'.repeat(Math.ceil(times / 8))
  for (const [at, character] of [...text].entries()) {
    const isPainted = `document.activeElement?.value?.length === ${at + 1}`
    keystrokes.push(
      await measure(page, 'keydown', isPainted, () =>
        page.keyboard.press(character === ' ' ? 'Space' : character),
      ),
    )
  }
  await field.fill('')
  await page.keyboard.press('Escape')
  return [
    rowOf(`${board.total} cards: Enter to the open task`, openings),
    rowOf(`${board.total} cards: character to paint in quick-add`, keystrokes, 50),
  ]
}

const AT_DAY = 'document.activeElement?.closest("td")?.dataset.day'
const LAYOUTS = [
  {
    name: 'lanes',
    query: 'lanes=label',
    keys: ['j', 'j', 'ArrowRight', 'j', 'k', 'ArrowLeft'],
    at: ACTIVE,
  },
  {
    ...{ name: 'calendar', query: 'layout=calendar', at: AT_DAY },
    keys: ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'],
  },
  { name: 'timeline', query: 'layout=timeline', keys: ['j', 'j', 'j', 'k'], at: ACTIVE },
]

/** Measures the keys in the other layouts, and counts the cards in the document. */
export async function timeLayout({ page }: BoardPage, board: Board, times: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, query, keys, at } of LAYOUTS) {
    await page.goto(`${board.url}/projects/${board.project_id}?${query}`)
    await page.locator(CARD).first().waitFor()
    const durations: number[] = []
    let max = 0
    for (let index = 0; index < times; index++) {
      const before = await page.evaluate(at)
      const isDone = `${at} !== undefined && ${at} !== '${before}'`
      const key = keys[index % keys.length]!
      durations.push(await measure(page, 'keydown', isDone, () => page.keyboard.press(key)))
      max = Math.max(max, await page.locator(CARD).count())
    }
    rows.push(rowOf(`${board.total} cards: ${name}, key to paint`, durations, 50), {
      ...{ figure: `${board.total} cards: ${name}, maximum in the document`, value: max },
      ...{ unit: '', max: 120 },
    })
  }
  return rows
}
