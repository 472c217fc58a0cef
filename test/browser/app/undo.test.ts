import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { becomes, cardOf, columnOf, drag, heldIn, makeGarden, taskOf } from './boards.ts'

describe.skipIf(noBrowser)('Ctrl+Z', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const undo = (page: Page) => page.keyboard.press('Control+z')
  const told = (page: Page, words: string) =>
    page.getByLabel('What happened').getByText(words, { exact: true }).waitFor()
  const titleField = (page: Page) => page.getByRole('textbox', { name: 'Title' })
  const patch = (ticket: string, body: object) =>
    desk.http('PATCH', `/api/v1/tasks/${ticket}`, { body })

  async function open(fields: object = {}) {
    const task = await desk.create({ title: 'Plan', ...fields })
    const { ticket_number: ticket } = task
    const person = await desk.sit()
    await person.go(`/t/${ticket}`)
    await titleField(person.page).waitFor()
    const holds = (name: string, value: unknown) =>
      becomes(async () => (await taskOf(desk, ticket))[name], value)
    return { ...person, ...task, ticket, holds }
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
    const { page, ticket, holds, complaints, context } = await open(task)
    await rename(page, 'Plan B')
    await holds('title', 'Plan B')
    await describeAs(page, 'Second')
    await holds('description', 'Second')
    await page.locator('.task').focus()
    await pick(page, 'p', 'High')
    await holds('priority', 2)
    await rename(page, 'Plan C')
    await holds('title', 'Plan C')
    await describeAs(page, 'Third')
    await holds('description', 'Third')

    await undo(page)
    await holds('description', 'Second')
    await told(page, `Undone: description of ${ticket}`)
    await undo(page)
    await holds('title', 'Plan B')
    await becomes(() => titleField(page).inputValue(), 'Plan B')
    // Two undos in quick succession run one after the other.
    await undo(page)
    await undo(page)
    await holds('description', 'First')
    await holds('priority', 0)
    await undo(page)
    await holds('title', 'Plan')
    await becomes(() => titleField(page).inputValue(), 'Plan')
    await undo(page)
    await page.waitForTimeout(300)
    expect(await titleField(page).inputValue()).toBe('Plan')
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('reverts a due date, a label, an assignee and a column', async () => {
    const { project_id } = await makeGarden(desk, 'Beds')
    const [card] = (await desk.http('GET', `/api/v1/projects/${project_id}/board`)).body.data.cards
    const ticket = card.ticket_number as string
    const { page, go, complaints, context } = await desk.sit()
    await go(`/t/${ticket}`)
    await titleField(page).waitFor()
    const read = async () => {
      const { due_date, labels, assignees, section } = await taskOf(desk, ticket)
      return [due_date !== null, labels.length, assignees.length, section]
    }
    const before = await read()
    await page.locator('.task').focus()
    await page.keyboard.press('d')
    await page.getByRole('option').or(page.locator('.popup button')).first().waitFor()
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await becomes(async () => (await read())[0], true)
    await pick(page, 'l', 'house')
    await becomes(async () => (await read())[1], 2)
    await pick(page, 'a', 'Ada')
    await becomes(async () => (await read())[2], 1)
    await pick(page, 's', 'Doing')
    await becomes(read, [true, 2, 1, 'Doing'])
    await undo(page)
    await becomes(read, [true, 2, 1, 'Ideas'])
    await undo(page)
    await becomes(read, [true, 2, 0, 'Ideas'])
    await undo(page)
    await becomes(read, [true, 1, 0, 'Ideas'])
    await undo(page)
    await becomes(read, before)
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('reverts a card moved by mouse or keys, also from another screen', async () => {
    const { project_id } = await makeGarden(desk, 'Moves')
    const { page, go, complaints, context } = await desk.sit()
    const held = () => heldIn(desk, project_id)
    const before = await held()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Prune the roses').waitFor()
    await drag(page, cardOf(page, 'Prune the roses'), columnOf(page, 'Doing'), 'bottom')
    await becomes(async () => (await held()).Doing, ['Prune the roses'])
    await undo(page)
    await becomes(held, before)

    // A move within a column shows no message.
    await cardOf(page, 'Prune the roses').getByRole('button').first().focus()
    await page.keyboard.press('Shift+ArrowDown')
    await becomes(async () => (await held()).Ideas, ['Paint the fence', 'Prune the roses'])
    await undo(page)
    await becomes(held, before)

    await cardOf(page, 'Prune the roses').getByRole('button').first().focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await becomes(async () => (await held()).Doing, ['Prune the roses'])
    await page.getByRole('link', { name: /^Inbox/ }).click()
    await page.waitForURL(/\/inbox/)
    await undo(page)
    await becomes(held, before)
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('reverts an edited comment, and returns an added one to its field', async () => {
    const { page, task_id, complaints, context } = await open()
    const texts = async () => {
      const { body } = await desk.http('GET', `/api/v1/tasks/${task_id}/comments?format=markdown`)
      return body.data
        .filter(({ kind }: { kind: string }) => kind === 'comment')
        .map(({ text }: { text: string }) => text.trim())
    }
    const composer = page.locator('.composer')
    await composer.locator('textarea').focus()
    await composer.locator('.code:not([hidden])').waitFor()
    await page.keyboard.type('Buy lamps')
    await page.keyboard.press('Control+Enter')
    await becomes(texts, ['Buy lamps'])
    // In the emptied field, Ctrl+Z does not bring back the sent text.
    await undo(page)
    await page.waitForTimeout(300)
    expect(await texts()).toEqual(['Buy lamps'])
    expect(await composer.locator('.cm-content').textContent()).not.toContain('Buy lamps')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'More about Ada’s comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.locator('.said .code:not([hidden])').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and fuses')
    await page.keyboard.press('Control+Enter')
    await becomes(texts, ['Buy lamps and fuses'])
    await page.locator('.said .code').waitFor({ state: 'detached' })
    await page.locator('.task').focus()
    await undo(page)
    await becomes(texts, ['Buy lamps'])
    await page.locator('.said').getByText('Buy lamps', { exact: true }).waitFor()
    await undo(page)
    await becomes(texts, [])
    await composer.getByText('Buy lamps').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('reverts only typing while a field has the focus, and never past the saved text', async () => {
    const { page, holds, complaints, context } = await open()
    await titleField(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' B')
    await page.keyboard.press('Enter')
    await holds('title', 'Plan B')
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
    await holds('title', 'Plan B')
    // Outside of all fields, undo reverts the saved title, once.
    await page.locator('.task').focus()
    await undo(page)
    await holds('title', 'Plan')
    await undo(page)
    await page.waitForTimeout(300)
    expect(await titleField(page).inputValue()).toBe('Plan')
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.waitForURL(/\/my/)
    await page.waitForTimeout(300)
    await holds('title', 'Plan')
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('does not revert a field that somebody else changed meanwhile, and says so', async () => {
    const task = { description: 'First', content_type: 'markdown' }
    const { page, ticket, holds, context } = await open(task)
    await rename(page, 'Plan B')
    await holds('title', 'Plan B')
    await describeAs(page, 'Second')
    await holds('description', 'Second')
    await page.locator('.task').focus()
    await pick(page, 's', 'Done')
    await holds('section', 'Done')
    const { section_id } = await desk.create({ title: 'Elsewhere' })
    await patch(ticket, { title: 'Theirs', section_id })
    await patch(ticket, { description: 'Their text', content_type: 'markdown' })
    await undo(page)
    await told(page, `Not undone: somebody else changed the column of ${ticket}`)
    await undo(page)
    await told(page, 'Not undone: somebody else changed the description')
    await undo(page)
    await told(page, `Not undone: somebody else changed the title of ${ticket}`)
    const { title, description, section } = await taskOf(desk, ticket)
    expect([title, description, section]).toEqual(['Theirs', 'Their text', 'To do'])
    await context.close()
  }, 60_000)

  test('on a board, does not revert cards that somebody else moved or changed meanwhile', async () => {
    const { project_id, idOf } = await makeGarden(desk, 'Others')
    const { page, go, context } = await desk.sit()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Prune the roses').waitFor()
    const { cards } = (await desk.http('GET', `/api/v1/projects/${project_id}/board`)).body.data
    const ticket = cards.find((one: { title: string }) => one.title === 'Prune the roses')
      .ticket_number as string
    await cardOf(page, 'Prune the roses').getByRole('button').first().focus()
    await pick(page, 'p', 'Low')
    await becomes(async () => (await taskOf(desk, ticket)).priority, 4)
    await pick(page, 's', 'Doing')
    await becomes(async () => (await taskOf(desk, ticket)).section, 'Doing')
    await patch(ticket, { priority: 3, section_id: idOf('Next') })
    await undo(page)
    await told(page, `Not undone: somebody else changed the position of ${ticket}`)
    await undo(page)
    await told(page, `Not undone: somebody else changed the same field of ${ticket}`)
    const { priority, section } = await taskOf(desk, ticket)
    expect([priority, section]).toEqual([3, 'Next'])
    await context.close()
  }, 60_000)

  test('an unsaved title of an earlier visit is offered as a draft, and not saved by itself', async () => {
    const { page, ticket, holds, go, complaints, context } = await open()
    await titleField(page).focus()
    await page.keyboard.type('Mine ')
    await page.waitForTimeout(400)
    // Simulates a page that closes before its field loses the focus.
    const kept = await page.evaluate(() => {
      const name = Object.keys(localStorage).find((one) => one.includes(':title@'))!
      return [name, localStorage.getItem(name)!] as const
    })
    await page.keyboard.press('Escape')
    await page.goto(`${desk.url}/inbox`)
    await page.evaluate(([name, text]) => localStorage.setItem(name, text), kept)
    await patch(ticket, { title: 'Theirs' })
    await go(`/t/${ticket}`)
    await page.getByText(/Unsaved draft/).waitFor()
    expect(await titleField(page).inputValue()).toBe('Theirs')
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.waitForURL(/\/my/)
    await page.waitForTimeout(300)
    await holds('title', 'Theirs')
    await go(`/t/${ticket}`)
    await page.getByRole('button', { name: 'Continue writing' }).click()
    expect(await titleField(page).inputValue()).toBe(JSON.parse(kept[1]).text)
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)
})
