import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('the command palette', () => {
  let app: WebApp
  let board: string
  beforeAll(async () => {
    app = await openWebApp()
    board = `/projects/${app.project_id}`
    for (const title of ['Mend the roof', 'Paint the fence', 'Paint the door'])
      await app.createTask({ title })
    await app.http('POST', '/api/v1/projects', {
      body: { team_id: app.team_id, title: 'Garden', sections: [{ title: 'Later' }] },
    })
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  const openApp = async (path = board) => {
    const session = await app.openSession()
    await session.go(path)
    await session.page.getByRole('heading', { level: 1 }).waitFor()
    return { ...session, ...palette(session.page) }
  }

  test('finds tasks and boards while typing, and opens the selected one', async () => {
    const { page, problems, open, field, option, expectAccessible } = await openApp()
    await open()
    await expectAccessible()
    expect(await field.getAttribute('aria-expanded')).toBe('true')
    await field.fill('paint')
    await option('Paint the fence').waitFor()
    await option('Paint the door').waitFor()
    expect(await option('Mend the roof').count()).toBe(0)
    await expectAccessible()
    // The selected option is announced to screen readers.
    const selectedId = await field.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${selectedId}"]`).getAttribute('role')).toBe('option')
    await field.fill('garden')
    await option('Garden').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Garden', level: 1 }).waitFor()
    expect(await field.count()).toBe(0)
    await page.locator('main:focus, main :focus').waitFor()
    expect(problems).toEqual([])
  })

  test('receives the keys typed before it has loaded, and the board receives none of them', async () => {
    const { page, context, problems, field, option } = await openApp()
    await page.keyboard.press('j')
    const gate = Promise.withResolvers<void>()
    await context.route('**/assets/palette-*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('gardxe')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('en')
    gate.resolve()
    await field.waitFor()
    await option('Garden').waitFor()
    expect(await field.inputValue()).toBe('garden')
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(await page.getByRole('toolbar', { name: 'Selected tasks' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    expect(problems).toEqual([])
  })

  test('finds a task by one letter or with a typo, a page, and a person', async () => {
    const { page, problems, open, field, option } = await openApp()
    const { ticket_number } = await app.createTask({ title: 'Zip the bags' })
    await app.http('POST', `/api/v1/tasks/${ticket_number}/pages`, {
      body: { title: 'Quokka handbook', content: 'Text' },
    })
    await open()
    for (const text of ['z', 'zip teh', 'Zip the bags', 'bgas']) {
      await field.fill('')
      await field.fill(text)
      await option('Zip the bags').waitFor()
    }
    await field.fill('qouk')
    await option('Quokka handbook').waitFor()
    await field.fill('ada')
    await page.getByRole('group').filter({ hasText: 'People and skills' }).waitFor()
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
    await field.fill('quokka')
    await option('Quokka handbook').click()
    await page.getByRole('heading', { name: 'Quokka handbook' }).first().waitFor()
    expect(problems).toEqual([])
  })

  test('applies search operators, and says so when there are no results', async () => {
    const { page, problems, open, field, option } = await openApp()
    await app.createTask({ title: 'Paint the wall', priority: 'Urgent' })
    await open()
    await field.fill('paint priority:urgent')
    await option('Paint the wall').waitFor()
    await option('Paint the door').waitFor({ state: 'detached' })
    await field.fill('qqqq xyzzy')
    await page.getByText('No results').waitFor()
    expect(problems).toEqual([])
  })

  test('lists recently viewed tasks and boards first, and opens them', async () => {
    const { page, problems, open, option, go } = await openApp()
    await page.getByText('Mend the roof').click()
    await page.waitForFunction(() => (localStorage.getItem('recent') ?? '').includes('Mend'))
    await go('/my')
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await open()
    const first = page.getByRole('group').first()
    await first.getByText('Recent').waitFor()
    await first.getByText('Mend the roof').waitFor()
    await first.getByText('Home').waitFor()
    await option('Mend the roof').click()
    await page
      .getByRole('heading', { name: 'Mend the roof' })
      .or(page.getByRole('textbox', { name: 'Title' }))
      .first()
      .waitFor()
    expect(problems).toEqual([])
  })

  test('creates a task from any screen, keeps an unsaved title, and undo deletes the task', async () => {
    const { page, problems, open, field, option } = await openApp(`/t/HOM-1`)
    await page.keyboard.press('c')
    const title = page.getByRole('combobox', { name: 'What needs to be done?' })
    await title.fill('Sweep the chimney')
    await page.keyboard.press('Escape')
    await title.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    expect(await title.inputValue()).toBe('Sweep the chimney')
    await option('on Home').click()
    await page.getByText(/Created HOM-\d+/).waitFor()
    const resultCount = async () => {
      const { body } = await app.http('GET', '/api/v1/search/tasks?query=chimney')
      return body.data.length as number
    }
    await waitUntil(async () => (await resultCount()) === 1)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await waitUntil(async () => (await resultCount()) === 0)
    await open()
    expect(await field.inputValue()).toBe('')
    expect(problems).toEqual([])
  })

  test('changes the focused card, and asks for a selection when there is none', async () => {
    const { page, problems, open, field, option } = await openApp()
    await open()
    await field.fill('set prio')
    await option('Set priority').click()
    await page.getByText('Select an item first').waitFor()
    await page.keyboard.press('j')
    await open()
    await page.getByRole('group').filter({ hasText: 'Selected cards' }).waitFor()
    await option('Set priority').click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    await waitUntil(async () => {
      const { body } = await app.http('GET', '/api/v1/tasks/HOM-1')
      return body.data.priority === 1
    })
    expect(problems).toEqual([])
  })

  test('assigns the open task and sets its due date in two steps, and undo restores it', async () => {
    const { ticket_number } = await app.createTask({ title: 'Clean the gutter' })
    const { page, problems, go, open, field, option } = await openApp()
    await go(`${board}?task=${ticket_number}`)
    const read = async () => (await app.http('GET', `/api/v1/tasks/${ticket_number}`)).body.data
    await page.getByRole('article', { name: /Clean the gutter/ }).waitFor()
    await open()
    await field.fill('assign')
    await option('Assign to…').click()
    const step = page.getByRole('combobox', { name: 'Assign to…' })
    await step.waitFor()
    await page.locator('.palette').getByText(ticket_number).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Backspace')
    await field.fill('assign')
    await page.keyboard.press('Enter')
    await step.fill('ada')
    await option('Ada (you)').waitFor()
    await page.keyboard.press('Enter')
    await waitUntil(async () => (await read()).assignees.length === 1)
    // The server may have the change before the app has its answer.
    await page.getByRole('button', { name: /^Undo/ }).first().waitFor()
    await page.keyboard.press('Control+z')
    await waitUntil(async () => (await read()).assignees.length === 0)
    await open()
    await field.fill('due')
    await option('Set due date…').click()
    await page.getByRole('combobox', { name: 'Set due date…' }).fill('2026-12-24')
    await page.getByRole('option', { name: /24 December/ }).waitFor()
    await page.keyboard.press('Enter')
    await waitUntil(async () => String((await read()).due_date).startsWith('2026-12-24'))
    expect(problems).toEqual([])
  })

  test('labels all selected cards, and goes to a saved view', async () => {
    await app.http('POST', `/api/v1/projects/${app.project_id}/labels`, { body: { name: 'Wet' } })
    await app.http('POST', `/api/v1/projects/${app.project_id}/views`, {
      body: { title: 'Rainy days', visibility: 'Public' },
    })
    const { page, problems, open, field, option } = await openApp()
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+j')
    await open()
    await field.fill('label')
    await option('Add or remove a label…').click()
    await option('Wet').click()
    const labelled = async () => {
      const { body } = await app.http('GET', '/api/v1/tasks?labels=Wet')
      return body.data.length as number
    }
    await waitUntil(async () => (await labelled()) === 2)
    await open()
    await field.fill('rainy')
    await option('Rainy days').click()
    await page.waitForURL(/view=/)
    expect(problems).toEqual([])
  })

  test('shows similar tasks while a task is created', async () => {
    const { page, problems } = await openApp('/inbox')
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'What needs to be done?' }).fill('Mend the roof')
    const similar = page.getByRole('list', { name: 'Similar tasks' })
    await similar.getByText('Mend the roof').first().waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('opens and leaves its pages with keys alone, and returns the focus when closed', async () => {
    const { page, problems, open, field, option, expectAccessible } = await openApp()
    await page.getByRole('button', { name: 'Filter' }).focus()
    await open()
    await field.fill('go to a board')
    await page.keyboard.press('Enter')
    const boards = page.getByRole('combobox', { name: 'Go to a board' })
    await boards.waitFor()
    await option('Garden').waitFor()
    await expectAccessible()
    await page.keyboard.press('Backspace')
    await field.waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await focusedText()).toContain('Filter')
    expect(problems).toEqual([])
  })
})

/** Locators and actions for the command palette. */
function palette(page: Page) {
  const field = page.getByRole('combobox', { name: 'Search tasks, boards and actions' })
  return {
    field,
    async open() {
      await page.keyboard.press('Control+k')
      await field.waitFor()
    },
    // The option that opens the full search repeats the typed text, so it is left out.
    option: (name: string) =>
      page.getByRole('option').filter({ hasText: name, hasNotText: 'Search everything' }),
    async expectAccessible() {
      expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    },
  }
}
