import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { mapConcurrently } from '../../scripts/concurrency.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { scaleCount } from '../support/scale.ts'
import { isBrowserSkipped } from './web-app.ts'
import { openXssDetector } from './xss-detector.ts'
import vectors from './xss-vectors.json'

const sampledVectors = vectors.filter((_, at) => at % scaleCount(10, 1) === 0)
/** How many texts a page renders at once. */
const BATCH = 60
/** How many texts are sent to the server at once. */
const CONCURRENCY = 12

/** Attacks that the detector must report; otherwise the tests below would prove nothing. */
const HARMFUL = [
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<details open ontoggle=confirm(1)>x</details>',
  '<iframe srcdoc="<script>parent.x=1</script>"></iframe>',
  '<a href="javascript:prompt(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<p style="background:url(//x.example)">x</p>',
  '<b onmouseover=alert(1)>x</b>',
  '<form id=cookie><input name=parent></form>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
]

describe.skipIf(isBrowserSkipped)('harmful texts', () => {
  let browser: Browser
  let server: BoardServer
  let detector: Awaited<ReturnType<typeof openXssDetector>>

  beforeAll(async () => {
    server = await startBoardServer()
    browser = await openBrowser()
    detector = await openXssDetector(browser)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test('are all detected when not sanitized, and harmless HTML is not reported', async () => {
    const { findings } = await detector.render(HARMFUL)
    const detectedIndexes = new Set(findings.map(({ at }) => at))
    expect(HARMFUL.filter((_, at) => !detectedIndexes.has(at))).toEqual([])
    const alertIndexes = findings
      .filter(({ effect }) => effect === 'called alert')
      .map(({ at }) => at)
    expect(alertIndexes).toContain(0)
    const { requests } = await detector.render([
      '<iframe src="http://elsewhere.example/"></iframe>',
    ])
    expect(requests).toEqual(['document http://elsewhere.example/'])
    const harmlessResult = await detector.render([
      '<p>a <a href="/t/HOM-1">b</a> <img src="http://x.example/">',
    ])
    expect(harmlessResult).toEqual({ findings: [], requests: [] })
  })

  test('run no script as a description, a comment or a draft, in HTML or Markdown', async () => {
    const renderings: { source: string; payload: string; html: string }[] = []
    await mapConcurrently(CONCURRENCY, sampledVectors, async ({ payload }) => {
      for (const [source, html] of await renderingsOf(payload))
        renderings.push({ source, payload, html })
    })
    // A test in which the server refuses all vectors would prove nothing.
    expect(renderings.length).toBeGreaterThan(sampledVectors.length * 4)
    for (let from = 0; from < renderings.length; from += BATCH) {
      const batch = renderings.slice(from, from + BATCH)
      const { findings, requests } = await detector.render(batch.map(({ html }) => html))
      expect(findings.map(({ at, effect }) => ({ effect, ...batch[at] }))).toEqual([])
      expect(requests).toEqual([])
    }
  }, 300_000)

  /** Stores a text in every possible way; returns the HTML in the responses of the server. */
  async function renderingsOf(payload: string): Promise<[source: string, html: string][]> {
    const results: [string, string][] = []
    const addResult = (source: string, html: string | null | undefined) => {
      if (html) results.push([source, html])
    }
    const asHtml = await createTask(payload, 'html')
    addResult('html', (await fetchTask(asHtml))?.description)
    const markdown = (await fetchTask(asHtml, 'markdown'))?.description
    if (markdown) {
      const convertedId = await createTask(markdown, 'markdown')
      addResult('html as markdown', (await fetchTask(convertedId, 'html'))?.description)
    }
    const asMarkdown = await createTask(payload, 'markdown')
    addResult('markdown', (await fetchTask(asMarkdown, 'html'))?.description)
    if (asMarkdown !== undefined) {
      await request('PATCH', `/tasks/${asMarkdown}`, { content_type: 'html' })
      const converted = await fetchTask(asMarkdown)
      if (converted?.content_type === 'html')
        addResult('markdown called html', converted.description)
    }
    for (const type of ['html', 'markdown'])
      addResult(`comment in ${type}`, await comment(payload, type))
    addResult('draft', await draft(payload))
    return results
  }

  let sharedTask: Promise<number> | undefined

  /** One task for all comments and drafts. */
  const sharedTaskId = () => {
    sharedTask ??= request('POST', '/tasks', { project_id: server.project_id, title: 'x' }).then(
      ({ task_id }) => task_id,
    )
    return sharedTask
  }

  async function createTask(
    description: string,
    content_type: string,
  ): Promise<number | undefined> {
    const { project_id } = server
    const task = { project_id, title: 'x', description, content_type }
    return (await request('POST', '/tasks', task))?.task_id
  }

  const fetchTask = async (task_id: number | undefined, format?: string) =>
    task_id === undefined
      ? undefined
      : request('GET', `/tasks/${task_id}${format ? `?format=${format}` : ''}`)

  async function comment(text: string, content_type: string) {
    const created = await request('POST', `/tasks/${await sharedTaskId()}/comments`, {
      text,
      content_type,
    })
    return created && (await request('GET', `/comments/${created.comment_id}?format=html`)).text
  }

  async function draft(text: string) {
    const created = await request('POST', '/drafts', { task_id: await sharedTaskId(), text })
    return created && (await request('GET', `/drafts/${created.draft_id}`)).text
  }

  /** Returns the response data, or undefined if the server refuses the text. */
  async function request(method: string, path: string, body?: object) {
    const { status, body: responseBody } = await server.http(method, `/api/v1${path}`, { body })
    if (status < 300) return responseBody.data
    expect([status, ['text', 'description'].includes(responseBody.details.field)]).toEqual([
      400,
      true,
    ])
  }
})
