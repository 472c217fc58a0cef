import type { Browser, Page } from 'playwright-core'
import { listened } from '../../test/browser/faults.ts'
import { openFresh, type World } from '../screens/world.ts'
import { installClock, paintedAt, timed } from './clock.ts'
import { type Row, rowOf } from './row.ts'

/** As many as are appended in one call. */
const BATCH = 100
const KINDS = ['message', 'thought', 'action', 'result', 'error'] as const

const textAt = (at: number) =>
  at % 7 === 3
    ? Array.from({ length: at % 40 }, (_, line) => `${at}.${line} of what a program wrote`).join(
        '\n',
      )
    : `${at}: ${'looked at what is there, and wrote down what follows from it. '.repeat(1 + (at % 4))}`

const entryAt = (at: number) => ({ kind: KINDS[at % KINDS.length], text: textAt(at) || `${at}` })

/** A run whose agent has said so much. */
async function longRun({ call, url, project_id }: World, total: number) {
  const { teams } = await call('GET', '/api/v1/user/context')
  const made = { team_id: teams[0].team_id, name: 'Scout' }
  const { token } = await call('POST', '/api/v1/agents', made)
  const { task_id } = await call('POST', '/api/v1/tasks', { project_id, title: 'Read all of it' })
  const agent = async (path: string, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return ((await response.json()) as { data: { run_id: number } }).data
  }
  const { run_id } = await agent(`/api/v1/tasks/${task_id}/runs`, {})
  for (let at = 0; at < total; at += BATCH) {
    const entries = Array.from({ length: BATCH }, (_, one) => entryAt(at + one))
    await agent(`/api/v1/runs/${run_id}/transcript`, { entries })
  }
  return run_id
}

const STORY = 'section[aria-label="Transcript"]'
const ENTRY = `${STORY} .entry:not(.shape)`
/** The text that stands at the top of what is seen is another one. */
const movedFrom = (before: unknown) => `document.querySelector('${STORY}').scrollTop !== ${before}`

/** How long transcripts are opened, scrolled and walked through by keys. */
export async function transcript(browser: Browser, isQuick: boolean) {
  const total = isQuick ? 1000 : 20_000
  const world = await openFresh()
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  await context.addCookies(world.cookies.map((one) => ({ ...one, url: world.url })))
  const page = await context.newPage()
  const words = listened(page, world.url)
  await installClock(page)
  try {
    const run_id = await longRun(world, total)
    const address = `${world.url}/runs/${run_id}`
    const rows = [
      await opened(page, address, total, isQuick ? 2 : 10),
      await pressed(page, total, isQuick ? 10 : 100),
      ...(await scrolled(page, total, isQuick ? 40 : 300)),
    ]
    const figure = `transcript of ${total}: errors, warnings, strangers`
    return { rows: [...rows, { figure, value: words.length, unit: '', most: 0 }], words }
  } finally {
    await context.close()
    await world.stop()
  }
}

async function opened(page: Page, address: string, total: number, times: number): Promise<Row> {
  const took: number[] = []
  for (let at = 0; at < times; at++) {
    await page.goto(address, { waitUntil: 'commit' })
    took.push(await paintedAt(page, `document.querySelector('${ENTRY}') !== null`))
  }
  return rowOf(`transcript of ${total}: address to painted entries`, took)
}

/** From its end to its start and back, and page by page. */
async function pressed(page: Page, total: number, times: number): Promise<Row> {
  const took: number[] = []
  await page.locator(STORY).focus()
  for (let at = 0; at < times; at++) {
    const key = at % 20 === 0 ? 'Home' : at % 20 === 19 ? 'End' : 'PageDown'
    const before = await page.evaluate(`document.querySelector('${STORY}').scrollTop`)
    took.push(await timed(page, 'keydown', movedFrom(before), () => page.keyboard.press(key)))
    // It comes to rest before the next one is pressed.
    await page.waitForFunction((story) => !document.querySelector(`${story} .entry.shape`), STORY)
  }
  return rowOf(`transcript of ${total}: Home, End, Page Down to paint`, took, 50)
}

/** Scrolled as fast as a wheel turns, from the start on. */
async function scrolled(page: Page, total: number, turns: number): Promise<Row[]> {
  await page.keyboard.press('Home')
  const box = (await page.locator(STORY).boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(() => {
    const seen = { frames: [] as number[], most: 0 }
    let last = performance.now()
    const frame = (now: number) => {
      seen.frames.push(now - last)
      last = now
      seen.most = Math.max(seen.most, document.querySelectorAll('*').length)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    Object.assign(globalThis, { seen })
  })
  for (let at = 0; at < turns; at++) await page.mouse.wheel(0, 600)
  const { frames, most } = await page.evaluate(
    () => (globalThis as never as { seen: { frames: number[]; most: number } }).seen,
  )
  return [
    rowOf(`transcript of ${total}: frames while scrolling`, frames.slice(1), 50),
    { figure: `transcript of ${total}: most nodes in the page`, value: most, unit: '', most: 1200 },
  ]
}
