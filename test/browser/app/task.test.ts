import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Puts an image of one pixel into the clipboard. */
const copyImage = (page: Page) =>
  page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const image = new Blob([bytes], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
  }, PIXEL)

describe.skipIf(isBrowserSkipped)('a task', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  const boardPath = () => `/projects/${app.project_id}`
  const fetchTask = async (id: number) => (await app.http('GET', `/api/v1/tasks/${id}`)).body.data
  const fetchData = async (path: string) => (await app.http('GET', path)).body.data

  /** Waits until the task on the server has these fields; returns it. */
  const waitForFields = (id: number, fields: object) =>
    waitUntil(async () => {
      const task = await fetchTask(id)
      const isMatch = Object.entries(fields).every(([name, value]) => task[name] === value)
      return isMatch ? task : undefined
    })

  test('is opened from its card, renamed, described with a preview, and closed', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Plan the party' })
    const { page, problems, go } = await app.openSession()
    await go(boardPath())
    await page.getByText('Plan the party').click()
    const taskPanel = page.getByRole('region', { name: `Task ${ticket_number}` })
    await taskPanel.getByRole('textbox', { name: 'Title' }).fill('Plan the garden party')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText('Plan the garden party').waitFor()
    await waitForFields(task_id, { title: 'Plan the garden party' })

    await taskPanel.getByRole('button', { name: 'Add a description' }).click()
    const field = taskPanel.getByRole('textbox', { name: 'Description' })
    await field.focus()
    await page.keyboard.type('## Why\n\nBecause of **summer**.\n\n- lamps\nchairs\n\ndone')
    await taskPanel
      .getByRole('region', { name: 'Description' })
      .getByRole('button', { name: 'Preview' })
      .click()
    await taskPanel.getByRole('heading', { name: 'Why' }).waitFor()
    expect(await taskPanel.getByRole('listitem').allTextContents()).toContain('chairs')
    expect(await accessibilityIssues(page)).toEqual([])
    await taskPanel
      .getByRole('region', { name: 'Description' })
      .getByRole('button', { name: 'Write' })
      .click()
    await field.press('Control+Enter')
    await taskPanel.getByRole('button', { name: 'Edit' }).waitFor()
    const description = '## Why\n\nBecause of **summer**.\n\n- lamps\n- chairs\n\ndone'
    await waitForFields(task_id, { description, content_type: 'markdown' })

    await page.keyboard.press('Escape')
    await taskPanel.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    expect(focused).toContain('Plan the garden party')
    expect(problems).toEqual([])
  })

  test('has comments with mentions, images and reactions, and undo restores a deleted one', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Choose the lamps' })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await page.getByRole('heading', { name: 'Choose the lamps' }).waitFor()
    await page.keyboard.press('m')
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    await page.locator('.composer .code:not([hidden])').waitFor()
    await page.keyboard.type('Which one, @Sc')
    await page.getByRole('option', { name: /Scout/ }).waitFor()
    // The list ignores keys until it is visible.
    await Bun.sleep(120)
    await page.keyboard.press('Enter')
    await page.keyboard.type('? See ')
    await copyImage(page)
    await page.keyboard.press('Control+v')
    const typedText = async () => (await field.textContent()) ?? ''
    await waitUntil(async () => /\/content#\d+x\d+\)/.test(await typedText()))
    await page.keyboard.press('Control+Enter')
    const commentItem = page.locator('[data-comment]').filter({ hasText: 'Which one' })
    await commentItem.getByRole('img', { name: 'image.png' }).waitFor()
    expect(await commentItem.locator('.mention').textContent()).toBe('@Scout')
    const [comment] = await waitUntil(async () => {
      const rows = await fetchData(`/api/v1/tasks/${task_id}/comments`)
      return rows.length ? rows : undefined
    })
    expect(comment.mentions).toMatchObject([{ name: 'Scout', kind: 'agent' }])
    expect(await field.textContent()).not.toContain('Which one')

    await commentItem.hover()
    await commentItem.getByRole('button', { name: 'React to Ada' }).click()
    await page.getByRole('button', { name: 'Hooray' }).click()
    await commentItem.getByRole('button', { name: '🎉, 1: Ada' }).waitFor()
    await commentItem.getByRole('button', { name: 'More about Ada’s comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await commentItem.waitFor({ state: 'detached' })
    // The comment is still on the server, and must not return with those that are added meanwhile.
    await app.http('POST', `/api/v1/tasks/${task_id}/comments`, { body: { text: 'And tables?' } })
    await page.locator('[data-comment]').filter({ hasText: 'And tables?' }).waitFor()
    expect(await commentItem.count()).toBe(0)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await commentItem.waitFor()
    const files = page.getByRole('region', { name: 'Files' })
    await files.getByRole('link', { name: /image\.png/ }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('is edited with keys alone, and undo reverts its column', async () => {
    await app.http('POST', `/api/v1/projects/${app.project_id}/labels`, {
      body: { name: 'garden', color: '#2f7d32' },
    })
    const { task_id, ticket_number } = await app.createTask({ title: 'Rent the chairs' })
    const { page, problems, go } = await app.openSession()
    await go(`${boardPath()}?task=${ticket_number}`)
    const taskPanel = page.getByRole('region', { name: `Task ${ticket_number}` })
    await taskPanel.getByRole('combobox', { name: 'Priority: None' }).waitFor()
    expect(await taskPanel.getByText(/Start date|Repeats/).count()).toBe(0)
    const pick = async (key: string, fetchData: string, expectedText: string) => {
      await page.locator('.popup').waitFor({ state: 'detached' })
      await page.keyboard.press(key)
      await page.getByRole('combobox', { name: fetchData, exact: true }).fill(expectedText)
      await page.getByRole('option', { name: expectedText }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    await pick('p', 'Priority', 'Urg')
    await pick('e', 'Size', 'XL')
    await pick('l', 'Labels', 'gar')
    await page.keyboard.press('Escape')
    await pick('a', 'Assignees', 'Sco')
    await page.keyboard.press('Escape')
    await page.locator('.popup').waitFor({ state: 'detached' })
    await page.keyboard.press('d')
    await page.getByRole('dialog', { name: 'Due date' }).getByRole('textbox').fill('tomorrow')
    await page.keyboard.press('Enter')
    await taskPanel.getByRole('button', { name: 'Due: Tomorrow' }).waitFor()
    const task = await waitForFields(task_id, { priority: 1, estimate: 6 })
    await waitUntil(async () => (await fetchTask(task_id)).due_date)
    const { labels, assignees } = await waitForFields(task_id, {})
    expect([labels[0].name, assignees[0].name]).toEqual(['garden', 'Scout'])
    expect(task.title).toBe('Rent the chairs')
    await pick('s', 'Column', 'Done')
    await waitForFields(task_id, { section: 'Done', done: true })
    await page.getByRole('button', { name: /^Undo/ }).waitFor()
    await page.keyboard.press('Control+z')
    await waitForFields(task_id, { section: 'To do', done: false })
    expect(problems).toEqual([])
  })

  test('shows a ticked subtask as done while others change, before the server has responded', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Bake bread' })
    const { page, problems, go } = await app.openSession()
    const addSubtask = (title: string) => app.createTask({ title, parent_task_id: task_id })
    const flour = await addSubtask('Buy flour')
    const held = Promise.withResolvers<void>()
    await page.route(`**/api/v1/tasks/${flour.task_id}`, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await go(`/t/${ticket_number}`)
    const subtasks = page.getByRole('region', { name: 'Subtasks' })
    await subtasks.getByRole('checkbox', { name: `${flour.ticket_number} is done` }).check()
    await subtasks.getByText('1 of 1 done').waitFor()
    const shown: string[] = []
    await page.exposeFunction('noteText', (text: string) => shown.push(text))
    await subtasks.evaluate((region) => {
      const note = () =>
        (window as never as { noteText(t: string): void }).noteText(region.textContent)
      new MutationObserver(note).observe(region, {
        childList: true,
        subtree: true,
        characterData: true,
      })
    })
    await addSubtask('Heat the oven')
    // Long enough for the event about it, which makes the list stale.
    await Bun.sleep(1000)
    held.resolve()
    await subtasks.getByText('1 of 2 done').waitFor()
    expect(shown.filter((text) => text.includes('0 of'))).toEqual([])
    await waitUntil(async () => (await fetchTask(flour.task_id)).done)
    expect(problems).toEqual([])
  })

  test('gets subtasks and relations, and links to its parent', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Cook for forty' })
    const other = await app.createTask({ title: 'Light the fire' })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const chooseFromMenu = async (name: string) => {
      await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await chooseFromMenu('Add a subtask')
    const field = page.getByRole('textbox', { name: 'New subtask' })
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'New subtask')
    await page.keyboard.type('Buy potatoes')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Peel them')
    await page.keyboard.press('Enter')
    const subtasks = page.getByRole('region', { name: 'Subtasks' })
    await subtasks.getByText('0 of 2 done').waitFor()
    await subtasks
      .getByRole('checkbox', { name: /is done/ })
      .nth(0)
      .check()
    await subtasks.getByText('1 of 2 done').waitFor()
    await waitUntil(async () => {
      const { tree } = await fetchData(`/api/v1/tasks/${task_id}/tree`)
      const done = tree.children.map((one: { done: boolean }) => one.done)
      return `${done}` === 'true,false'
    })
    expect(await field.inputValue()).toBe('')

    await chooseFromMenu('Add a relation')
    const relations = page.getByRole('region', { name: 'Relations' })
    await relations.getByRole('button', { name: 'Related to', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Blocked by' }).click()
    await relations.getByRole('combobox', { name: 'Blocked by: add a task' }).click()
    await page.getByRole('combobox', { name: 'Blocked by which task?' }).fill('fire')
    await page.getByRole('option', { name: /Light the fire/ }).click()
    await relations.getByRole('link', { name: /Light the fire/ }).waitFor()
    await waitForFields(task_id, { blocked: true })
    await relations.getByRole('button', { name: `Unlink ${other.ticket_number}` }).click()
    await waitForFields(task_id, { blocked: false })
    await relations.getByRole('link').waitFor({ state: 'detached' })

    await subtasks.getByRole('link', { name: /Peel them/ }).click()
    await page.getByRole('heading', { name: 'Peel them' }).waitFor()
    await page.getByRole('link', { name: /Cook for forty/ }).click()
    await page.getByRole('heading', { name: 'Cook for forty' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('is replaced by the next one with j, and keeps the panel width set with keys', async () => {
    const first = await app.createTask({ title: 'Sweep the terrace' })
    const second = await app.createTask({ title: 'Hang the lanterns' })
    const { page, problems, go } = await app.openSession()
    await go(boardPath())
    await page.getByText('Sweep the terrace').click()
    const taskPanel = (key: string) => page.getByRole('region', { name: `Task ${key}` })
    await taskPanel(first.ticket_number)
      .getByRole('heading', { name: 'Sweep the terrace' })
      .waitFor()
    await page.keyboard.press('j')
    const next = taskPanel(second.ticket_number)
    await next.getByRole('heading', { name: 'Hang the lanterns' }).waitFor()
    const edge = next.getByRole('separator', { name: 'Task panel width' })
    await edge.press('Home')
    expect(Math.round((await next.boundingBox())!.width)).toBe(480)
    await edge.press('ArrowLeft')
    expect(Math.round((await next.boundingBox())!.width)).toBe(512)
    await page.reload()
    await next.getByRole('heading', { name: 'Hang the lanterns' }).waitFor()
    expect(Math.round((await next.boundingBox())!.width)).toBe(512)
    expect(problems).toEqual([])
  })

  test('creates its next occurrence when it repeats and is completed', async () => {
    const { task_id, ticket_number } = await app.createTask({
      ...{ title: 'Water the garden', due_date: '2031-05-05', priority: 2 },
    })
    const { page, problems, go } = await app.openSession()
    await go(`${boardPath()}?task=${ticket_number}`)
    const taskPanel = page.getByRole('region', { name: `Task ${ticket_number}` })
    await taskPanel.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Repeat' }).click()
    await page.getByRole('combobox', { name: 'Repeats', exact: true }).fill('2 weeks')
    await page.keyboard.press('Enter')
    await taskPanel.getByRole('combobox', { name: 'Repeats: Every 2 weeks' }).waitFor()
    await waitForFields(task_id, { recurrence: 'Biweekly' })
    await page.keyboard.press('s')
    await page.getByRole('combobox', { name: 'Column', exact: true }).fill('Done')
    await page.keyboard.press('Enter')
    const announcement = page.getByText(/^Next occurrence: /)
    const next = (await announcement.textContent())!.split(' ').at(-1)!
    const nextTask = await fetchData(`/api/v1/tasks/${next}`)
    expect(nextTask).toMatchObject({
      title: 'Water the garden',
      due_date: '2031-05-19',
      priority: 2,
    })
    await taskPanel.getByRole('combobox', { name: /^Repeats/ }).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('repeats by a rule that is chosen in a dialog, and shows it in words', async () => {
    const { task_id, ticket_number } = await app.createTask({
      ...{ title: 'Trim the hedge', due_date: '2031-05-05' },
    })
    const { page, problems, go } = await app.openSession()
    await go(`${boardPath()}?task=${ticket_number}`)
    const taskPanel = page.getByRole('region', { name: `Task ${ticket_number}` })
    await taskPanel.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Repeat' }).click()
    await page.getByRole('combobox', { name: 'Repeats', exact: true }).fill('custom')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Repeat' })
    await dialog.getByLabel('Every').fill('3')
    await dialog.getByRole('button', { name: 'Mon' }).click()
    await dialog.getByRole('button', { name: 'Fri' }).click()
    await dialog.getByLabel('Ends').selectOption('After a number of tasks')
    await dialog.getByLabel('Number of tasks').fill('0')
    await dialog.getByText('Enter a number from 1 to 999').waitFor()
    await dialog.getByLabel('Number of tasks').fill('6')
    await dialog.getByText('Every 3 weeks on Monday and Friday, 6 times').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const rule = 'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,FR'
    await waitForFields(task_id, { recurrence: `${rule};COUNT=6` })
    await taskPanel.getByRole('combobox', { name: /^Repeats: Every 3 weeks on Monday/ }).click()
    await page.getByRole('option', { name: 'Custom…' }).click()
    await dialog.getByLabel('Ends').selectOption('Never')
    await dialog.getByLabel('Count from the day of completion').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await waitForFields(task_id, { recurrence: `${rule};FROM=COMPLETION` })
    expect(problems).toEqual([])
  })

  test('is saved as a template, from which the palette creates another task', async () => {
    const { ticket_number } = await app.createTask({ title: 'Weekly check', estimate: 3 })
    const { page, problems, go } = await app.openSession()
    await go(`${boardPath()}?task=${ticket_number}`)
    const panel = page.getByRole('region', { name: `Task ${ticket_number}` })
    await panel.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Save as a template' }).click()
    await page.getByText('Saved the template Weekly check').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search/ }).fill('from a template')
    await page.getByRole('option', { name: /New task from a template/ }).click()
    const dialog = page.getByRole('dialog', { name: 'New task on Home from a template' })
    await dialog.getByRole('button', { name: /^Weekly check/ }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Weekly check/ }).click()
    await page.getByText(/^Created HOM-\d+, Weekly check/).waitFor()
    const createdTicket = new URL(page.url()).searchParams.get('task')!
    expect(createdTicket).not.toBe(ticket_number)
    expect(await fetchData(`/api/v1/tasks/${createdTicket}`)).toMatchObject({
      title: 'Weekly check',
      estimate: 3,
    })
    expect(problems).toEqual([])
  })
})
