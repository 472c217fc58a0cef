import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Route } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { scaled } from '../extent.ts'
import { world } from '../world.ts'
import vectors from './xss-vectors.json'

const skipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')
const tested = vectors.filter((_, at) => at % scaled(10, 1) === 0)

const BATCH = 60
const HOME = 'http://localhost/'

/** Attacks on the viewer of a page. Each logs to the console or requests another address. */
const HARMFUL = [
  "<script>console.log('ran')</script>",
  "<img src=x onerror=console.log('ran')>",
  "<svg onload=console.log('ran')></svg>",
  '<a id=link href="javascript:console.log(\'ran\')">link</a>',
  '<iframe srcdoc="<script>console.log(\'ran\')</script>"></iframe>',
  '<img src=http://elsewhere.example/picture>',
  '<link rel=stylesheet href=http://elsewhere.example/style>',
  '<style>@import "http://elsewhere.example/import"; p { color: rgb(1, 2, 3) }</style>',
  '<iframe src=http://elsewhere.example/frame></iframe>',
  '<object data=http://elsewhere.example/object></object>',
  '<form id=form action=http://elsewhere.example/form><button>send</button></form>',
]

describe.skipIf(skipped)('the page of a saved report', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)

  afterAll(() => browser?.close())

  /** Shows each in a frame, with or without the server's headers; returns what they did. */
  async function watch(bodies: readonly string[], guarded = true) {
    const w = await world()
    const { project_id } = w.board
    const views: string[] = []
    for (const body_html of bodies)
      views.push((await w.cleo['reports.create']({ project_id, title: 'R', body_html })).view_url)
    const did: string[] = []
    const page = await browser.newPage()
    const frames = views.map((url) => `<iframe src="${url}"></iframe>`)
    await page.route('**/*', async (route: Route) => {
      const url = route.request().url()
      if (url === HOME) return route.fulfill({ contentType: 'text/html', body: frames.join('') })
      if (!views.includes(url)) {
        did.push(`asked ${url}`)
        return route.abort()
      }
      const { status, headers, text } = await w.http(w.cleo, 'GET', new URL(url).pathname)
      const sent = guarded ? Object.fromEntries(headers) : { 'content-type': 'text/html' }
      return route.fulfill({ status, headers: sent, body: text })
    })
    page.on('console', (message) => {
      // In a frame that may not open dialogs, a call to one is logged to the console.
      if (/^ran$|Ignored call to/.test(message.text())) did.push(message.text())
    })
    page.on('dialog', (dialog) => {
      did.push(`called ${dialog.type()}`)
      return dialog.dismiss()
    })
    await page.goto(HOME)
    const shown = page.frames().filter((frame) => views.includes(frame.url()))
    for (const frame of shown)
      for (const one of ['#link', '#form button'])
        if (await frame.locator(one).count()) await frame.locator(one).click({ timeout: 2000 })
    await page.waitForTimeout(500)
    const color = await shown[0]
      ?.locator('p')
      .first()
      .evaluate((p) => getComputedStyle(p).color, undefined, { timeout: 1000 })
      .catch(() => undefined)
    await page.close()
    return { did, color }
  }

  test('every attack is detected when the security headers are missing', async () => {
    const { did } = await watch(HARMFUL, false)
    const [ran, asked] = [did.filter((one) => one === 'ran'), did.filter((one) => one !== 'ran')]
    expect(ran).toHaveLength(HARMFUL.filter((harm) => harm.includes("'ran'")).length)
    const places = HARMFUL.flatMap((harm) => /elsewhere\.example\/\w+/.exec(harm)?.[0] ?? [])
    for (const place of places) expect(asked.join()).toContain(place)
  }, 60_000)

  test('applies its styles, runs no scripts and sends no requests', async () => {
    const { did, color } = await watch([`<p>x</p>${HARMFUL.join('\n')}`, ...HARMFUL])
    expect(did).toEqual([])
    expect(color).toBe('rgb(1, 2, 3)')
  }, 60_000)

  test('runs no script and sends no request for the known XSS vectors', async () => {
    expect(tested.length).toBeGreaterThan(30)
    for (let from = 0; from < tested.length; from += BATCH) {
      const batch = tested.slice(from, from + BATCH).map(({ payload }) => payload)
      expect((await watch(batch)).did).toEqual([])
    }
  }, 300_000)
})
