import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const LONG = `# Paint\n\n## Outside\n\nLinseed paint lasts on wood that gets wet, in two thin coats.\n`

describe.skipIf(isBrowserSkipped)('the search', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    await app.http('POST', `/api/v1/projects/${app.project_id}/labels`, {
      body: { name: 'garden' },
    })
    const fence = await app.createTask({
      ...{ title: 'Paint the fence', priority: 'Urgent', labels: ['garden'] },
      description: '<p>Two coats of varnish, outside first.</p>',
    })
    await app.createTask({ title: 'Paint the door', assignee_ids: [app.user_id] })
    await app.createTask({ title: 'Mend the roof', labels: ['garden'] })
    agent = await app.connectAgent('Scout')
    await agent.callTool('svc_comments', 'add', {
      ...{ task_id: fence.task_id, text: 'The varnish must dry for a night.' },
      content_type: 'markdown',
    })
    await agent.callTool('svc_pages', 'create', { task_id: fence.task_id, content: LONG })
    await waitUntil(async () => {
      const { body } = await app.http('GET', '/api/v1/search/semantic?query=linseed+varnish')
      return body.data.length >= 3
    })
    ada = await app.openSession({ ignoredMessages: /400/ })
    page = ada.page
  })
  afterAll(() => app?.close())

  const field = () => page.getByRole('combobox', { name: 'Search everything' })
  const resultTitles = () => page.locator('.found .row-title').allInnerTexts()
  const queryInUrl = () => new URL(page.url()).searchParams.get('q')

  test('opens with /, runs example queries, and removes one filter at a time', async () => {
    await ada.go('/my')
    await page.getByRole('heading', { name: 'My Tasks' }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('heading', { name: 'Operators' }).waitFor()
    await field().and(page.locator(':focus')).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'is:overdue assignee:me' }).click()
    await expectEventually(async () => queryInUrl(), 'is:overdue assignee:me')
    await page.getByRole('heading', { name: /^No results/ }).waitFor()
    await page.getByRole('button', { name: 'Without State: Overdue' }).click()
    await expectEventually(resultTitles, ['Paint the door'])
    await page.goBack()
    await page.getByRole('heading', { name: /^No results/ }).waitFor()
    expect(await field().inputValue()).toBe('is:overdue assignee:me')
  })

  test('suggests operators and values while typing, to be selected with keys alone', async () => {
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.keyboard.type('paint la')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.getByRole('option', { name: /^label:/ }).waitFor()
    expect(await field().getAttribute('aria-expanded')).toBe('true')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Tab')
    await list.getByRole('option', { name: 'label:garden' }).waitFor()
    // An incomplete operator does not filter yet.
    await expectEventually(
      async () => (await resultTitles()).slice(0, 2).sort(),
      [...['Paint the door', 'Paint the fence']],
    )
    await page.keyboard.type('ga')
    await page.keyboard.press('ArrowDown')
    const selectedId = await field().getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${selectedId}"]`).textContent()).toContain('label:garden')
    await page.keyboard.press('Enter')
    expect(await field().inputValue()).toBe('paint label:garden ')
    await list.waitFor({ state: 'hidden' })
    await expectEventually(async () => queryInUrl(), 'paint label:garden')
    await expectEventually(async () => (await resultTitles()).includes('Paint the door'), false)
    expect(await resultTitles()).toContain('Paint the fence')
    await page.getByRole('button', { name: 'Label garden' }).click()
    await expectEventually(async () => queryInUrl(), 'paint')
    expect(await list.count()).toBe(0)
  })

  test('highlights matches in descriptions, comments and pages, and filters by result type', async () => {
    await field().fill('varnish')
    await page.keyboard.press('Enter')
    const passages = page.locator('.hit.text')
    await passages.filter({ hasText: 'must dry' }).waitFor()
    await passages.filter({ hasText: 'Two coats' }).waitFor()
    const highlights = async () => [
      ...new Set((await passages.locator('mark').allInnerTexts()).map((one) => one.toLowerCase())),
    ]
    await expectEventually(highlights, ['varnish'])
    await field().fill('roof varnish')
    await page.getByRole('heading', { name: 'Similar or partial matches' }).waitFor()
    await page.locator('.hit[data-task]').filter({ hasText: 'Mend the roof' }).waitFor()
    await field().fill('varnish label:garden')
    await passages.filter({ hasText: 'must dry' }).waitFor()
    await field().fill('linseed')
    await passages.filter({ hasText: 'Outside' }).getByText('lasts on wood').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const nav = page.getByRole('navigation', { name: 'Result types' })
    await nav.getByRole('link', { name: /^Tasks/ }).click()
    await expectEventually(() => page.locator('.hit.text').count(), 0)
    await nav.getByRole('link', { name: 'All' }).click()
    await passages.first().waitFor()
  })

  test('opens a result beside the list with keys, and a comment at its position', async () => {
    await field().fill('paint')
    await expectEventually(async () => (await resultTitles()).includes('Paint the door'), true)
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.classList.contains('row-title'))
    const first = await page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('j')
    await page.waitForFunction((was) => document.activeElement?.textContent !== was, first)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    const taskPanel = page.getByRole('region', { name: /^Task HOM-/ })
    await taskPanel.getByText(first!).first().waitFor()
    await page.keyboard.press('Escape')
    await taskPanel.waitFor({ state: 'detached' })
    await page.waitForFunction((was) => document.activeElement?.textContent === was, first)
    await page.keyboard.press('/')
    await field().fill('must dry')
    await page.locator('.hit.text', { hasText: 'must dry' }).getByRole('button').click()
    await taskPanel.locator('.comment-item.called', { hasText: 'must dry for a night' }).waitFor()
    expect(new URL(page.url()).hash).toMatch(/^#comment-\d+$/)
    await page.keyboard.press('Escape')
  })

  test('lists the operators for an unknown one, and finds pages of the manual', async () => {
    await field().fill('foo:bar')
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'foo: is not an operator' })
    await alert.getByText('assignee:').waitFor()
    expect(await page.locator('.found').count()).toBe(0)
    await field().fill('pianted')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No results for “pianted”' }).waitFor()
    await field().fill('backups restore')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'In the manual' }).waitFor()
    const manual = page.locator('.help a').first()
    expect(await manual.getAttribute('href')).toStartWith('/docs/')
    await manual.hover()
    expect(await accessibilityIssues(page)).toEqual([])
  })

  test('adds a matching task created by an agent to the results live', async () => {
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expectEventually(async () => (await resultTitles()).length, 3)
    const { project_id } = app
    await agent.callTool('svc_tasks', 'create', { project_id, title: 'Sweep the yard' })
    await expectEventually(async () => (await resultTitles()).includes('Sweep the yard'), true)
    expect(
      await page.getByRole('button', { name: 'Open', exact: true }).getAttribute('aria-pressed'),
    ).toBe('true')
  })

  test('lists recent searches, also in the palette, and clears them', async () => {
    await page.getByRole('button', { name: 'Clear the search' }).click()
    const recent = page.locator('.recent')
    await recent.getByRole('button', { name: 'foo:bar', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove foo:bar' }).click()
    await recent
      .getByRole('button', { name: 'foo:bar', exact: true })
      .waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or run a command' })
    await palette.getByRole('option', { name: /is:open/ }).waitFor()
    await page.keyboard.type('varnish')
    await palette.getByRole('option', { name: /must dry for a night/ }).waitFor()
    await palette.getByRole('option', { name: 'Search everything for “varnish”' }).click()
    await expectEventually(async () => queryInUrl(), 'varnish')
    await page.locator('.hit.text').first().waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await recent.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('searches')
    expect(ada.problems).toEqual([])
  })
})
