import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Puts an image of one pixel into the clipboard. */
const copyPicture = (page: Page) =>
  page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const picture = new Blob([bytes], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
  }, PIXEL)

describe.skipIf(noBrowser)('a task', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
    await desk.hire('Scout')
  }, 60_000)
  afterAll(() => desk?.leave())

  const board = () => `/projects/${desk.project_id}`
  const read = async (id: number) => (await desk.http('GET', `/api/v1/tasks/${id}`)).body.data
  const list = async (path: string) => (await desk.http('GET', path)).body.data

  /** Waits until the task on the server has these fields; returns it. */
  const holds = (id: number, fields: object) =>
    soon(async () => {
      const task = await read(id)
      const isSo = Object.entries(fields).every(([name, value]) => task[name] === value)
      return isSo ? task : undefined
    })

  test('is opened from its card, renamed, described with a preview, and closed', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Plan the party' })
    const { page, complaints, go } = await desk.sit()
    await go(board())
    await page.getByText('Plan the party').click()
    const peek = page.getByRole('region', { name: `Task ${ticket_number}` })
    await peek.getByRole('textbox', { name: 'Title' }).fill('Plan the garden party')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText('Plan the garden party').waitFor()
    await holds(task_id, { title: 'Plan the garden party' })

    await peek.getByRole('button', { name: 'Add a description' }).click()
    const field = peek.getByRole('textbox', { name: 'Description' })
    await field.focus()
    await page.keyboard.type('## Why\n\nBecause of **summer**.\n\n- lamps\nchairs\n\ndone')
    await peek
      .getByRole('region', { name: 'Description' })
      .getByRole('button', { name: 'Preview' })
      .click()
    await peek.getByRole('heading', { name: 'Why' }).waitFor()
    expect(await peek.getByRole('listitem').allTextContents()).toContain('chairs')
    expect(await faults(page)).toEqual([])
    await peek
      .getByRole('region', { name: 'Description' })
      .getByRole('button', { name: 'Write' })
      .click()
    await field.press('Control+Enter')
    await peek.getByRole('button', { name: 'Edit' }).waitFor()
    const description = '## Why\n\nBecause of **summer**.\n\n- lamps\n- chairs\n\ndone'
    await holds(task_id, { description, content_type: 'markdown' })

    await page.keyboard.press('Escape')
    await peek.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    expect(focused).toContain('Plan the garden party')
    expect(complaints).toEqual([])
  })

  test('has comments with mentions, images and reactions, and undo restores a deleted one', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Choose the lamps' })
    const { page, complaints, go } = await desk.sit()
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
    await copyPicture(page)
    await page.keyboard.press('Control+v')
    const written = async () => (await field.textContent()) ?? ''
    await soon(async () => /\/content#\d+x\d+\)/.test(await written()))
    await page.keyboard.press('Control+Enter')
    const said = page.locator('[data-comment]').filter({ hasText: 'Which one' })
    await said.getByRole('img', { name: 'image.png' }).waitFor()
    expect(await said.locator('.mention').textContent()).toBe('@Scout')
    const [comment] = await soon(async () => {
      const rows = await list(`/api/v1/tasks/${task_id}/comments`)
      return rows.length ? rows : undefined
    })
    expect(comment.mentions).toMatchObject([{ name: 'Scout', kind: 'agent' }])
    expect(await field.textContent()).not.toContain('Which one')

    await said.hover()
    await said.getByRole('button', { name: 'React to Ada' }).click()
    await page.getByRole('button', { name: 'Hooray' }).click()
    await said.getByRole('button', { name: '🎉, 1: Ada' }).waitFor()
    await said.getByRole('button', { name: 'More about Ada’s comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await said.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await said.waitFor()
    const files = page.getByRole('region', { name: 'Files' })
    await files.getByRole('link', { name: /image\.png/ }).waitFor()
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('is edited with keys alone, and undo reverts its column', async () => {
    await desk.http('POST', `/api/v1/projects/${desk.project_id}/labels`, {
      body: { name: 'garden', color: '#2f7d32' },
    })
    const { task_id, ticket_number } = await desk.create({ title: 'Rent the chairs' })
    const { page, complaints, go } = await desk.sit()
    await go(`${board()}?task=${ticket_number}`)
    const peek = page.getByRole('region', { name: `Task ${ticket_number}` })
    await peek.getByRole('combobox', { name: 'Priority: None' }).waitFor()
    expect(await peek.getByText(/Start date|Repeats/).count()).toBe(0)
    const pick = async (key: string, list: string, words: string) => {
      await page.locator('.popup').waitFor({ state: 'detached' })
      await page.keyboard.press(key)
      await page.getByRole('combobox', { name: list, exact: true }).fill(words)
      await page.getByRole('option', { name: words }).first().waitFor()
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
    await peek.getByRole('button', { name: 'Due: Tomorrow' }).waitFor()
    const task = await holds(task_id, { priority: 1, estimate: 6 })
    await soon(async () => ((await read(task_id)).due_date ? true : undefined))
    const { labels, assignees } = await holds(task_id, {})
    expect([labels[0].name, assignees[0].name]).toEqual(['garden', 'Scout'])
    expect(task.title).toBe('Rent the chairs')
    await pick('s', 'Column', 'Done')
    await holds(task_id, { section: 'Done', done: true })
    await page.getByRole('button', { name: /^Undo/ }).waitFor()
    await page.keyboard.press('Control+z')
    await holds(task_id, { section: 'To do', done: false })
    expect(complaints).toEqual([])
  })

  test('gets subtasks and relations, and links to its parent', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Cook for forty' })
    const other = await desk.create({ title: 'Light the fire' })
    const { page, complaints, go } = await desk.sit()
    await go(`/t/${ticket_number}`)
    const menu = async (name: string) => {
      await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await menu('Add a subtask')
    const field = page.getByRole('textbox', { name: 'New subtask' })
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'New subtask')
    await page.keyboard.type('Buy potatoes')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Peel them')
    await page.keyboard.press('Enter')
    const parts = page.getByRole('region', { name: 'Subtasks' })
    await parts.getByText('0 of 2 done').waitFor()
    await parts
      .getByRole('checkbox', { name: /is done/ })
      .nth(0)
      .check()
    await parts.getByText('1 of 2 done').waitFor()
    await soon(async () => {
      const { tree } = await list(`/api/v1/tasks/${task_id}/tree`)
      const done = tree.children.map((one: { done: boolean }) => one.done)
      return `${done}` === 'true,false' ? true : undefined
    })
    expect(await field.inputValue()).toBe('')

    await menu('Add a relation')
    const relations = page.getByRole('region', { name: 'Relations' })
    await relations.getByRole('button', { name: 'Related to', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Blocked by' }).click()
    await relations.getByRole('combobox', { name: 'Blocked by: add a task' }).click()
    await page.getByRole('combobox', { name: 'Blocked by which task?' }).fill('fire')
    await page.getByRole('option', { name: /Light the fire/ }).click()
    await relations.getByRole('link', { name: /Light the fire/ }).waitFor()
    await holds(task_id, { blocked: true })
    await relations.getByRole('button', { name: `Unlink ${other.ticket_number}` }).click()
    await holds(task_id, { blocked: false })
    await relations.getByRole('link').waitFor({ state: 'detached' })

    await parts.getByRole('link', { name: /Peel them/ }).click()
    await page.getByRole('heading', { name: 'Peel them' }).waitFor()
    await page.getByRole('link', { name: /Cook for forty/ }).click()
    await page.getByRole('heading', { name: 'Cook for forty' }).waitFor()
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('is replaced by the next one with j, and keeps the panel width set with keys', async () => {
    const first = await desk.create({ title: 'Sweep the terrace' })
    const second = await desk.create({ title: 'Hang the lanterns' })
    const { page, complaints, go } = await desk.sit()
    await go(board())
    await page.getByText('Sweep the terrace').click()
    const peek = (key: string) => page.getByRole('region', { name: `Task ${key}` })
    await peek(first.ticket_number).getByRole('heading', { name: 'Sweep the terrace' }).waitFor()
    await page.keyboard.press('j')
    const next = peek(second.ticket_number)
    await next.getByRole('heading', { name: 'Hang the lanterns' }).waitFor()
    const edge = next.getByRole('separator', { name: 'Task panel width' })
    await edge.press('Home')
    expect(Math.round((await next.boundingBox())!.width)).toBe(480)
    await edge.press('ArrowLeft')
    expect(Math.round((await next.boundingBox())!.width)).toBe(512)
    await page.reload()
    await next.getByRole('heading', { name: 'Hang the lanterns' }).waitFor()
    expect(Math.round((await next.boundingBox())!.width)).toBe(512)
    expect(complaints).toEqual([])
  })

  test('creates its next occurrence when it repeats and is completed', async () => {
    const { task_id, ticket_number } = await desk.create({
      ...{ title: 'Water the garden', due_date: '2031-05-05', priority: 2 },
    })
    const { page, complaints, go } = await desk.sit()
    await go(`${board()}?task=${ticket_number}`)
    const peek = page.getByRole('region', { name: `Task ${ticket_number}` })
    await peek.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Repeat' }).click()
    await page.getByRole('combobox', { name: 'Repeats', exact: true }).fill('two')
    await page.keyboard.press('Enter')
    await peek.getByRole('combobox', { name: 'Repeats: Every two weeks' }).waitFor()
    await holds(task_id, { recurrence: 'Biweekly' })
    await page.keyboard.press('s')
    await page.getByRole('combobox', { name: 'Column', exact: true }).fill('Done')
    await page.keyboard.press('Enter')
    const told = page.getByText(/^Next occurrence: /)
    const next = (await told.textContent())!.split(' ').at(-1)!
    const made = await list(`/api/v1/tasks/${next}`)
    expect(made).toMatchObject({ title: 'Water the garden', due_date: '2031-05-19', priority: 2 })
    await peek.getByRole('combobox', { name: /^Repeats/ }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('is saved as a template, from which the palette creates another task', async () => {
    const { ticket_number } = await desk.create({ title: 'Weekly check', estimate: 3 })
    const { page, complaints, go } = await desk.sit()
    await go(`${board()}?task=${ticket_number}`)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Save as a template' }).click()
    await page.getByText('Saved the template Weekly check').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search/ }).fill('from a template')
    await page.getByRole('option', { name: /New task from a template/ }).click()
    const dialog = page.getByRole('dialog', { name: 'New task on Home from a template' })
    await dialog.getByRole('button', { name: /^Weekly check/ }).waitFor()
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Weekly check/ }).click()
    await page.getByText(/^Created HOM-\d+, Weekly check/).waitFor()
    const made = new URL(page.url()).searchParams.get('task')!
    expect(made).not.toBe(ticket_number)
    expect(await list(`/api/v1/tasks/${made}`)).toMatchObject({
      title: 'Weekly check',
      estimate: 3,
    })
    expect(complaints).toEqual([])
  })
})
