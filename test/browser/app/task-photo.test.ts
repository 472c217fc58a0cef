import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(isBrowserSkipped)('photos', () => {
  let app: WebApp
  let number: string
  beforeAll(async () => {
    app = await openWebApp()
    number = (await app.createTask({ title: 'Broken fence' })).ticket_number
  })
  afterAll(() => app?.close())

  test('on a phone, a photo from the camera is attached to a comment', async () => {
    const { page, go, problems } = await app.openSession({ touch: true, width: 390 })
    await go(`/t/${number}`)
    const camera = page.locator('.photo-button').last()
    await camera.waitFor()
    const input = page.getByLabel('Take a photo').last()
    expect(await input.getAttribute('capture')).toBe('environment')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const file = { name: 'fence.png', mimeType: 'image/png', buffer: PIXEL }
    await input.setInputFiles(file)
    await page.getByText('fence.png').first().waitFor()
    expect(problems).toEqual([])
  })

  test('on a computer, no button opens a camera', async () => {
    const { page, go } = await app.openSession()
    await go(`/t/${number}`)
    await page.getByText('Attach a file').first().waitFor()
    expect(await page.locator('.photo-button').first().isVisible()).toBe(false)
  })
})
