import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'

const LINES = Array.from({ length: 30 }, (_, at) => `Line ${at + 1}`)
const DRAWN =
  '<!doctype html><p>before</p><script>document.querySelector("p").textContent = "drawn"</script>'

describe.skipIf(noBrowser)('a page and its versions', () => {
  let desk: Desk
  let scout: Awaited<ReturnType<Desk['hire']>>
  beforeAll(async () => {
    desk = await openDesk()
    scout = await desk.hire('Scout')
  }, 60_000)
  afterAll(() => desk?.leave())

  const data = async (path: string) => (await desk.http('GET', `/api/v1/${path}`)).body.data
  const read = (page_id: number) => data(`pages/${page_id}`)
  const put = (page_id: number, body: object) =>
    desk.http('PATCH', `/api/v1/pages/${page_id}`, { body })
  const told = (page: Page, words: string | RegExp) =>
    page.getByLabel('What happened').getByText(words).waitFor()
  const menu = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More about this page' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const pageOf = async (title: string, body: object) => {
    const { ticket_number } = await desk.create({ title })
    const path = `/api/v1/tasks/${ticket_number}/pages`
    return (await desk.http('POST', path, { body })).body.data
  }

  test('shows the changes of a version, compares any two, and restores one with undo', async () => {
    const { page_id } = await pageOf('Keep a log', { title: 'Log', content: LINES.join('\n') })
    const second = LINES.with(14, 'Line fifteen').join('\n')
    await scout.tool('svc_pages', 'update', { page_id, content: second, note: 'In words' })
    await put(page_id, { content: `${second}\nThe end`, title: 'The log' })
    const { page, complaints, go } = await desk.sit()
    await go(`/p/${page_id}`)
    await page.getByText('Line fifteen').waitFor()
    await page.keyboard.press('v')
    const versions = page.getByRole('region', { name: 'Versions' })
    const changed = page.getByRole('region', { name: 'What changed' })
    await changed.locator('ins').getByText('The end').waitFor()
    expect(await changed.locator('del').count()).toBe(0)
    await page.locator('.renamed').getByText('The log').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

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
    const [was, is] = [changed.locator('del'), changed.locator('ins')].map((one) =>
      one.boundingBox(),
    )
    expect((await was)!.y).toBe((await is)!.y)
    await page.setViewportSize({ width: 390, height: 800 })
    const [above, below] = [changed.locator('del'), changed.locator('ins')]
    expect((await above.boundingBox())!.y).toBeLessThan((await below.boundingBox())!.y)
    expect(await faults(page)).toEqual([])
    await page.setViewportSize({ width: 1360, height: 850 })

    await page.getByLabel('Compared with').selectOption('Version 3 (current)')
    await changed.locator('ins').getByText('The end').waitFor()
    expect(new URL(page.url()).search).toBe('?version=2&against=3')
    await page.getByRole('button', { name: 'The text' }).click()
    await page.getByRole('region', { name: 'The text' }).getByText('Line fifteen').waitFor()
    expect(await page.getByText('The end').count()).toBe(0)
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await told(page, 'Restored version 2')
    await page.waitForURL((url) => !url.search)
    expect(await read(page_id)).toMatchObject({ version: 4, content: second, title: 'Log' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await soon(async () => ((await read(page_id)).title === 'The log' ? true : undefined))
    await page.locator('.reading').getByText('The end').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows a canvas in a sandbox, and previews it while its source is edited', async () => {
    const { page_id } = await pageOf('Draw it', { title: 'Sketch', content: DRAWN, canvas: true })
    const { page, complaints, go } = await desk.sit()
    await go(`/p/${page_id}`)
    const inside = (title: string) =>
      page.frameLocator(`iframe[title="${title}"]`).frameLocator('iframe')
    await inside('Sketch, a canvas').getByText('drawn').waitFor()
    const frame = page.locator('iframe[title="Sketch, a canvas"]')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
    await page.keyboard.press('e')
    const source = page.getByRole('textbox', { name: 'HTML' })
    expect(await source.inputValue()).toBe(DRAWN)
    await source.fill(DRAWN.replace('"drawn"', '"drawn " + (1 + 1)'))
    await inside('Preview of Sketch').getByText('drawn 2').waitFor()
    expect((await read(page_id)).version).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])
    await source.press('Control+s')
    await inside('Sketch, a canvas').getByText('drawn 2').waitFor()
    expect((await read(page_id)).version).toBe(2)
    await scout.tool('svc_pages', 'update', { page_id, canvas: true, content: '<p>Scout was here' })
    await inside('Sketch, a canvas').getByText('Scout was here').waitFor()
    await page.keyboard.press('v')
    await page.getByRole('button', { name: /^Version 2/ }).click()
    await page.getByRole('button', { name: 'The text' }).click()
    await inside('Sketch, version 2').getByText('drawn 2').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('renders into its empty sandbox only for the app, and ignores other messages', async () => {
    const { page } = await desk.sit()
    const { headers } = await desk.http('GET', '/canvas')
    expect(headers.get('content-security-policy')).toContain('sandbox allow-scripts')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    await page.goto(`${desk.url}/canvas`)
    await page.evaluate(() => postMessage('<p>Written from outside</p>', '*'))
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    expect(await page.locator('iframe').getAttribute('srcdoc')).toBeNull()
    await page.context().close()
  })

  test('is archived with its nested pages, listed among archived pages, and restored', async () => {
    const plan = await pageOf('Move house', { title: 'Boxes', content: 'Forty' })
    const { page_id, ticket_number } = plan
    const path = `/api/v1/tasks/${ticket_number}/pages`
    for (const title of ['Kitchen', 'Cellar'])
      await desk.http('POST', path, { body: { title, content: title, parent_page_id: page_id } })
    const { page, complaints, go } = await desk.sit()
    await go(`/t/${ticket_number}`)
    const tree = page.getByRole('tree')
    await tree.getByText('Cellar').click()
    await page.getByRole('heading', { name: 'Cellar', level: 1 }).waitFor()
    await menu(page, 'Move under another page…')
    await page.getByRole('option', { name: 'Kitchen' }).click()
    await told(page, 'Moved “Cellar” under “Kitchen”')
    const where = page.getByRole('navigation', { name: 'Breadcrumb' })
    await where.getByText('Kitchen').waitFor()
    await where.getByRole('link', { name: 'Boxes' }).click()
    await page.getByText('Forty').waitFor()
    await menu(page, 'Archive')
    await told(page, 'Archived “Boxes” and 2 nested pages')
    await page.waitForURL(`**/t/${ticket_number}`)
    expect(await data(`tasks/${ticket_number}/pages`)).toEqual([])

    await go(`/p/${page_id}`)
    await page.getByText('This page is archived').waitFor()
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0)
    expect(await faults(page)).toEqual([])
    await go(`/t/${ticket_number}`)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Show pages' }).click()
    await page.getByRole('button', { name: 'Page list options' }).click()
    await page.getByRole('menuitem', { name: 'Show archived pages' }).click()
    await page.getByRole('button', { name: 'Restore Boxes' }).click()
    await tree.getByText('Cellar').waitFor()
    expect((await data(`tasks/${ticket_number}/pages`)).length).toBe(3)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is found in the palette, copied as Markdown, and printed without the sidebar', async () => {
    await pageOf('Bake', { title: 'Sourdough', content: '# Sourdough\n\n**Wait** a day.' })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${desk.project_id}`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sourd')
    await page.getByRole('option', { name: /Sourdough/ }).click()
    await page.getByText('a day.').waitFor()
    // The title is not repeated as a heading of the text.
    expect(await page.locator('.prose h1').count()).toBe(0)
    await menu(page, 'Copy as Markdown')
    await told(page, 'Copied the text')
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toBe('# Sourdough\n\n**Wait** a day.')
    await page.emulateMedia({ media: 'print' })
    const seen = (selector: string) => page.locator(selector).first().isVisible()
    expect([await seen('.reading'), await seen('.side'), await seen('.sheet-head')]).toEqual([
      ...[true, false, false],
    ])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is reported as not found without technical terms when the id is unknown', async () => {
    const { page, go, complaints } = await desk.sit({ may: /status of 404/ })
    await go('/p/987')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/svc_|GET \/|page_id/)
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
