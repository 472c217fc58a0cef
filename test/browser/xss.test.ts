import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type House, openHouse } from '../binary/house.ts'
import { scaled } from '../extent.ts'
import { openTrap } from './trap.ts'
import vectors from './xss-vectors.json'

const skipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')
const tested = vectors.filter((_, at) => at % scaled(10, 1) === 0)
/** How many texts a page holds at once, and how many requests run at once. */
const BATCH = 60
const ABREAST = 12

/** The trap must catch each of these; otherwise it proves nothing. */
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

describe.skipIf(skipped)('harmful texts', () => {
  let browser: Browser
  let house: House
  let trap: Awaited<ReturnType<typeof openTrap>>

  beforeAll(async () => {
    house = await openHouse()
    browser = await openBrowser()
    trap = await openTrap(browser)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  test('are all caught by the trap when not sanitized, and harmless HTML is not', async () => {
    const { caught } = await trap.watch(HARMFUL)
    const numbers = new Set(caught.map(({ at }) => at))
    expect(HARMFUL.filter((_, at) => !numbers.has(at))).toEqual([])
    const called = caught.filter(({ what }) => what === 'called alert').map(({ at }) => at)
    expect(called).toContain(0)
    const { asked } = await trap.watch(['<iframe src="http://elsewhere.example/"></iframe>'])
    expect(asked).toEqual(['document http://elsewhere.example/'])
    const fine = await trap.watch(['<p>a <a href="/t/HOM-1">b</a> <img src="http://x.example/">'])
    expect(fine).toEqual({ caught: [], asked: [] })
  })

  test('run no script as a description, a comment or a draft, in HTML or Markdown', async () => {
    const shown: { way: string; payload: string; html: string }[] = []
    await abreast(tested, async ({ payload }) => {
      for (const [way, html] of await ways(payload)) shown.push({ way, payload, html })
    })
    // Most vectors leave HTML to check; a test in which all are refused would prove nothing.
    expect(shown.length).toBeGreaterThan(tested.length * 4)
    for (let from = 0; from < shown.length; from += BATCH) {
      const batch = shown.slice(from, from + BATCH)
      const { caught, asked } = await trap.watch(batch.map(({ html }) => html))
      expect(caught.map(({ at, what }) => ({ what, ...batch[at] }))).toEqual([])
      expect(asked).toEqual([])
    }
  }, 300_000)

  /** Writes a text in every possible way; returns the HTML with which the server responds. */
  async function ways(payload: string): Promise<[way: string, html: string][]> {
    const found: [string, string][] = []
    const see = (way: string, html: string | null | undefined) => {
      if (html) found.push([way, html])
    }
    const asHtml = await described(payload, 'html')
    see('html', (await record(asHtml))?.description)
    const markdown = (await record(asHtml, 'markdown'))?.description
    if (markdown) {
      const again = await described(markdown, 'markdown')
      see('html as markdown', (await record(again, 'html'))?.description)
    }
    const asMarkdown = await described(payload, 'markdown')
    see('markdown', (await record(asMarkdown, 'html'))?.description)
    if (asMarkdown !== undefined) {
      await sent('PATCH', `/tasks/${asMarkdown}`, { content_type: 'html' })
      const called = await record(asMarkdown)
      if (called?.content_type === 'html') see('markdown called html', called.description)
    }
    for (const type of ['html', 'markdown']) see(`comment in ${type}`, await comment(payload, type))
    see('draft', await draft(payload))
    return found
  }

  let board: Promise<number> | undefined

  /** One task for all comments and drafts. */
  const place = () => {
    board ??= sent('POST', '/tasks', { project_id: house.project_id, title: 'x' }).then(
      ({ task_id }) => task_id,
    )
    return board
  }

  async function described(description: string, content_type: string): Promise<number | undefined> {
    const { project_id } = house
    const task = { project_id, title: 'x', description, content_type }
    return (await sent('POST', '/tasks', task))?.task_id
  }

  const record = async (task_id: number | undefined, format?: string) =>
    task_id === undefined
      ? undefined
      : sent('GET', `/tasks/${task_id}${format ? `?format=${format}` : ''}`)

  async function comment(text: string, content_type: string) {
    const made = await sent('POST', `/tasks/${await place()}/comments`, { text, content_type })
    return made && (await sent('GET', `/comments/${made.comment_id}?format=html`)).text
  }

  async function draft(text: string) {
    const made = await sent('POST', '/drafts', { task_id: await place(), text })
    return made && (await sent('GET', `/drafts/${made.draft_id}`)).text
  }

  /** The response data, or undefined if the text is refused, which is fine too. */
  async function sent(method: string, path: string, body?: object) {
    const { status, body: answer } = await house.http(method, `/api/v1${path}`, { body })
    if (status < 300) return answer.data
    expect([status, ['text', 'description'].includes(answer.details.field)]).toEqual([400, true])
  }
})

async function abreast<T>(all: readonly T[], job: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const hand = async () => {
    for (const one of rest) await job(one)
  }
  await Promise.all(Array.from({ length: ABREAST }, hand))
}
