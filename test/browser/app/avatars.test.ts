import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

/** Left half red, right half blue, 320 × 160 pixels; drawn by the browser. */
const drawPhoto = (page: Page) =>
  page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 160 })
    const context = canvas.getContext('2d')!
    context.fillStyle = '#c02020'
    context.fillRect(0, 0, 160, 160)
    context.fillStyle = '#2020c0'
    context.fillRect(160, 0, 160, 160)
    return canvas.toDataURL('image/png').split(',')[1]!
  })

/** Whether the picture is loaded, and the color in its center: r or b. */
const colorOf = (image: Locator) =>
  image.evaluate((element) => {
    const picture = element as HTMLImageElement
    if (!picture.complete || !picture.naturalWidth) return ''
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    const context = canvas.getContext('2d')!
    context.drawImage(picture, 0, 0, 1, 1)
    const [red, , blue] = context.getImageData(0, 0, 1, 1).data
    return red! > blue! + 40 ? 'red' : blue! > red! + 40 ? 'blue' : 'both'
  })

describe.skipIf(isBrowserSkipped)('pictures of people and agents', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession({ ignoredMessages: /status of 404/ })
    page = ada.page
  })
  afterAll(() => app?.close())

  const versions = async () =>
    (await app.http('GET', '/api/v1/avatars')).body.data.avatars as { version: string }[]
  const choose = async (scope: Locator, name: string) => {
    const photo = {
      name,
      mimeType: 'image/png',
      buffer: Buffer.from(await drawPhoto(page), 'base64'),
    }
    await scope.locator('input[type=file]').setInputFiles(photo)
    return page.getByRole('dialog', { name: 'Crop the picture' })
  }
  const field = () => page.locator('.picture-field')

  test('a person uploads a picture, crops it by keyboard, and everyone sees it at once', async () => {
    await ada.go('/settings')
    const other = await app.openSession()
    await other.go('/settings')
    const dialog = await choose(field(), 'ada.png')
    await dialog.waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const area = dialog.getByRole('application')
    await area.focus()
    for (let press = 0; press < 30; press++) await page.keyboard.press('ArrowLeft')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await waitForToast(page, 'Changed the picture')
    await expectEventually(() => colorOf(field().locator('img')), 'red')
    await expectEventually(() => colorOf(other.page.locator('.picture-field img')), 'red')
    expect(await accessibilityIssues(page)).toEqual([])
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('dragging moves the crop, zooming enlarges it, and undo restores the picture before', async () => {
    const [before] = await versions()
    const dialog = await choose(field(), 'ada.png')
    await dialog.getByLabel('Zoom').fill('2')
    const box = (await dialog.getByRole('application').boundingBox())!
    await page.mouse.move(box.x + 200, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x - 200, box.y + 100, { steps: 8 })
    await page.mouse.up()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectEventually(() => colorOf(field().locator('img')), 'blue')
    await page.getByRole('heading', { name: 'Profile' }).click()
    await page.keyboard.press('Control+z')
    await waitUntil(async () => (await versions())[0]?.version === before!.version)
    await expectEventually(() => colorOf(field().locator('img')), 'red')
  })

  test('a file that is no image is refused with the reason', async () => {
    const file = { name: 'notes.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }
    await field().locator('input[type=file]').setInputFiles(file)
    await waitForToast(page, 'notes.svg is not a PNG, JPEG, WebP, GIF or AVIF image')
  })

  test('the initials are shown after removing, and when the picture cannot be loaded', async () => {
    await page.route('**/api/v1/avatars/*/*', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await field().getByRole('button', { name: 'Remove picture' }).waitFor()
    await waitUntil(async () => (await field().locator('img').count()) === 0)
    expect(await field().locator('.avatar').getAttribute('data-initials')).toMatch(/^A/)
    await page.unroute('**/api/v1/avatars/*/*')
    await page.reload()
    await field().locator('img').waitFor()
    await field().getByRole('button', { name: 'Remove picture' }).click()
    await waitForToast(page, 'Removed the picture')
    await field().getByRole('button', { name: 'Upload picture' }).waitFor()
    expect(await versions()).toEqual([])
  })

  test('the owner of an agent sets its picture in its form', async () => {
    const { agent_id } = await app.createAgent({ name: 'Lantern' })
    await ada.go(`/agents/${agent_id}`)
    await page
      .getByRole('button', { name: /Actions|More|Lantern/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: /Edit/ }).click()
    const form = page.getByRole('dialog', { name: 'Edit Lantern' })
    await form.waitFor()
    const dialog = await choose(form, 'lantern.png')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await form.locator('img').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.locator('.agent-page header .avatar img').waitFor()
  })

  test('nothing went wrong in the browser', () => {
    expect(ada.problems).toEqual([])
  })
})
