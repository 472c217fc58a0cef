import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { bare, shownOfMarkdown, unmarked } from '../content/visible.ts'
import { isFull } from '../support/scale.ts'
import { waitUntil } from '../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from './web-app.ts'

/** At least one text of each class. */
const SAMPLE_NAMES = [
  ...['generics 1', 'generics 14', 'angle brackets 2', 'angle brackets 17', 'components 1'],
  ...['source 7', 'source 36', 'source 39', 'logs 2', 'stack traces 4', 'diffs 2', 'mail 3'],
  ...['links 2', 'tables 2', 'scripts 4', 'emoji 1', 'maths 6', 'prose 3', 'prose 10', 'prose 23'],
  ...['html 11', 'xml 2', 'quoted markup 6', 'stray tags 5', 'code blocks 4', 'line ends 1'],
  ...['tables with bars 5', 'marks alone 1', 'references 4', 'long lines 1'],
]
const allSamples = SAMPLE_NAMES.map((name) => {
  const sample = corpus.find((one) => one.name === name)
  if (!sample) throw new Error(`The corpus has no text called ${name}`)
  return sample
})

/** Each surface takes every third text, and all of them in full runs. */
const SURFACES = ['descriptions', 'comments', 'pages'] as const
const samplesOf = (surface: (typeof SURFACES)[number]) =>
  allSamples.filter((_, at) => isFull || SURFACES[at % SURFACES.length] === surface)

const normalize = (text: string) => text.replace(/\r\n?/g, '\n').trim()

/** Short single lines without @ or #, which open suggestions, are typed. Others are pasted. */
const isTyped = (text: string) => text.length < 50 && !/[\n\r@#]/.test(text)

/** Sets `data-pasted` on the body once a text is pasted. */
const markPastes = () => {
  addEventListener('paste', () =>
    setTimeout(() => document.body.toggleAttribute('data-pasted', true)),
  )
}

describe.skipIf(isBrowserSkipped)('texts typed or pasted into the web app', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const fetchData = async (path: string) => (await app.http('GET', `/api/v1/${path}`)).body.data
  /** Waits until a text is stored unchanged, apart from line ends and outer whitespace. */
  async function expectStored(
    fetchText: () => Promise<string | undefined>,
    { name, text }: Sample,
  ) {
    const storedText = async () => normalize((await fetchText()) ?? '')
    await waitUntil(async () => (await storedText()) === normalize(text)).catch(() => {})
    expect([name, await storedText()]).toEqual([name, normalize(text)])
  }

  /** Replaces the text of the editor by typing or pasting, and saves it. */
  async function enterText(page: Page, editor: Locator, { text }: Sample) {
    await editor.locator('.code:not([hidden])').waitFor()
    await page.evaluate((value) => navigator.clipboard.writeText(value), text)
    await editor.locator('.cm-content').focus()
    await page.keyboard.press('Control+a')
    if (isTyped(text)) {
      await page.keyboard.type(text)
      await page.keyboard.press('Control+Enter')
      return
    }
    // The browser reads the clipboard after the key, so the next key could come before the text.
    await page.evaluate(() => document.body.removeAttribute('data-pasted'))
    await page.evaluate(markPastes)
    await page.keyboard.press('Control+v')
    await page.locator('body[data-pasted]').waitFor()
    await page.keyboard.press('Control+Enter')
  }

  /** Waits until the rendered text equals the whole sample. */
  async function expectShown(prose: Locator, sample: Sample) {
    const shownText = async () => unmarked(bare((await prose.textContent()) ?? ''))
    const expectedText = shownOfMarkdown(sample)
    await waitUntil(async () => (await shownText()) === expectedText).catch(() => {})
    expect([sample.name, await shownText()]).toEqual([sample.name, expectedText])
  }

  test('lose no visible character as a description', async () => {
    const { page, problems, go } = await app.openSession()
    const { task_id, ticket_number } = await app.createTask({ title: 'Descriptions' })
    await go(`/t/${ticket_number}`)
    for (const sample of samplesOf('descriptions')) {
      await page.getByRole('button', { name: /^(Edit|Add a description)/ }).click()
      await enterText(page, page.locator('.writing'), sample)
      await page.locator('.writing').waitFor({ state: 'detached' })
      await expectStored(async () => (await fetchData(`tasks/${task_id}`)).description, sample)
      await page.reload()
      await expectShown(page.getByRole('region', { name: 'Description' }).locator('.prose'), sample)
    }
    expect(problems).toEqual([])
  }, 600_000)

  test('lose no visible character as comments', async () => {
    const { page, problems, go } = await app.openSession()
    const { task_id, ticket_number } = await app.createTask({ title: 'Comments' })
    const fetchLatest = async () =>
      (
        await fetchData(`tasks/${task_id}/comments?sort_order=desc&limit=1&include_activity=false`)
      )[0]
    await go(`/t/${ticket_number}`)
    const comments: [number, Sample][] = []
    for (const sample of samplesOf('comments')) {
      await page.getByRole('textbox', { name: 'Comment', exact: true }).last().focus()
      await enterText(page, page.locator('.composer'), sample)
      await expectStored(async () => (await fetchLatest())?.text, sample)
      comments.push([(await fetchLatest()).comment_id, sample])
    }
    await page.reload()
    for (const [id, sample] of comments)
      await expectShown(page.locator(`[data-comment="${id}"] .prose`), sample)
    expect(problems).toEqual([])
  }, 600_000)

  test('lose no visible character as a page', async () => {
    const { page, problems, go } = await app.openSession()
    const { ticket_number } = await app.createTask({ title: 'Pages' })
    const body = { title: 'Of the corpus', content: 'Begun.' }
    const response = await app.http('POST', `/api/v1/tasks/${ticket_number}/pages`, { body })
    const { page_id, public_id } = response.body.data
    await go(`/p/${public_id}`)
    for (const sample of samplesOf('pages')) {
      await page.getByRole('button', { name: /^Edit/ }).first().click()
      await enterText(page, page.locator('.writing'), sample)
      await page.locator('.writing').waitFor({ state: 'detached' })
      await expectStored(async () => (await fetchData(`pages/${page_id}`)).content, sample)
      await page.reload()
      await expectShown(page.locator('.reading .prose'), sample)
    }
    expect(problems).toEqual([])
  }, 600_000)
})
