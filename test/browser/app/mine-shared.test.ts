import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('what other apps share', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('a shared link becomes the text of a new task, and the address does not keep it', async () => {
    const { page, go, problems } = await app.openSession({ touch: true, width: 390 })
    const shared = { share_title: 'Oak care', share_text: '', share_url: 'https://example.com/oak' }
    await go(`/my?${new URLSearchParams(shared)}`)
    const field = page.getByLabel('New task for yourself')
    await expectEventually(() => field.inputValue(), 'Oak care https://example.com/oak')
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    await expectEventually(async () => new URL(page.url()).search, '')
    await page.keyboard.press('Enter')
    const titles = async () =>
      (await app.http('GET', `/api/v1/tasks?project_id=${app.project_id}`)).body.data.map(
        (task: { title: string }) => task.title,
      )
    await expectEventually(titles, ['Oak care https://example.com/oak'])
    expect(problems).toEqual([])
  })
})
