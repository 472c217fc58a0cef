import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'

describe.skipIf(isBrowserSkipped)('a text that several people edit', () => {
  let app: WebApp
  let ada: BrowserSession
  let ben: BrowserSession
  const OFFLINE = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE/
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession({ ignoredMessages: OFFLINE })
    ben = await addColleague(app, 'Ben')
  })
  afterAll(() => app?.close())

  const fetchTask = async (id: number) => (await app.http('GET', `/api/v1/tasks/${id}`)).body.data
  const createTask = (title: string, description: string) =>
    app.createTask({ title, description, content_type: 'markdown' })
  const waitForDescription = (id: number, description: string) =>
    waitUntil(async () => (await fetchTask(id)).description === description)
  const field = (page: Page) => page.getByRole('textbox', { name: 'Description' }).last()
  const waitForText = (page: Page, text: string) =>
    waitUntil(async () => (await field(page).textContent())!.trim() === text)

  /** Opens the description for editing, with the cursor at its end. */
  async function edit(page: Page) {
    await page.getByRole('button', { name: /^(Edit|Add a description)/ }).click()
    await page.locator('.writing .code:not([hidden])').waitFor()
    await page.keyboard.press('Control+End')
  }

  /** Writes the saved text, which may lack what was typed last. */
  async function replaceWord(id: number, word: string, replacement: string) {
    const { description, description_version: if_version } = await fetchTask(id)
    const text = description.replace(word, replacement)
    const body = { description: text, content_type: 'markdown', if_version }
    expect((await app.http('PATCH', `/api/v1/tasks/${id}`, { body })).status).toBe(200)
  }

  const versionsOf = async (id: number) =>
    (await app.http('GET', `/api/v1/tasks/${id}/versions?fields=author,description`)).body.data.map(
      ({ author, description }: { author: { name: string }; description: string }) =>
        `${author.name}: ${description}`,
    )

  test('shows what others and agents type at once, and saves a version of each', async () => {
    const { task_id, ticket_number } = await createTask('Plan the feast', 'Soup.')
    await ada.go(`/t/${ticket_number}`)
    await ben.page.goto(`${app.url}/t/${ticket_number}`)
    await edit(ada.page)
    await edit(ben.page)
    await ada.page.keyboard.type(' Bread.')
    await waitForText(ben.page, 'Soup. Bread.')
    await ben.page.keyboard.press('Control+Home')
    await ben.page.keyboard.type('Wine. ')
    await waitForText(ada.page, 'Wine. Soup. Bread.')
    const here = (page: Page) => page.locator('.task-head').getByRole('list', { name: 'Here now' })
    await here(ada.page).getByRole('img', { name: 'Ben' }).waitFor()
    await here(ada.page).getByText('editing').waitFor({ state: 'attached' })
    await here(ben.page).getByRole('img', { name: 'Ada' }).waitFor()
    await ada.page.locator('.cm-other-cursor[data-name="Ben"]').waitFor()
    await replaceWord(task_id, 'Soup', 'Hot soup')
    await waitForText(ada.page, 'Wine. Hot soup. Bread.')
    await ada.page.keyboard.type(' Cake.')
    await waitForText(ben.page, 'Wine. Hot soup. Bread. Cake.')
    await ada.page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    expect(await accessibilityIssues(ada.page)).toEqual([])
    await waitForDescription(task_id, 'Wine. Hot soup. Bread. Cake.')
    expect((await versionsOf(task_id)).length).toBeLessThanOrEqual(5)
    await Promise.all(['Escape', 'Control+z'].map((key) => ada.page.keyboard.press(key)))
    await waitForDescription(task_id, 'Wine. Hot soup.')
    expect([...ada.problems, ...ben.problems]).toEqual([])
  })

  test('is saved when its author clicks elsewhere, and shown at once', async () => {
    const { task_id, ticket_number } = await createTask('Light the fire', 'Wood.')
    await ada.go(`/t/${ticket_number}`)
    await edit(ada.page)
    await ada.page.keyboard.type(' Matches.')
    await ada.page.locator('.task-head').click({ position: { x: 300, y: 5 } })
    await ada.page.getByRole('button', { name: 'Edit' }).waitFor()
    await ada.page.getByText('Wood. Matches.').waitFor()
    await waitForDescription(task_id, 'Wood. Matches.')
    expect(ada.problems).toEqual([])
  })

  test('keeps what was typed offline, over a reload, and merges it', async () => {
    const { task_id, ticket_number } = await createTask('Pack the car', 'Tent.')
    const { page, context } = ada
    await ada.go(`/t/${ticket_number}`)
    await edit(page)
    await context.route(/shared-text/, (route) => route.abort('connectionrefused'))
    await page.keyboard.type(' Lamp.')
    await page.getByText('Offline, will be saved').waitFor()
    await app.http('PATCH', `/api/v1/tasks/${task_id}`, {
      body: { description: 'Big tent.', content_type: 'markdown' },
    })
    await page.keyboard.press('Escape')
    await page.reload()
    await context.unroute(/shared-text/)
    await page.reload()
    await waitForDescription(task_id, 'Big tent. Lamp.')
    await page.getByText('Big tent. Lamp.').waitFor()
    expect(ada.problems).toEqual([])
  })

  test('an accepted change survives a crash of the server', async () => {
    const { task_id, ticket_number } = await createTask('Call the band', 'Drums.')
    await ada.go(`/t/${ticket_number}`)
    await edit(ada.page)
    await ada.page.keyboard.type(' Flute.')
    await ada.page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await app.kill()
    await app.restart()
    await waitForDescription(task_id, 'Drums. Flute.')
    await ada.page.keyboard.press('Escape')
  })
})
