import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page, Route } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { world } from '../world.ts'
import { becomes } from './app/boards.ts'

const skipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

const AWAY = 'http://elsewhere.example'
/** A script that logs `got` and the value of an expression, or `refused` and its error. */
const telling = (what: string) =>
  `<script>(async () => { try { const got = await (${what}); if (got) console.log('got ' + got) } catch (error) { console.log('refused: ' + error) } })()</script>`

/** Attacks on the viewer of a canvas. Each logs what it read, or requests another address. */
const HARMFUL = [
  telling('document.cookie'),
  telling("localStorage.length + ' kept'"),
  telling("fetch('/api/v1/user/context').then((answer) => answer.text())"),
  telling(
    "fetch('/api/v1/user/context', { credentials: 'include', mode: 'no-cors' }).then(() => 'an answer')",
  ),
  telling(
    "new Promise((done) => { const ask = new XMLHttpRequest(); ask.onload = () => done(ask.responseText); ask.open('GET', '/api/v1/user/context'); ask.send() })",
  ),
  telling("window.open('/api/v1/user/context') && 'a window'"),
  `<script>location.href = '${AWAY}/href'</script>`,
  `<script>location.replace('${AWAY}/replace')</script>`,
  `<script>top.location = '${AWAY}/top'</script>`,
  "<script>location.href = '/api/v1/user/context'</script>",
  `<meta http-equiv="refresh" content="0;url=${AWAY}/refresh">`,
  `<a id="a" href="${AWAY}/link">x</a><script>document.all.a.click()</script>`,
  `<a id="a" target="_top" href="${AWAY}/toplink">x</a><script>document.all.a.click()</script>`,
  `<form id="f" action="${AWAY}/form"></form><script>document.all.f.submit()</script>`,
  `<script>fetch('${AWAY}/fetch', { mode: 'no-cors' })</script>`,
  `<script>navigator.sendBeacon('${AWAY}/beacon', 'x')</script>`,
  `<script>new EventSource('${AWAY}/events')</script>`,
  `<script src="${AWAY}/script"></script>`,
  `<script type="module">import '${AWAY}/module'</script>`,
  `<img src="${AWAY}/picture">`,
  `<svg><image href="${AWAY}/vector"/></svg>`,
  `<link rel="stylesheet" href="${AWAY}/style">`,
  `<style>@import "${AWAY}/import"; p { background: url(${AWAY}/background) }</style><p>x</p>`,
  `<iframe src="${AWAY}/frame"></iframe>`,
  `<iframe srcdoc="<script>location.href = '${AWAY}/inner'</script>"></iframe>`,
  `<object data="${AWAY}/object"></object>`,
  `<video src="${AWAY}/film" autoplay></video>`,
  `<base href="${AWAY}/"><img src="based">`,
]

const GENTLE = `<!doctype html>
<style>p { color: rgb(1, 2, 3) }</style>
<p>before</p>
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<script>document.querySelector('p').textContent = 'drawn by a script'</script>`

describe.skipIf(skipped)('the canvas of a page', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)

  afterAll(() => browser?.close())

  /** Opens each canvas with a session cookie; returns its page, what it read and requested. */
  async function watch(canvases: readonly string[], guarded = true) {
    const w = await world()
    const { task_id } = w.tasks.logo
    const context = await browser.newContext()
    await context.addCookies([{ name: 'session', value: 'secret', domain: 'localhost', path: '/' }])
    const looked = await Promise.all(
      canvases.map(async (content) => {
        const drawing = { task_id, title: 'Sketch', canvas: true, content }
        const { page_id } = await w.cleo['pages.create'](drawing)
        const page = await context.newPage()
        const did = await heard(page, `http://localhost/api/v1/pages/${page_id}/canvas`, (url) =>
          guarded
            ? w.http(w.cleo, 'GET', new URL(url).pathname)
            : { status: 200, headers: { 'content-type': 'text/html' }, text: content },
        )
        return { page, did }
      }),
    )
    await Bun.sleep(1000)
    return looked
  }

  interface Answered {
    status: number
    headers: Headers | Record<string, string>
    text: string
  }

  async function heard(
    page: Page,
    url: string,
    answer: (url: string) => Promise<Answered> | Answered,
  ) {
    const did: string[] = []
    let shown = false
    await page.route('**/*', async (route: Route) => {
      const asked = route.request().url()
      if (asked !== url || shown) {
        did.push(`asked ${asked}`)
        return route.fulfill({ contentType: 'text/plain', body: 'private' })
      }
      shown = true
      const { status, headers, text } = await answer(url)
      const sent = headers instanceof Headers ? Object.fromEntries(headers) : headers
      return route.fulfill({ status, headers: sent, body: text })
    })
    page.on('console', (message) => {
      if (message.text().startsWith('got ')) did.push(message.text())
    })
    page.on('popup', (popup) => did.push(`opened ${popup.url()}`))
    await page.goto(url, { waitUntil: 'commit' })
    return did
  }

  test('every attack is detected when the canvas is served without sandbox and policy', async () => {
    const looked = await watch(HARMFUL, false)
    const harmless = async () => HARMFUL.filter((_, at) => !looked[at]!.did.length)
    await becomes(harmless, [])
    const [cookie] = looked
    expect(cookie!.did).toEqual(['got session=secret'])
  }, 90_000)

  test('cannot read cookies, call the API, load resources or navigate', async () => {
    const looked = await watch([...HARMFUL, HARMFUL.join('\n')])
    for (const [at, { did, page }] of looked.entries()) {
      expect([HARMFUL[at], did]).toEqual([HARMFUL[at], []])
      expect(page.url()).toEndWith('/canvas')
    }
  }, 90_000)

  test('applies its styles, scripts and inline images, and fills the window', async () => {
    const [{ page, did } = { page: undefined, did: [] }] = await watch([GENTLE])
    const frame = page!.frames().find((one) => one.url() === 'about:srcdoc')!
    const seen = await frame.evaluate(() => {
      const [p, img] = [document.querySelector('p')!, document.querySelector('img')!]
      return [p.textContent, getComputedStyle(p).color, img.naturalWidth, self.origin]
    })
    expect([seen, did]).toEqual([['drawn by a script', 'rgb(1, 2, 3)', 1, 'null'], []])
    const [size, window] = [await frame.evaluate(() => innerHeight), page!.viewportSize()!.height]
    expect(size).toBe(window)
  }, 60_000)
})
