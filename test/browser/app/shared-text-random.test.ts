import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { EditorView } from '@codemirror/view'
import type { Page } from 'playwright-core'
import type { ConnectedClient } from '../../binary/agent-client.ts'
import { Random } from '../../crash/random.ts'
import { seed as block, isFull, scaleCount } from '../../support/scale.ts'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'

const SECONDS = isFull ? 60 : 4
const BEGINNING = 'Start '

/** What one of the three has written and deleted. Nobody else writes the same tokens. */
interface Author {
  name: string
  random: Random
  written: string[]
  deleted: string[]
  /** Changes the text once. */
  act(): Promise<void>
}

/** Puts the cursor before a token of anybody, or at the end. */
const moveCursor = (page: Page, part: number) =>
  page.evaluate((part) => {
    const content = document
      .querySelector('.writing .code')!
      .shadowRoot!.querySelector('.cm-content')!
    const { view } = (content as unknown as { cmTile: { root: { view: EditorView } } }).cmTile.root
    const text = view.state.doc.toString()
    const places = [...text.matchAll(/(?<= |\n)(?=[A-Z])/g)].map(({ index }) => index)
    const anchor = [...places, text.length][Math.floor(part * (places.length + 1))]!
    view.dispatch({ selection: { anchor }, userEvent: 'select' })
  }, part)

/** Deletes a token at once, so that nobody types into what is being deleted. */
const deleteToken = (page: Page, token: string) =>
  page.evaluate((token) => {
    const content = document
      .querySelector('.writing .code')!
      .shadowRoot!.querySelector('.cm-content')!
    const { view } = (content as unknown as { cmTile: { root: { view: EditorView } } }).cmTile.root
    const from = view.state.doc.toString().indexOf(`${token} `)
    if (from < 0) return false
    const to = from + token.length + 1
    view.dispatch({ changes: { from, to }, userEvent: 'delete.selection' })
    return true
  }, token)

function personOf(name: string, page: Page, random: Random): Author {
  const author: Author = { name, random, written: [], deleted: [], act }
  const { written, deleted } = author
  async function act() {
    const token = written.length && random.onceIn(4) && random.pick(written)
    if (token && !deleted.includes(token)) {
      if (await deleteToken(page, token)) deleted.push(token)
    } else {
      await moveCursor(page, random.next())
      const added = `${name}${written.length}`
      await page.keyboard.insertText(`${added} `)
      if (random.onceIn(6)) await page.keyboard.press('Enter')
      written.push(added)
    }
    await Bun.sleep(random.below(250))
  }
  return author
}

/** The agent replaces the whole text, based on the version that it has read. */
function agentOf(agent: ConnectedClient, path: string, random: Random): Author {
  const author: Author = { name: 'Bot', random, written: [], deleted: [], act }
  async function act() {
    const { data: task } = await agent.rest('GET', `${path}?format=markdown`)
    const added = `Bot${author.written.length}`
    const { status } = await agent.rest('PATCH', path, {
      description: `${task.description}${added} `,
      content_type: 'markdown',
      if_version: task.description_version,
    })
    if (status === 200) author.written.push(added)
    else expect(status).toBe(409)
    await Bun.sleep(300 + random.below(900))
  }
  return author
}

const countOf = (text: string, token: string) =>
  [...text.matchAll(new RegExp(`${token}(?!\\d)`, 'g'))].length

describe.skipIf(isBrowserSkipped)('two people and an agent who edit one description', () => {
  let app: WebApp
  let ada: BrowserSession
  let ben: BrowserSession
  let bot: ConnectedClient
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    ben = await addColleague(app, 'Ben')
    bot = await app.connectAgent('Bot')
  })
  afterAll(() => app?.close())

  async function edit({ page }: BrowserSession, ticket: string) {
    await page.goto(`${app.url}/t/${ticket}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('.writing .code:not([hidden])').waitFor()
  }
  const textOf = ({ page }: BrowserSession) =>
    page.evaluate(() => {
      const content = document
        .querySelector('.writing .code')!
        .shadowRoot!.querySelector('.cm-content')!
      const { root } = (content as unknown as { cmTile: { root: { view: EditorView } } }).cmTile
      return root.view.state.doc.toString()
    })

  async function start(seed: number) {
    const task = await app.createTask({
      ...{ title: `Write the menu, seed ${seed}`, content_type: 'markdown' },
      description: BEGINNING,
    })
    const path = `/api/v1/tasks/${task.ticket_number}`
    await bot.callTool('svc_tasks', 'claim', { ticket_number: task.ticket_number })
    for (const session of [ada, ben]) await edit(session, task.ticket_number)
    const authors = [
      personOf('Ada', ada.page, new Random(seed)),
      personOf('Ben', ben.page, new Random(seed + 1000)),
      agentOf(bot, path, new Random(seed + 2000)),
    ]
    return { path, authors }
  }

  async function expectVersions(path: string, authors: readonly Author[], text: string) {
    const { data } = await bot.rest('GET', `${path}?format=markdown`)
    expect(data.description).toBe(text)
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = `fields=author&limit=100${cursor && `&cursor=${cursor}`}`
      const { data, envelope } = await bot.rest('GET', `${path}/versions?${query}`)
      names.push(...data.map(({ author }: { author: { name: string } }) => author.name))
      cursor = envelope.page.next_cursor
    }
    for (const { name } of authors) expect(names).toContain(name)
    expect(names.filter((name) => name === 'Bot').length).toBe(authors[2]!.written.length)
  }

  // Other seeds of the run give other blocks of seeds.
  const count = scaleCount(1, 10)
  for (let seed = (block - 1) * count + 1; seed <= block * count; seed++)
    test(
      `lose nothing and end with the same text, seed ${seed}`,
      async () => {
        const { path, authors } = await start(seed)
        const end = performance.now() + SECONDS * 1000
        await Promise.all(
          authors.map(async (author) => {
            while (performance.now() < end) await author.act()
          }),
        )
        const read = async () => (await app.http('GET', `${path}?format=markdown`)).body.data
        const text = await waitUntil(async () => {
          const [own, other] = await Promise.all([textOf(ada), textOf(ben)])
          return own === other && (await read()).description === own && own
        })
        for (const { written, deleted } of authors)
          for (const token of written)
            expect([token, countOf(text, token)]).toEqual([token, deleted.includes(token) ? 0 : 1])
        expect(text).toContain(BEGINNING.trim())
        await expectVersions(path, authors, text)
        for (const { page } of [ada, ben]) {
          await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
        }
        expect([...ada.problems, ...ben.problems]).toEqual([])
      },
      (SECONDS + 120) * 1000,
    )

  test('an emptied text stays empty after a crash of the server', async () => {
    const { ticket_number } = await app.createTask({
      ...{ title: 'Clear the table', description: 'Plates.', content_type: 'markdown' },
    })
    const path = `/api/v1/tasks/${ticket_number}`
    const read = async () => (await app.http('GET', path)).body.data.description
    await edit(ada, ticket_number)
    await ada.page.keyboard.press('Control+a')
    await ada.page.keyboard.press('Delete')
    await ada.page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await app.kill()
    await app.restart()
    await expectEventually(read, '')
    await ada.page.keyboard.press('Escape')
    await ada.page.reload()
    await ada.page.getByRole('button', { name: /^Add a description/ }).waitFor()
    await app.kill()
    await app.restart()
    expect(await read()).toBe('')
  })
})
