import type { Browser } from 'playwright-core'

const PAGE = 'http://detector.example/'

/** A harmful effect that a text has, or could have, in a browser. */
export interface Finding {
  /** The index of the text. */
  at: number
  effect: string
}

/**
 * Opens a page that renders each text in its own frame and dispatches user events in it. Reports
 * scripts that ran, requests other than for images, and attributes that could run a script.
 */
export async function openXssDetector(browser: Browser) {
  const page = await browser.newPage()
  const requests: string[] = []
  await page.route('**/*', (route) => {
    const request = route.request()
    if (request.url() === PAGE)
      return route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>XSS detector</title>',
        // Report-only: violations are reported, not blocked.
        headers: { 'content-security-policy-report-only': "script-src 'none'" },
      })
    // Texts may show images of other hosts.
    if (request.resourceType() !== 'image')
      requests.push(`${request.resourceType()} ${request.url()}`)
    return route.abort()
  })
  await page.goto(PAGE)
  return {
    /** The requests do not tell which text sent them, because the frames share one page. */
    async render(texts: readonly string[]): Promise<{ findings: Finding[]; requests: string[] }> {
      requests.length = 0
      const findings = await page.evaluate(renderInFrames, texts as string[])
      return { findings, requests: [...requests] }
    },
    close: () => page.close(),
  }
}

/** Runs in the page, so it cannot use anything outside of this function. */
async function renderInFrames(texts: string[]): Promise<Finding[]> {
  const findings = new Map<string, Finding>()
  const addFinding = (at: number, effect: string) => findings.set(`${at} ${effect}`, { at, effect })
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const urlAttributes = [
    'href',
    'src',
    'action',
    'formaction',
    'data',
    'poster',
    'cite',
    'xlink:href',
  ]
  const safeProtocols = ['http:', 'https:', 'mailto:']
  // Dispatched, because the browser itself may fire them too late.
  const events = [
    ...['mouseover', 'focus', 'toggle', 'animationstart', 'pointerenter', 'load', 'error'],
  ]

  const frames = texts.map((text, at) => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const frameWindow = frame.contentWindow as Window & typeof globalThis
    const frameDocument = frame.contentDocument!
    frameDocument.addEventListener('securitypolicyviolation', (event) =>
      addFinding(at, `script: ${event.effectiveDirective}`),
    )
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'eval'] as const)
      Object.assign(frameWindow, { [name]: () => addFinding(at, `called ${name}`) })
    frameDocument.body.innerHTML = text
    return { frame, frameWindow, frameDocument, at }
  })
  await pause(150)

  for (const { frameWindow, frameDocument, at } of frames) {
    for (const element of frameDocument.body.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || ['style', 'srcdoc', 'id', 'name'].includes(name))
          addFinding(at, `attribute ${name}`)
        if (!urlAttributes.includes(name)) continue
        const { protocol } = URL.canParse(value, 'http://detector.example')
          ? new URL(value, 'http://detector.example')
          : { protocol: 'http:' }
        if (!safeProtocols.includes(protocol)) addFinding(at, `${name} leads to ${protocol}`)
      }
      for (const type of events)
        element.dispatchEvent(new frameWindow.Event(type, { bubbles: true }))
      const { protocol } = element as HTMLAnchorElement
      // Clicking an ordinary link would only navigate the frame.
      if (!safeProtocols.includes(protocol)) (element as HTMLElement).click?.()
    }
  }
  await pause(150)
  for (const { frame } of frames) frame.remove()
  return [...findings.values()]
}
