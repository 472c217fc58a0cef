import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { soon } from '../binary/players.ts'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { bare, shownOfMarkdown, unmarked } from '../content/visible.ts'
import { type Desk, noBrowser, openDesk } from './desk.ts'

/** At least one text of each class. */
const NAMES = [
  ...['generics 1', 'generics 14', 'angle brackets 2', 'angle brackets 17', 'components 1'],
  ...['source 7', 'source 36', 'source 39', 'logs 2', 'stack traces 4', 'diffs 2', 'mail 3'],
  ...['links 2', 'tables 2', 'scripts 4', 'emoji 1', 'maths 6', 'prose 3', 'prose 10', 'prose 23'],
  ...['html 11', 'xml 2', 'markup spoken of 6', 'stray tags 5', 'code blocks 4', 'line ends 1'],
  ...['tables with bars 5', 'marks alone 1', 'references 4', 'long lines 1'],
]
const texts = NAMES.map((name) => {
  const found = corpus.find((one) => one.name === name)
  if (!found) throw new Error(`The corpus has no text called ${name}`)
  return found
})

const lines = (text: string) => text.replace(/\r\n?/g, '\n').trim()

/** Short single lines without @ or #, which open suggestions, are typed. Others are pasted. */
const isTyped = (text: string) => text.length < 50 && !/[\n\r@#]/.test(text)

/** Sets `data-pasted` on the body once a text is pasted. */
const markPastes = () => {
  addEventListener('paste', () =>
    setTimeout(() => document.body.toggleAttribute('data-pasted', true)),
  )
}

describe.skipIf(noBrowser)('texts typed or pasted into the web app', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const read = async (path: string) => (await desk.http('GET', `/api/v1/${path}`)).body.data
  /** Waits until a text is stored unchanged, apart from line ends and outer whitespace. */
  async function isStored(stored: () => Promise<string | undefined>, { name, text }: Sample) {
    const now = async () => lines((await stored()) ?? '')
    await soon(async () => ((await now()) === lines(text) ? true : undefined)).catch(() => {})
    expect([name, await now()]).toEqual([name, lines(text)])
  }

  /** Replaces the text of the editor by typing or pasting, and saves it. */
  async function enter(page: Page, editor: Locator, { text }: Sample) {
    await editor.locator('.code:not([hidden])').waitFor()
    await page.evaluate((words) => navigator.clipboard.writeText(words), text)
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
  async function isShown(prose: Locator, sample: Sample) {
    const words = async () => unmarked(bare((await prose.textContent()) ?? ''))
    const whole = shownOfMarkdown(sample)
    await soon(async () => ((await words()) === whole ? true : undefined)).catch(() => {})
    expect([sample.name, await words()]).toEqual([sample.name, whole])
  }

  test('lose no visible character as a description', async () => {
    const { page, complaints, go } = await desk.sit()
    const { task_id, ticket_number } = await desk.create({ title: 'Descriptions' })
    await go(`/t/${ticket_number}`)
    for (const sample of texts) {
      await page.getByRole('button', { name: /^(Edit|Add a description)/ }).click()
      await enter(page, page.locator('.writing'), sample)
      await page.locator('.writing').waitFor({ state: 'detached' })
      await isStored(async () => (await read(`tasks/${task_id}`)).description, sample)
      await page.reload()
      await isShown(page.getByRole('region', { name: 'Description' }).locator('.prose'), sample)
    }
    expect(complaints).toEqual([])
  }, 600_000)

  test('lose no visible character as comments', async () => {
    const { page, complaints, go } = await desk.sit()
    const { task_id, ticket_number } = await desk.create({ title: 'Comments' })
    const latest = async () =>
      (await read(`tasks/${task_id}/comments?sort_order=desc&limit=1&include_activity=false`))[0]
    await go(`/t/${ticket_number}`)
    const written: [number, Sample][] = []
    for (const sample of texts) {
      await page.getByRole('textbox', { name: 'Comment', exact: true }).last().focus()
      await enter(page, page.locator('.composer'), sample)
      await isStored(async () => (await latest())?.text, sample)
      written.push([(await latest()).comment_id, sample])
    }
    await page.reload()
    for (const [id, sample] of written)
      await isShown(page.locator(`[data-comment="${id}"] .prose`), sample)
    expect(complaints).toEqual([])
  }, 600_000)

  test('lose no visible character as a page', async () => {
    const { page, complaints, go } = await desk.sit()
    const { ticket_number } = await desk.create({ title: 'Pages' })
    const body = { title: 'Of the corpus', content: 'Begun.' }
    const made = await desk.http('POST', `/api/v1/tasks/${ticket_number}/pages`, { body })
    const { page_id, public_id } = made.body.data
    await go(`/p/${public_id}`)
    for (const sample of texts) {
      await page.getByRole('button', { name: /^Edit/ }).first().click()
      await enter(page, page.locator('.writing'), sample)
      await page.locator('.writing').waitFor({ state: 'detached' })
      await isStored(async () => (await read(`pages/${page_id}`)).content, sample)
      await page.reload()
      await isShown(page.locator('.reading .prose'), sample)
    }
    expect(complaints).toEqual([])
  }, 600_000)
})
