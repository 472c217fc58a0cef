import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

describe.skipIf(isBrowserSkipped)('the pages of a task', () => {
  let app: WebApp
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    agent = await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  const fetchData = async (breadcrumb: string) =>
    (await app.http('GET', `/api/v1/${breadcrumb}`)).body.data
  const createPage = async (ticket: string, body: object) =>
    (await app.http('POST', `/api/v1/tasks/${ticket}/pages`, { body })).body.data
  const fetchPage = (page_id: number) => fetchData(`pages/${page_id}`)
  const focusedName = (page: Page) =>
    page.evaluate(() => document.activeElement?.querySelector('.name')?.textContent)
  const textField = (page: Page) => page.getByRole('textbox', { name: 'Text' }).last()
  const waitForEditor = (page: Page) => page.locator('.writing .code:not([hidden])').waitFor()

  /** A task with three nested pages: a plan, a list in it, and shops in the list. */
  async function createNestedPages(title: string) {
    const task = await app.createTask({ title })
    const plan = await createPage(task.ticket_number, {
      title: 'Plan',
      content: 'Dig, then plant.',
    })
    const list = await createPage(task.ticket_number, {
      ...{ title: 'What to buy', content: '- [ ] tulips\n- [ ] soil' },
      parent_page_id: plan.page_id,
    })
    const shop = await createPage(task.ticket_number, {
      ...{ title: 'Shops', content: 'On the corner', parent_page_id: list.page_id },
    })
    return { task, plan, list, shop }
  }

  test('are shown as a tree with keyboard navigation, and can be sorted by last update', async () => {
    const { task, plan, shop } = await createNestedPages('Plant tulips')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}?task=${task.ticket_number}`)
    const tree = page.getByRole('tree', { name: `Pages of ${task.ticket_number}` })
    const treeNames = () => tree.getByRole('treeitem').locator('.name').allInnerTexts()
    await tree.getByText('Shops').waitFor()
    expect(await treeNames()).toEqual(['Plan', 'What to buy', 'Shops'])
    await tree.getByText('Plan').focus()
    await tree.getByRole('treeitem').first().focus()
    await page.keyboard.press('ArrowDown')
    expect(await focusedName(page)).toBe('What to buy')
    await page.keyboard.press('ArrowLeft')
    expect(await treeNames()).toEqual(['Plan', 'What to buy'])
    await page.keyboard.press('ArrowLeft')
    expect(await focusedName(page)).toBe('Plan')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    expect(await treeNames()).toEqual(['Plan', 'What to buy', 'Shops'])
    await page.keyboard.press('ArrowRight')
    expect(await focusedName(page)).toBe('Shops')
    expect(await tree.locator('[tabindex="0"]').count()).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])

    await agent.callTool('svc_pages', 'create', {
      ...{ ticket_number: task.ticket_number, title: 'By Scout', content: 'Found it' },
      parent_page_id: plan.page_id,
    })
    await tree.getByText('By Scout').waitFor()
    expect(await treeNames()).toEqual(['Plan', 'What to buy', 'Shops', 'By Scout'])

    await page.getByRole('button', { name: 'Page list options' }).click()
    await page.getByRole('menuitem', { name: 'Sort by last update' }).click()
    const flatList = page.getByRole('list', { name: `Pages of ${task.ticket_number}` })
    await expectEventually(
      () => flatList.locator('.name').allInnerTexts(),
      [...['By Scout', 'Shops', 'What to buy', 'Plan']],
    )
    await flatList.getByRole('link', { name: /Shops/ }).click()
    await page.waitForURL(`**/p/${shop.page_id}`)
    await page.getByText('On the corner').waitFor()
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expectEventually(
      () => breadcrumb.getByRole('link').allInnerTexts(),
      [...['Home', `${task.ticket_number} Plant tulips`, 'Plan', 'What to buy']],
    )
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await breadcrumb.getByRole('link', { name: 'Plan', exact: true }).click()
    await page.waitForURL(`**/p/${plan.page_id}`)
    await page.waitForFunction(() => document.title === 'Plan · Corkboard')
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/projects/${app.project_id}?task=${task.ticket_number}`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a new page is kept as a draft over a reload, and created only when it is saved', async () => {
    const task = await app.createTask({ title: 'Paint the fence' })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${task.ticket_number}`)
    await page.getByRole('button', { name: `More about ${task.ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Show pages' }).click()
    await page.getByText('Every version is kept').waitFor()
    await page.getByRole('button', { name: 'New page' }).click()
    await page.getByRole('menuitem', { name: 'Exploration' }).click()
    await waitForEditor(page)
    await textField(page).click()
    await page.keyboard.type('Oil, or water?')
    await page.getByRole('textbox', { name: 'Title' }).fill('of paints')
    expect(await accessibilityIssues(page)).toEqual([])
    // The page is not created before it is saved, and a reload keeps its text.
    expect(await fetchData(`tasks/${task.ticket_number}/pages`)).toEqual([])
    await page.reload()
    await page.getByText('Oil, or water?').waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('of paints')
    await waitForEditor(page)
    await textField(page).click()
    await page.keyboard.press('Control+s')
    await waitForToast(page, 'Created “#Exploration of paints”')
    await page.getByRole('heading', { name: '#Exploration of paints', level: 1 }).waitFor()
    const [createdPage] = await fetchData(`tasks/${task.ticket_number}/pages`)
    expect([createdPage.kind, createdPage.version]).toEqual(['exploration', 1])
    expect(new URL(page.url()).pathname).toBe(`/p/${createdPage.page_id}`)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.waitForURL(`**/t/${task.ticket_number}`)
    await waitUntil(async () => (await fetchData(`tasks/${task.ticket_number}/pages`)).length === 0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a page is edited with e, and saved while its author types', async () => {
    const { task, list } = await createNestedPages('Sow the lawn')
    const { page, problems, go } = await app.openSession()
    await go(`/p/${list.page_id}`)
    await page.getByRole('checkbox', { name: 'soil' }).check()
    await waitUntil(
      async () => (await fetchPage(list.page_id)).content === '- [ ] tulips\n- [x] soil',
    )
    await page.getByText('Version 2').waitFor()
    await page.keyboard.press('e')
    await waitForEditor(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nseed')
    await page.keyboard.press('Escape')
    await page.locator('.reading').getByText('seed').waitFor()
    await expectEventually(async () => (await fetchPage(list.page_id)).version, 3)
    await page.keyboard.press('e')
    await waitForEditor(page)
    await page.keyboard.press('Control+End')
    const picture = { name: 'dot.gif', mimeType: 'image/gif', buffer: Buffer.from(GIF, 'base64') }
    await page.getByLabel('Attach a file').setInputFiles(picture)
    await page.locator('.code').getByText('![dot.gif](/api/v1/attachments/').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.editor .prose').getByText('seed').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Write' }).click()
    await textField(page).press('Control+Enter')
    await page.locator('.reading').getByText('seed').waitFor()
    expect(await page.getByText(/Unsaved draft/).count()).toBe(0)
    await page.locator('.reading img[alt="dot.gif"]').waitFor()
    const files = await fetchData(`tasks/${task.ticket_number}/attachments`)
    expect(files.map(({ filename }: { filename: string }) => filename)).toEqual(['dot.gif'])

    await page.getByRole('textbox', { name: 'Title' }).fill('To buy')
    await page.keyboard.press('Enter')
    await waitUntil(async () => (await fetchPage(list.page_id)).title === 'To buy')
    await page.getByRole('tree').getByText('To buy').waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a save by an agent appears live, also in the middle of what somebody types', async () => {
    const { plan } = await createNestedPages('Build a shed')
    const { page_id } = plan
    const { page, problems, go } = await app.openSession({})
    await go(`/p/${page_id}`)
    await page.getByText('Dig, then plant.').waitFor()
    await agent.callTool('svc_pages', 'update', { page_id, content: 'Measure first.' })
    await page.locator('.reading').getByText('Measure first.').waitFor()
    await page.getByText('Scout saved version 2').waitFor()
    await page.getByRole('button', { name: 'Show what changed' }).click()
    await page.getByRole('region', { name: 'What changed' }).getByText('Dig').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await waitForEditor(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Twice.')
    await agent.callTool('svc_pages', 'update', { page_id, content: 'Ask Ben, then measure.' })
    await page
      .locator('.code')
      .getByText(/Ask Ben, then measure\.\s+Twice\./)
      .waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await textField(page).press('Control+Enter')
    await page.locator('.reading').getByText('Ask Ben, then measure. Twice.').waitFor()
    await expectEventually(async () => (await fetchPage(page_id)).version, 4)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('renaming a page while editing its text is not a conflict', async () => {
    const { plan } = await createNestedPages('Fix the gate')
    const { page, problems, go } = await app.openSession()
    await go(`/p/${plan.page_id}`)
    await page.getByText('Dig, then plant.').waitFor()
    await page.keyboard.press('e')
    await waitForEditor(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Then rest.')
    await page.getByRole('textbox', { name: 'Title' }).fill('The plan')
    await page.keyboard.press('Enter')
    await waitUntil(async () => (await fetchPage(plan.page_id)).title === 'The plan')
    await textField(page).press('Control+s')
    await page.locator('.reading').getByText('Then rest.').waitFor()
    await expectEventually(
      async () => (await fetchPage(plan.page_id)).content,
      'Dig, then plant. Then rest.',
    )
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a long page has an outline that follows the reader, the links to it, and a printout', async () => {
    const task = await app.createTask({ title: 'Build the shed' })
    const parts = ['Floor', 'Walls', 'Roof'].map((part) => `## ${part}\n\n${'Words. '.repeat(900)}`)
    const content = `${parts.join('\n\n')}\n\n| a | b |\n|---|---|\n| 1 | 2 |`
    const { page_id } = await createPage(task.ticket_number, { title: 'Manual', content })
    await createPage(task.ticket_number, { title: 'Index', content: `[Manual](/p/${page_id})` })
    const { page, problems, go } = await app.openSession()
    await go(`/p/${page_id}`)
    const outline = page.getByRole('region', { name: 'On this page' })
    await outline.locator('[aria-current]').filter({ hasText: 'Floor' }).waitFor()
    await outline.getByRole('button', { name: 'Roof' }).click()
    await outline.locator('[aria-current]').filter({ hasText: 'Roof' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'More about this page' }).click()
    await page.getByRole('menuitem', { name: 'Pin to the sidebar' }).click()
    await page.getByRole('list', { name: 'Pinned' }).getByText('Manual').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await outline.isVisible()).toBe(false)
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    await page.getByRole('table').waitFor()
    await page.emulateMedia({ media: 'screen' })
    const links = page.getByRole('region', { name: 'Linked from' })
    await links.getByRole('link', { name: 'Index' }).click()
    await page.getByRole('heading', { name: 'Index', level: 1 }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})
