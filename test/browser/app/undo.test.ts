import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardOf, columnOf, createGardenBoard, drag, fetchTask, titlesByColumn } from './boards.ts'

describe.skipIf(isBrowserSkipped)('Ctrl+Z', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const undo = (page: Page) => page.keyboard.press('Control+z')
  const waitForToast = (page: Page, text: string) =>
    page.getByLabel('What happened').getByText(text, { exact: true }).waitFor()
  const titleField = (page: Page) => page.getByRole('textbox', { name: 'Title' })
  const patch = (ticket: string, body: object) =>
    app.http('PATCH', `/api/v1/tasks/${ticket}`, { body })

  async function openTask(fields: object = {}) {
    const task = await app.createTask({ title: 'Plan', ...fields })
    const { ticket_number: ticket } = task
    const session = await app.openSession()
    await session.go(`/t/${ticket}`)
    await titleField(session.page).waitFor()
    const waitForField = (name: string, value: unknown) =>
      expectEventually(async () => (await fetchTask(app, ticket))[name], value)
    return { ...session, ...task, ticket, waitForField }
  }

  async function rename(page: Page, title: string) {
    await titleField(page).fill(title)
    await page.keyboard.press('Enter')
  }

  async function describeAs(page: Page, text: string) {
    await page.getByRole('button', { name: /^(Edit|Add a description)/ }).click()
    await page.locator('.description .code:not([hidden])').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Control+Enter')
    await page.locator('.description .editor').waitFor({ state: 'detached' })
  }

  async function pick(page: Page, key: string, name: string) {
    await page.keyboard.press(key)
    await page.getByRole('option', { name }).click()
    // A picker of several values stays open.
    if (key === 'l' || key === 'a') await page.keyboard.press('Escape')
    await page.locator('.popup').waitFor({ state: 'detached' })
  }

  test('reverts a title, a description and fields, the last saved one first', async () => {
    const task = { description: 'First', content_type: 'markdown' }
    const { page, ticket, waitForField, problems, context } = await openTask(task)
    await rename(page, 'Plan B')
    await waitForField('title', 'Plan B')
    await describeAs(page, 'Second')
    await waitForField('description', 'Second')
    await page.locator('.task').focus()
    await pick(page, 'p', 'High')
    await waitForField('priority', 2)
    await rename(page, 'Plan C')
    await waitForField('title', 'Plan C')
    await describeAs(page, 'Third')
    await waitForField('description', 'Third')

    await undo(page)
    await waitForField('description', 'Second')
    await waitForToast(page, `Undone: description of ${ticket}`)
    await undo(page)
    await waitForField('title', 'Plan B')
    await expectEventually(() => titleField(page).inputValue(), 'Plan B')
    // Two undos in quick succession run one after the other.
    await undo(page)
    await undo(page)
    await waitForField('description', 'First')
    await waitForField('priority', 0)
    await undo(page)
    await waitForField('title', 'Plan')
    await expectEventually(() => titleField(page).inputValue(), 'Plan')
    await undo(page)
    await page.waitForTimeout(300)
    expect(await titleField(page).inputValue()).toBe('Plan')
    expect(problems).toEqual([])
    await context.close()
  })

  test('reverts a due date, a label, an assignee and a column', async () => {
    const { project_id } = await createGardenBoard(app, 'Beds')
    const [card] = (await app.http('GET', `/api/v1/projects/${project_id}/board`)).body.data.cards
    const ticket = card.ticket_number as string
    const { page, go, problems, context } = await app.openSession()
    await go(`/t/${ticket}`)
    await titleField(page).waitFor()
    const read = async () => {
      const { due_date, labels, assignees, section } = await fetchTask(app, ticket)
      return [due_date !== null, labels.length, assignees.length, section]
    }
    const before = await read()
    await page.locator('.task').focus()
    await page.keyboard.press('d')
    await page.getByRole('option').or(page.locator('.popup button')).first().waitFor()
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await expectEventually(async () => (await read())[0], true)
    await pick(page, 'l', 'house')
    await expectEventually(async () => (await read())[1], 2)
    await pick(page, 'a', 'Ada')
    await expectEventually(async () => (await read())[2], 1)
    await pick(page, 's', 'Doing')
    await expectEventually(read, [true, 2, 1, 'Doing'])
    await undo(page)
    await expectEventually(read, [true, 2, 1, 'Ideas'])
    await undo(page)
    await expectEventually(read, [true, 2, 0, 'Ideas'])
    await undo(page)
    await expectEventually(read, [true, 1, 0, 'Ideas'])
    await undo(page)
    await expectEventually(read, before)
    expect(problems).toEqual([])
    await context.close()
  })

  test('reverts a card moved by mouse or keys, also from another screen', async () => {
    const { project_id } = await createGardenBoard(app, 'Moves')
    const { page, go, problems, context } = await app.openSession()
    const fetchTitles = () => titlesByColumn(app, project_id)
    const before = await fetchTitles()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Prune the roses').waitFor()
    await drag(page, cardOf(page, 'Prune the roses'), columnOf(page, 'Doing'), 'bottom')
    await expectEventually(async () => (await fetchTitles()).Doing, ['Prune the roses'])
    await undo(page)
    await expectEventually(fetchTitles, before)

    // A move within a column shows no message.
    await cardOf(page, 'Prune the roses').getByRole('button').first().focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expectEventually(
      async () => (await fetchTitles()).Ideas,
      ['Paint the fence', 'Prune the roses'],
    )
    await undo(page)
    await expectEventually(fetchTitles, before)

    await cardOf(page, 'Prune the roses').getByRole('button').first().focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expectEventually(async () => (await fetchTitles()).Doing, ['Prune the roses'])
    await page.getByRole('link', { name: /^Inbox/ }).click()
    await page.waitForURL(/\/inbox/)
    await undo(page)
    await expectEventually(fetchTitles, before)
    expect(problems).toEqual([])
    await context.close()
  })

  test('reverts an edited comment, and returns an added one to its field', async () => {
    const { page, task_id, problems, context } = await openTask()
    const texts = async () => {
      const { body } = await app.http('GET', `/api/v1/tasks/${task_id}/comments?format=markdown`)
      return body.data
        .filter(({ kind }: { kind: string }) => kind === 'comment')
        .map(({ text }: { text: string }) => text.trim())
    }
    const composer = page.locator('.composer')
    await composer.locator('textarea').focus()
    await composer.locator('.code:not([hidden])').waitFor()
    await page.keyboard.type('Buy lamps')
    await page.keyboard.press('Control+Enter')
    await expectEventually(texts, ['Buy lamps'])
    // In the emptied field, Ctrl+Z does not bring back the sent text.
    await undo(page)
    await page.waitForTimeout(300)
    expect(await texts()).toEqual(['Buy lamps'])
    expect(await composer.locator('.cm-content').textContent()).not.toContain('Buy lamps')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'More about Ada’s comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.locator('.comment-item .code:not([hidden])').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and fuses')
    await page.keyboard.press('Control+Enter')
    await expectEventually(texts, ['Buy lamps and fuses'])
    await page.locator('.comment-item .code').waitFor({ state: 'detached' })
    await page.locator('.task').focus()
    await undo(page)
    await expectEventually(texts, ['Buy lamps'])
    await page.locator('.comment-item').getByText('Buy lamps', { exact: true }).waitFor()
    await undo(page)
    await expectEventually(texts, [])
    await composer.getByText('Buy lamps').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('reverts only typing while a field has the focus, and never past the saved text', async () => {
    const { page, waitForField, problems, context } = await openTask()
    await titleField(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' B')
    await page.keyboard.press('Enter')
    await waitForField('title', 'Plan B')
    // In the same field, undo stops at the saved text.
    await titleField(page).focus()
    await page.keyboard.press('End')
    await undo(page)
    expect(await titleField(page).inputValue()).toBe('Plan B')
    await page.keyboard.type('!')
    expect(await titleField(page).inputValue()).toBe('Plan B!')
    await undo(page)
    expect(await titleField(page).inputValue()).toBe('Plan B')
    await undo(page)
    await undo(page)
    expect(await titleField(page).inputValue()).toBe('Plan B')
    await page.keyboard.press('Escape')
    // In another field, undo does not change the title.
    const composer = page.locator('.composer')
    await composer.locator('textarea').focus()
    await composer.locator('.code:not([hidden])').waitFor()
    await page.keyboard.type('x')
    await undo(page)
    await undo(page)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(300)
    expect(await titleField(page).inputValue()).toBe('Plan B')
    await waitForField('title', 'Plan B')
    // Outside of all fields, undo reverts the saved title, once.
    await page.locator('.task').focus()
    await undo(page)
    await waitForField('title', 'Plan')
    await undo(page)
    await page.waitForTimeout(300)
    expect(await titleField(page).inputValue()).toBe('Plan')
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.waitForURL(/\/my/)
    await page.waitForTimeout(300)
    await waitForField('title', 'Plan')
    expect(problems).toEqual([])
    await context.close()
  })

  test('does not revert a field that somebody else changed meanwhile, and says so', async () => {
    const task = { description: 'First', content_type: 'markdown' }
    const { page, ticket, waitForField, context } = await openTask(task)
    await rename(page, 'Plan B')
    await waitForField('title', 'Plan B')
    await describeAs(page, 'Second')
    await waitForField('description', 'Second')
    await page.locator('.task').focus()
    await pick(page, 's', 'Done')
    await waitForField('section', 'Done')
    const { section_id } = await app.createTask({ title: 'Elsewhere' })
    await patch(ticket, { title: 'Theirs', section_id })
    await patch(ticket, { description: 'Their text', content_type: 'markdown' })
    await undo(page)
    await waitForToast(page, `Not undone: somebody else changed the column of ${ticket}`)
    await undo(page)
    await waitForToast(page, `Not undone: somebody else changed the description of ${ticket}`)
    await undo(page)
    await waitForToast(page, `Not undone: somebody else changed the title of ${ticket}`)
    const { title, description, section } = await fetchTask(app, ticket)
    expect([title, description, section]).toEqual(['Theirs', 'Their text', 'To do'])
    await context.close()
  })

  test('on a board, does not revert cards that somebody else moved or changed meanwhile', async () => {
    const { project_id, idOf } = await createGardenBoard(app, 'Others')
    const { page, go, context } = await app.openSession()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Prune the roses').waitFor()
    const { cards } = (await app.http('GET', `/api/v1/projects/${project_id}/board`)).body.data
    const ticket = cards.find((one: { title: string }) => one.title === 'Prune the roses')
      .ticket_number as string
    await cardOf(page, 'Prune the roses').getByRole('button').first().focus()
    await pick(page, 'p', 'Low')
    await expectEventually(async () => (await fetchTask(app, ticket)).priority, 4)
    await pick(page, 's', 'Doing')
    await expectEventually(async () => (await fetchTask(app, ticket)).section, 'Doing')
    await patch(ticket, { priority: 3, section_id: idOf('Next') })
    await undo(page)
    await waitForToast(page, `Not undone: somebody else changed the position of ${ticket}`)
    await undo(page)
    await waitForToast(page, `Not undone: somebody else changed the same field of ${ticket}`)
    const { priority, section } = await fetchTask(app, ticket)
    expect([priority, section]).toEqual([3, 'Next'])
    await context.close()
  })

  test('an unsaved title of an earlier visit is offered as a draft, and not saved by itself', async () => {
    const { page, ticket, waitForField, go, problems, context } = await openTask()
    await titleField(page).focus()
    await page.keyboard.type('Mine ')
    // Simulates a page that closes before its field loses the focus.
    const draft = await waitUntil(() =>
      page.evaluate(() => {
        const name = Object.keys(localStorage).find((one) => one.includes(':title@'))
        return name && ([name, localStorage.getItem(name)!] as const)
      }),
    )
    await page.keyboard.press('Escape')
    await page.goto(`${app.url}/inbox`)
    await page.evaluate(([name, text]) => localStorage.setItem(name, text), draft)
    await patch(ticket, { title: 'Theirs' })
    await go(`/t/${ticket}`)
    await page.getByText(/Unsaved draft/).waitFor()
    expect(await titleField(page).inputValue()).toBe('Theirs')
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.waitForURL(/\/my/)
    await page.waitForTimeout(300)
    await waitForField('title', 'Theirs')
    await go(`/t/${ticket}`)
    await page.getByRole('button', { name: 'Continue writing' }).click()
    expect(await titleField(page).inputValue()).toBe(JSON.parse(draft[1]).text)
    expect(problems).toEqual([])
    await context.close()
  })
})
