import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('the pages in the sidebar', () => {
  let app: WebApp
  let planId: number
  let tiles: number
  let nails: number
  beforeAll(async () => {
    app = await openWebApp()
    const { ticket_number } = await app.createTask({ title: 'Mend the roof' })
    const create = async (title: string, parent?: number): Promise<number> => {
      const body = { title, content: `About ${title}`, ...(parent && { parent_page_id: parent }) }
      const response = await app.http('POST', `/api/v1/tasks/${ticket_number}/pages`, { body })
      return response.body.data.page_id
    }
    planId = await create('Roof plan')
    tiles = await create('Tiles', planId)
    nails = await create('Nails')
    await create('Checklist', await create('Templates'))
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  const read = async (id: number) => (await app.http('GET', `/api/v1/pages/${id}`)).body.data
  const openPages = async (options = {}) => {
    const session = await app.openSession(options)
    const { page } = session
    await session.go(`/projects/${app.project_id}`)
    const pages = page.getByRole('list', { name: 'Pages of Home' })
    const row = (name: string) => pages.locator('.side-row > .place').filter({ hasText: name })
    const unfold = async () => {
      await page.getByRole('link', { name: 'Home' }).focus()
      await page.keyboard.press('ArrowRight')
      await row('Roof plan').waitFor()
    }
    return { ...session, row, unfold }
  }

  test('unfold by keys, are walked with arrows, and stay unfolded after a reload', async () => {
    const { page, problems, row, unfold } = await openPages()
    await unfold()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await row('Roof plan').focus()
    await page.keyboard.press('ArrowLeft')
    await row('Tiles').waitFor({ state: 'detached' })
    await page.reload()
    await row('Roof plan').waitFor()
    expect(await row('Tiles').count()).toBe(0)
    await row('Roof plan').focus()
    await page.keyboard.press('ArrowRight')
    await row('Tiles').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tiles', level: 1 }).waitFor()
    expect(await row('Tiles').getAttribute('aria-current')).toBe('page')
    expect(problems).toEqual([])
  })

  test('a page is renamed with F2, and the others see its new name', async () => {
    const { page, problems, row, unfold } = await openPages()
    await unfold()
    await row('Nails').focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Nails and screws')
    await page.keyboard.press('Enter')
    await row('Nails and screws').waitFor()
    await waitUntil(async () => (await read(nails)).title === 'Nails and screws')
    await app.http('PATCH', `/api/v1/pages/${nails}`, { body: { title: 'Nails' } })
    await row('Nails and screws').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('a page is nested by dragging it onto another one, and moved out with its menu', async () => {
    const { page, problems, row, unfold } = await openPages()
    await unfold()
    await row('Nails').dragTo(row('Roof plan'))
    await waitUntil(async () => (await read(nails)).parent_page_id === planId)
    await page.locator('.side-row[style*="--level: 2"]', { hasText: 'Nails' }).waitFor()
    await row('Nails').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move to the top level' }).click()
    await waitUntil(async () => (await read(nails)).parent_page_id === null)
    expect((await read(tiles)).parent_page_id).toBe(planId)
    expect(problems).toEqual([])
  })

  test('a new page takes the text of a template, on a new task of the same title', async () => {
    const { page, problems, row, unfold } = await openPages()
    await unfold()
    await page.getByRole('link', { name: 'Home' }).hover()
    await page.getByRole('button', { name: 'Actions for Home' }).click()
    await page.getByRole('menuitem', { name: 'New page…' }).click()
    const dialog = page.getByRole('dialog', { name: 'New page' })
    await dialog.getByLabel('Title').fill('Before the winter')
    await dialog.getByLabel('Template').selectOption('Checklist')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create page' }).click()
    await page.getByText('About Checklist').waitFor()
    await row('Before the winter').waitFor()
    expect(problems).toEqual([])
  })
})
