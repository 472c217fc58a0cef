import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const LINES = Array.from({ length: 30 }, (_, at) => `Line ${at + 1}`)
const CANVAS =
  '<!doctype html><p>before</p><script>document.querySelector("p").textContent = "drawn"</script>'

describe.skipIf(isBrowserSkipped)('a page and its versions', () => {
  let app: WebApp
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    agent = await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  const fetchData = async (path: string) => (await app.http('GET', `/api/v1/${path}`)).body.data
  const fetchPage = (page_id: number) => fetchData(`pages/${page_id}`)
  const patchPage = (page_id: number, body: object) =>
    app.http('PATCH', `/api/v1/pages/${page_id}`, { body })
  const chooseFromMenu = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More about this page' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const createPage = async (title: string, body: object) => {
    const { ticket_number } = await app.createTask({ title })
    const path = `/api/v1/tasks/${ticket_number}/pages`
    return (await app.http('POST', path, { body })).body.data
  }

  test('shows the changes of a version, compares any two, and restores one with undo', async () => {
    const { page_id } = await createPage('Keep a log', { title: 'Log', content: LINES.join('\n') })
    const second = LINES.with(14, 'Line fifteen').join('\n')
    await agent.callTool('svc_pages', 'update', { page_id, content: second, note: 'In words' })
    await patchPage(page_id, { content: `${second}\nThe end`, title: 'The log' })
    const { page, problems, go } = await app.openSession()
    await go(`/p/${page_id}`)
    await page.getByText('Line fifteen').waitFor()
    await page.keyboard.press('v')
    const versions = page.getByRole('region', { name: 'Versions' })
    const changed = page.getByRole('region', { name: 'What changed' })
    await changed.locator('ins').getByText('The end').waitFor()
    expect(await changed.locator('del').count()).toBe(0)
    await page.locator('.renamed').getByText('The log').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])

    await versions.getByRole('button', { name: /^Version 3 current/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.about').getByText('In words').waitFor()
    await changed.locator('del').getByText('15').waitFor()
    expect(await changed.locator('del').textContent()).toContain('Removed: Line 15')
    expect(await changed.locator('ins').textContent()).toContain('Added: Line fifteen')
    // Unchanged lines are folded, and old and new lines are side by side.
    expect(await changed.getByText('Line 2', { exact: true }).count()).toBe(0)
    await changed.getByRole('button', { name: 'Show 11 unchanged lines' }).click()
    await changed.getByText('Line 2', { exact: true }).first().waitFor()
    // Both positions come from one evaluation, because the page may still be scrolling.
    const removedAndAddedTop = () =>
      changed
        .locator('del, ins')
        .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().y))
    const [removedTop, addedTop] = await removedAndAddedTop()
    expect(removedTop).toBe(addedTop!)
    await page.setViewportSize({ width: 390, height: 800 })
    const [above, below] = await removedAndAddedTop()
    expect(above).toBeLessThan(below!)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.setViewportSize({ width: 1360, height: 850 })

    await page.getByLabel('Compared with').selectOption('Version 3 (current)')
    await changed.locator('ins').getByText('The end').waitFor()
    expect(new URL(page.url()).search).toBe('?version=2&against=3')
    await page.getByRole('button', { name: 'The text' }).click()
    await page.getByRole('region', { name: 'The text' }).getByText('Line fifteen').waitFor()
    expect(await page.getByText('The end').count()).toBe(0)
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await waitForToast(page, 'Restored version 2')
    await page.waitForURL((url) => !url.search)
    expect(await fetchPage(page_id)).toMatchObject({ version: 4, content: second, title: 'Log' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await waitUntil(async () => (await fetchPage(page_id)).title === 'The log')
    await page.locator('.reading').getByText('The end').waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('shows a canvas in a sandbox, and previews it while its source is edited', async () => {
    const { page_id } = await createPage('Draw it', {
      title: 'Sketch',
      content: CANVAS,
      canvas: true,
    })
    const { page, problems, go } = await app.openSession()
    await go(`/p/${page_id}`)
    const canvasIn = (title: string) =>
      page.frameLocator(`iframe[title="${title}"]`).frameLocator('iframe')
    await canvasIn('Sketch, a canvas').getByText('drawn').waitFor()
    const frame = page.locator('iframe[title="Sketch, a canvas"]')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
    await page.keyboard.press('e')
    const source = page.getByRole('textbox', { name: 'HTML' })
    expect(await source.inputValue()).toBe(CANVAS)
    await source.fill(CANVAS.replace('"drawn"', '"drawn " + (1 + 1)'))
    await canvasIn('Preview of Sketch').getByText('drawn 2').waitFor()
    expect((await fetchPage(page_id)).version).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await source.press('Control+s')
    await canvasIn('Sketch, a canvas').getByText('drawn 2').waitFor()
    await expectEventually(async () => (await fetchPage(page_id)).version, 2)
    await agent.callTool('svc_pages', 'update', {
      page_id,
      canvas: true,
      content: '<p>Scout was here',
    })
    await canvasIn('Sketch, a canvas').getByText('Scout was here').waitFor()
    await page.keyboard.press('v')
    await page.getByRole('button', { name: /^Version 2/ }).click()
    await page.getByRole('button', { name: 'The text' }).click()
    await canvasIn('Sketch, version 2').getByText('drawn 2').waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('renders into its empty sandbox only for the app, and ignores other messages', async () => {
    const { page } = await app.openSession()
    const { headers } = await app.http('GET', '/canvas')
    expect(headers.get('content-security-policy')).toContain('sandbox allow-scripts')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    await page.goto(`${app.url}/canvas`)
    await page.evaluate(() => postMessage('<p>Written from outside</p>', '*'))
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    expect(await page.locator('iframe').getAttribute('srcdoc')).toBeNull()
    await page.context().close()
  })

  test('is archived with its nested pages, listed among archived pages, and restored', async () => {
    const plan = await createPage('Move house', { title: 'Boxes', content: 'Forty' })
    const { page_id, ticket_number } = plan
    const path = `/api/v1/tasks/${ticket_number}/pages`
    for (const title of ['Kitchen', 'Cellar'])
      await app.http('POST', path, { body: { title, content: title, parent_page_id: page_id } })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const tree = page.getByRole('tree')
    await tree.getByText('Cellar').click()
    await page.getByRole('heading', { name: 'Cellar', level: 1 }).waitFor()
    await chooseFromMenu(page, 'Move under another page…')
    await page.getByRole('option', { name: 'Kitchen' }).click()
    await waitForToast(page, 'Moved “Cellar” under “Kitchen”')
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    await breadcrumb.getByText('Kitchen').waitFor()
    await breadcrumb.getByRole('link', { name: 'Boxes' }).click()
    await page.getByText('Forty').waitFor()
    await chooseFromMenu(page, 'Archive')
    await waitForToast(page, 'Archived “Boxes” and 2 nested pages')
    await page.waitForURL(`**/t/${ticket_number}`)
    expect(await fetchData(`tasks/${ticket_number}/pages`)).toEqual([])

    await go(`/p/${page_id}`)
    await page.getByText('This page is archived').waitFor()
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0)
    expect(await accessibilityIssues(page)).toEqual([])
    await go(`/t/${ticket_number}`)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Show pages' }).click()
    await page.getByRole('button', { name: 'Page list options' }).click()
    await page.getByRole('menuitem', { name: 'Show archived pages' }).click()
    await page.getByRole('button', { name: 'Restore Boxes' }).click()
    await tree.getByText('Cellar').waitFor()
    await expectEventually(async () => (await fetchData(`tasks/${ticket_number}/pages`)).length, 3)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('is found in the palette, copied as Markdown, and printed without the sidebar', async () => {
    await createPage('Bake', { title: 'Sourdough', content: '# Sourdough\n\n**Wait** a day.' })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sourd')
    await page.getByRole('option', { name: /Sourdough/ }).click()
    await page.getByText('a day.').waitFor()
    // The title is not repeated as a heading of the text.
    expect(await page.locator('.prose h1').count()).toBe(0)
    await chooseFromMenu(page, 'Copy as Markdown')
    await waitForToast(page, 'Copied the text')
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toBe('# Sourdough\n\n**Wait** a day.')
    await page.emulateMedia({ media: 'print' })
    const isVisible = (selector: string) => page.locator(selector).first().isVisible()
    expect([
      await isVisible('.reading'),
      await isVisible('.side'),
      await isVisible('.sheet-head'),
    ]).toEqual([...[true, false, false]])
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('is reported as not found without technical terms when the id is unknown', async () => {
    const { page, go, problems } = await app.openSession({ ignoredMessages: /status of 404/ })
    await go('/p/987')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/svc_|GET \/|page_id/)
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
  })
})
