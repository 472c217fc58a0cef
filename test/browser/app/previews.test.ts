import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'

/** Longer than the delay before a preview opens. */
const HOVER_MS = 700

describe.skipIf(isBrowserSkipped)('previews', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let paula: number
  let agent_id: string
  const keys = { sail: '', mast: '' }
  let sheet: number
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    page = ada.page
    const colleague = await addColleague(app, 'Paula')
    paula = colleague.user_id
    await colleague.context.close()
    agent_id = (await app.createAgent({ name: 'Lantern' })).agent_id
    const mast = await app.createTask({
      title: 'Raise the mast',
      description: 'It is <b>nine</b> metres long &amp; heavy.',
      priority: 'Urgent',
      due_date: '2030-01-02',
      assignee_ids: [paula],
    })
    const link = `<a href="/t/${mast.ticket_number}">the mast</a>`
    const sail = await app.createTask({
      title: 'Sew the sail',
      description: `<p>After ${link}.</p>`,
    })
    Object.assign(keys, { mast: mast.ticket_number, sail: sail.ticket_number })
    const body = {
      title: 'Rigging plan',
      content: 'Four stays, **two** shrouds.',
    }
    sheet = (await app.http('POST', `/api/v1/tasks/${mast.ticket_number}/pages`, { body })).body
      .data.page_id
  })
  afterAll(() => app?.close())

  const preview = () => page.locator('.preview')
  const leave = async () => {
    await page.mouse.move(1, 1)
    await preview().waitFor({ state: 'detached' })
  }
  const hover = async (target: Locator) => {
    await target.hover()
    await preview().waitFor()
  }
  const textOf = async (text: RegExp) => {
    await waitUntil(async () => text.test((await preview().textContent()) ?? ''))
  }
  const link = () => page.getByRole('link', { name: 'the mast' })

  test('a link to a task in a description shows the task after a moment, and leaving closes it', async () => {
    await ada.go(`/t/${keys.sail}`)
    await link().hover()
    await textOf(/Raise the mast.*It is nine metres long & heavy\..*Paula.*Urgent/)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await preview().hover()
    await Bun.sleep(HOVER_MS)
    expect(await preview().count()).toBe(1)
    await leave()
  })

  test('a link that the pointer only passes shows nothing', async () => {
    const { x, y } = (await link().boundingBox())!
    // On a busy machine, time passes between two calls that wait for each other.
    await Promise.all([page.mouse.move(x + 3, y + 3), page.mouse.move(1, 1)])
    await Bun.sleep(HOVER_MS)
    expect(await preview().count()).toBe(0)
  })

  test('Alt+P shows the preview of what has the focus, and Escape closes only that', async () => {
    await ada.go(`/p/${sheet}`)
    const back = page.getByRole('main').locator(`a[href="/t/${keys.mast}"]`).first()
    await back.focus()
    // The code of previews is loaded after the first paint.
    await waitUntil(async () => {
      await page.keyboard.press('Alt+p')
      return (await preview().count()) > 0
    })
    await textOf(/Raise the mast/)
    expect(await back.getAttribute('aria-describedby')).toBe(await preview().getAttribute('id'))
    await page.keyboard.press('Escape')
    await preview().waitFor({ state: 'detached' })
    expect(await back.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('a person is shown with role, local time and open tasks', async () => {
    await ada.go(`/t/${keys.mast}`)
    await hover(page.locator(`[data-actor="${paula}"]`).first())
    await textOf(/Paula.*Member.*local time.*Raise the mast/)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await leave()
  })

  test('an agent in the sidebar is shown with its state and current task', async () => {
    await ada.go('/inbox')
    await hover(page.locator(`[data-actor="${agent_id}"]`).first())
    await textOf(/Lantern.*Agent.*Nothing at the moment/)
    await leave()
  })

  test('a page is shown with its board, first lines and last change', async () => {
    await ada.go(`/t/${keys.mast}`)
    await hover(page.getByRole('main').locator('a[href*="/p/"]').first())
    await textOf(/Rigging plan.*Four stays, two shrouds\..*Ada/)
    await leave()
  })

  test('search results show previews of what they found', async () => {
    await ada.go('/search?q=mast')
    await hover(page.locator(`[data-preview="/t/${keys.mast}"]`).first())
    await textOf(/Raise the mast/)
    await page.keyboard.press('Escape')
    await preview().waitFor({ state: 'detached' })
  })

  test('touch opens no preview', async () => {
    const phone = await app.openSession({ touch: true, width: 390, height: 800 })
    await phone.go(`/t/${keys.sail}`)
    const target = phone.page.getByRole('link', { name: 'the mast' })
    await target.dispatchEvent('pointerover', { pointerType: 'touch', bubbles: true })
    await Bun.sleep(HOVER_MS)
    expect(await phone.page.locator('.preview').count()).toBe(0)
    await phone.context.close()
  })

  test('nothing went wrong in the browser', () => {
    expect(ada.problems).toEqual([])
  })
})
