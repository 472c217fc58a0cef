import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Route } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { scaleCount } from '../support/scale.ts'
import { world } from '../support/world.ts'
import { isBrowserSkipped } from './web-app.ts'
import vectors from './xss-vectors.json'

const sampledVectors = vectors.filter((_, at) => at % scaleCount(10, 1) === 0)

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

describe.skipIf(isBrowserSkipped)('the page of a saved report', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => browser?.close())

  /**
   * Shows each report in a frame, with or without the headers of the server. Returns the scripts that
   * ran, the dialogs and the requests.
   */
  async function showReports(bodies: readonly string[], isProtected = true) {
    const w = await world()
    const { project_id } = w.board
    const urls: string[] = []
    for (const body_html of bodies)
      urls.push((await w.cleo['reports.create']({ project_id, title: 'R', body_html })).view_url)
    const effects: string[] = []
    const page = await browser.newPage()
    const frames = urls.map((url) => `<iframe src="${url}"></iframe>`)
    await page.route('**/*', async (route: Route) => {
      const url = route.request().url()
      if (url === HOME) return route.fulfill({ contentType: 'text/html', body: frames.join('') })
      if (!urls.includes(url)) {
        effects.push(`asked ${url}`)
        return route.abort()
      }
      const { status, headers, text } = await w.http(w.cleo, 'GET', new URL(url).pathname)
      const responseHeaders = isProtected
        ? Object.fromEntries(headers)
        : { 'content-type': 'text/html' }
      return route.fulfill({ status, headers: responseHeaders, body: text })
    })
    page.on('console', (message) => {
      // In a frame that may not open dialogs, a call to one is logged to the console.
      if (/^ran$|Ignored call to/.test(message.text())) effects.push(message.text())
    })
    page.on('dialog', (dialog) => {
      effects.push(`called ${dialog.type()}`)
      return dialog.dismiss()
    })
    await page.goto(HOME)
    const reportFrames = page.frames().filter((frame) => urls.includes(frame.url()))
    for (const frame of reportFrames)
      for (const one of ['#link', '#form button'])
        if (await frame.locator(one).count()) await frame.locator(one).click({ timeout: 2000 })
    await page.waitForTimeout(500)
    const color = await reportFrames[0]
      ?.locator('p')
      .first()
      .evaluate((p) => getComputedStyle(p).color, undefined, { timeout: 1000 })
      .catch(() => undefined)
    await page.close()
    return { effects, color }
  }

  test('every attack is detected when the security headers are missing', async () => {
    const { effects } = await showReports(HARMFUL, false)
    const [scriptRuns, requests] = [
      effects.filter((one) => one === 'ran'),
      effects.filter((one) => one !== 'ran'),
    ]
    expect(scriptRuns).toHaveLength(HARMFUL.filter((harm) => harm.includes("'ran'")).length)
    const addresses = HARMFUL.flatMap((harm) => /elsewhere\.example\/\w+/.exec(harm)?.[0] ?? [])
    for (const address of addresses) expect(requests.join()).toContain(address)
  })

  test('applies its styles, runs no scripts and sends no requests', async () => {
    const { effects, color } = await showReports([`<p>x</p>${HARMFUL.join('\n')}`, ...HARMFUL])
    expect(effects).toEqual([])
    expect(color).toBe('rgb(1, 2, 3)')
  })

  test('runs no script and sends no request for the known XSS vectors', async () => {
    expect(sampledVectors.length).toBeGreaterThan(30)
    for (let from = 0; from < sampledVectors.length; from += BATCH) {
      const batch = sampledVectors.slice(from, from + BATCH).map(({ payload }) => payload)
      expect((await showReports(batch)).effects).toEqual([])
    }
  }, 300_000)
})
