import type { Browser, Page } from 'playwright-core'
import { recordProblems } from '../../test/browser/page-checks.ts'
import { type Instance, startEmpty } from '../screens/instances.ts'
import { firstPaintedAt, installClock, measure } from './clock.ts'
import { type Row, rowOf } from './row.ts'

/** How many entries are appended in one call. */
const BATCH = 100
const KINDS = ['message', 'thought', 'action', 'result', 'error'] as const

const textAt = (at: number) =>
  at % 7 === 3
    ? Array.from({ length: at % 40 }, (_, line) => `${at}.${line} of what a program wrote`).join(
        '\n',
      )
    : `${at}: ${'looked at what is there, and wrote down what follows from it. '.repeat(1 + (at % 4))}`

const entryAt = (at: number) => ({ kind: KINDS[at % KINDS.length], text: textAt(at) || `${at}` })

/** Creates a run with so many entries. */
async function longRun({ call, url, project_id }: Instance, total: number) {
  const { teams } = await call('GET', '/api/v1/user/context')
  const agentInput = { team_id: teams[0].team_id, name: 'Scout' }
  const { token } = await call('POST', '/api/v1/agents', agentInput)
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

const TRANSCRIPT = 'section[aria-label="Transcript"]'
const ENTRY = `${TRANSCRIPT} .entry:not(.shape)`
/** A condition: the transcript has scrolled. */
const movedFrom = (before: unknown) =>
  `document.querySelector('${TRANSCRIPT}').scrollTop !== ${before}`

/** Measures opening and scrolling a long transcript, and moving in it by keys. */
export async function transcript(browser: Browser, isQuick: boolean) {
  const total = isQuick ? 1000 : 20_000
  const instance = await startEmpty()
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  await context.addCookies(instance.cookies.map((one) => ({ ...one, url: instance.url })))
  const page = await context.newPage()
  const problems = recordProblems(page, instance.url)
  await installClock(page)
  try {
    const run_id = await longRun(instance, total)
    const address = `${instance.url}/runs/${run_id}`
    const rows = [
      await measureOpening(page, address, total, isQuick ? 2 : 10),
      await measureKeys(page, total, isQuick ? 10 : 100),
      ...(await measureScrolling(page, total, isQuick ? 40 : 300)),
    ]
    const figure = `transcript of ${total}: errors, warnings, foreign requests`
    return { rows: [...rows, { figure, value: problems.length, unit: '', max: 0 }], problems }
  } finally {
    await context.close()
    await instance.stop()
  }
}

async function measureOpening(
  page: Page,
  address: string,
  total: number,
  times: number,
): Promise<Row> {
  const durations: number[] = []
  for (let at = 0; at < times; at++) {
    await page.goto(address, { waitUntil: 'commit' })
    durations.push(await firstPaintedAt(page, `document.querySelector('${ENTRY}') !== null`))
  }
  return rowOf(`transcript of ${total}: address to painted entries`, durations)
}

/** Measures the keys Home, End and Page Down. */
async function measureKeys(page: Page, total: number, times: number): Promise<Row> {
  const durations: number[] = []
  await page.locator(TRANSCRIPT).focus()
  for (let at = 0; at < times; at++) {
    const key = at % 20 === 0 ? 'Home' : at % 20 === 19 ? 'End' : 'PageDown'
    const before = await page.evaluate(`document.querySelector('${TRANSCRIPT}').scrollTop`)
    durations.push(
      await measure(page, 'keydown', movedFrom(before), () => page.keyboard.press(key)),
    )
    // Scrolling must have settled before the next key.
    await page.waitForFunction(
      (story) => !document.querySelector(`${story} .entry.shape`),
      TRANSCRIPT,
    )
  }
  return rowOf(`transcript of ${total}: Home, End, Page Down to paint`, durations, 50)
}

/** Scrolls from the start and measures the frames. */
async function measureScrolling(page: Page, total: number, turns: number): Promise<Row[]> {
  await page.keyboard.press('Home')
  const box = (await page.locator(TRANSCRIPT).boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(() => {
    const seen = { frames: [] as number[], max: 0 }
    let last = performance.now()
    const frame = (now: number) => {
      seen.frames.push(now - last)
      last = now
      seen.max = Math.max(seen.max, document.querySelectorAll('*').length)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    Object.assign(globalThis, { seen })
  })
  for (let at = 0; at < turns; at++) await page.mouse.wheel(0, 600)
  const { frames, max } = await page.evaluate(
    () => (globalThis as never as { seen: { frames: number[]; max: number } }).seen,
  )
  return [
    rowOf(`transcript of ${total}: frames while scrolling`, frames.slice(1), 50),
    { figure: `transcript of ${total}: maximum number of nodes`, value: max, unit: '', max: 1200 },
  ]
}
