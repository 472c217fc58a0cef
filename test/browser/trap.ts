import type { Browser } from 'playwright-core'

const PAGE = 'http://trap.example/'

/** Something that a text did, or could do, in a browser. */
export interface Caught {
  /** The index of the text. */
  at: number
  what: string
}

/**
 * Opens a page that renders each text in its own frame and dispatches user events in it. Reports
 * scripts that ran, requests other than for images, and attributes that could run a script.
 */
export async function openTrap(browser: Browser) {
  const page = await browser.newPage()
  const asked: string[] = []
  await page.route('**/*', (route) => {
    const request = route.request()
    if (request.url() === PAGE)
      return route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Trap</title>',
        // Report-only: violations are reported, not blocked.
        headers: { 'content-security-policy-report-only': "script-src 'none'" },
      })
    // Texts may show images of other hosts.
    if (request.resourceType() !== 'image') asked.push(`${request.resourceType()} ${request.url()}`)
    return route.abort()
  })
  await page.goto(PAGE)
  return {
    /** `asked` does not say which text sent a request, because the frames share one page. */
    async watch(texts: readonly string[]): Promise<{ caught: Caught[]; asked: string[] }> {
      asked.length = 0
      const caught = await page.evaluate(inPage, texts as string[])
      return { caught, asked: [...asked] }
    },
    close: () => page.close(),
  }
}

/** Runs in the page, so it cannot use anything outside of this function. */
async function inPage(texts: string[]): Promise<Caught[]> {
  const caught = new Map<string, Caught>()
  const note = (at: number, what: string) => caught.set(`${at} ${what}`, { at, what })
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
  const links = ['href', 'src', 'action', 'formaction', 'data', 'poster', 'cite', 'xlink:href']
  const safe = ['http:', 'https:', 'mailto:']

  const frames = texts.map((text, at) => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const view = frame.contentWindow as Window & typeof globalThis
    const inner = frame.contentDocument!
    inner.addEventListener('securitypolicyviolation', (event) =>
      note(at, `script: ${event.effectiveDirective}`),
    )
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'eval'] as const)
      Object.assign(view, { [name]: () => note(at, `called ${name}`) })
    inner.body.innerHTML = text
    return { frame, view, inner, at }
  })
  await pause(150)

  for (const { view, inner, at } of frames) {
    for (const element of inner.body.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || ['style', 'srcdoc', 'id', 'name'].includes(name))
          note(at, `attribute ${name}`)
        if (!links.includes(name)) continue
        const { protocol } = URL.canParse(value, 'http://trap.example')
          ? new URL(value, 'http://trap.example')
          : { protocol: 'http:' }
        if (!safe.includes(protocol)) note(at, `${name} leads to ${protocol}`)
      }
      for (const type of ['mouseover', 'focus', 'toggle', 'animationstart', 'pointerenter', 'load'])
        element.dispatchEvent(new view.Event(type, { bubbles: true }))
      const { protocol } = element as HTMLAnchorElement
      // Clicking an ordinary link would only navigate the frame.
      if (!safe.includes(protocol)) (element as HTMLElement).click?.()
    }
  }
  await pause(150)
  for (const { frame } of frames) frame.remove()
  return [...caught.values()]
}
