import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  createGardenBoard,
  fetchTask,
  focusedName,
  titlesIn,
  undoFromToast,
} from './boards.ts'

const LINES = '- [ ] Dig the bed\n- Plant beans\n    1. Buy seeds\n* Water !1\n'

describe.skipIf(isBrowserSkipped)('quick add', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  async function openGarden(title: string, options = {}) {
    const { project_id } = await createGardenBoard(app, title)
    const session = await app.openSession(options)
    await session.go(`/projects/${project_id}`)
    await cardOf(session.page, 'Prune the roses').waitFor()
    return { ...session, project_id }
  }

  const openField = async (page: Page) => {
    await page.getByRole('button', { name: 'Add a task to Doing' }).click()
    const field = page.getByRole('textbox', { name: 'New task in Doing' })
    await field.waitFor()
    return field
  }

  const paste = async (page: Page, text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await page.keyboard.press('ControlOrMeta+v')
  }

  test('a line shows what it is understood as, and the task gets those fields', async () => {
    const { page, problems } = await openGarden('Lines')
    const field = await openField(page)
    await page.keyboard.type('Call Kim tomorrow 9am every friday !1 ~M #gar')
    await page.getByRole('option', { name: 'garden' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('Call Kim tomorrow 9am every friday !1 ~M #garden ')
    const chip = (name: string) => page.getByRole('button', { name: `${name}: keep` })
    await chip('Size M').waitFor()
    await chip('garden').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await chip('Urgent').click()
    await expectEventually(
      () => field.inputValue(),
      'Call Kim tomorrow 9am every friday \\!1 ~M #garden ',
    )
    await page.keyboard.press('Enter')
    await cardOf(page, 'Call Kim !1').getByText('LIN-5').waitFor()
    const task = await fetchTask(app, 'LIN-5')
    expect(task).toMatchObject({ title: 'Call Kim !1', priority: 0, size: 'M' })
    expect(task.labels.map(({ name }: { name: string }) => name)).toEqual(['garden'])
    expect(task.recurrence).toBe('Weekly')
    expect(task.due_date).toContain('T')
    await expectEventually(() => field.inputValue(), '')
    await page.keyboard.type('Buy soil')
    await page.keyboard.press('Enter')
    await cardOf(page, 'Buy soil').getByText('LIN-6').waitFor()
    await page.keyboard.press('Escape')
    await expectEventually(focusedName(page), 'Buy soil')
    expect(problems).toEqual([])
  })

  test('a label is created while it is typed, and Ctrl+Enter opens the new task', async () => {
    const { page, problems } = await openGarden('Marks')
    await openField(page)
    await page.keyboard.type('Mow #lawn')
    await page.getByRole('option', { name: 'Create label “lawn”' }).click()
    await page.getByRole('button', { name: 'lawn: keep' }).waitFor()
    await page.keyboard.type('@Ad')
    await page.getByRole('option', { name: 'Ada' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.waitForURL(/task=MAR-5/)
    const task = await fetchTask(app, 'MAR-5')
    expect(task.title).toBe('Mow')
    expect(task.labels.map(({ name }: { name: string }) => name)).toEqual(['lawn'])
    expect(task.assignees.map(({ name }: { name: string }) => name)).toEqual(['Ada'])
    expect(problems).toEqual([])
  })

  test('pasted lines become tasks with subtasks, which one undo removes', async () => {
    const { page, problems } = await openGarden('Pasted')
    await openField(page)
    await paste(page, LINES)
    const create = page.getByRole('button', { name: 'Create 4 tasks' })
    await expectEventually(() => create.evaluate((one) => one === document.activeElement), true)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    const titles = ['Dig the bed', 'Plant beans', 'Buy seeds', 'Water']
    await expectEventually(() => titlesIn(page, 'Doing'), titles)
    await page.getByText('Created 4 tasks').waitFor()
    expect((await fetchTask(app, 'PAS-7')).parent_task_id).toBe(
      (await fetchTask(app, 'PAS-6')).task_id,
    )
    expect((await fetchTask(app, 'PAS-8')).priority).toBe(1)
    await undoFromToast(page, 'Created 4 tasks')
    await expectEventually(() => titlesIn(page, 'Doing'), [])
    await openField(page)
    await paste(page, LINES)
    await page.getByRole('button', { name: 'One task with the text' }).click()
    await expectEventually(() => titlesIn(page, 'Doing'), ['Dig the bed'])
    expect(problems).toEqual([])
  })

  test('files that are pasted into the field or dropped on a card become attachments', async () => {
    const { page, problems } = await openGarden('Files')
    const field = await openField(page)
    await drop(page, '.quick-add input', 'plan.txt')
    await page.getByRole('button', { name: 'Remove file: plan.txt' }).waitFor()
    await field.fill('Draw a plan')
    await page.keyboard.press('Enter')
    await page.getByText('Attached 1 file to FIL-5').waitFor()
    await expectEventually(async () => (await fetchTask(app, 'FIL-5')).attachment_count, 1)
    await drop(page, `article:has-text("Fix the tap")`, 'tap.txt')
    await page.getByText('Attached 1 file to FIL-3').waitFor()
    await undoFromToast(page, 'Attached 1 file to FIL-3')
    await expectEventually(async () => (await fetchTask(app, 'FIL-3')).attachment_count, 0)
    expect(problems).toEqual([])
  })

  test('on a phone, the suggestions and the chips are chosen by touch', async () => {
    const { page, problems } = await openGarden('Touch', { width: 390, height: 800, touch: true })
    await page.getByRole('button', { name: 'Add a task to Ideas' }).tap()
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    await field.fill('Weed #ho')
    await page.getByRole('option', { name: 'house' }).tap()
    await page.getByRole('button', { name: 'house: keep' }).waitFor()
    await page.keyboard.press('Enter')
    await cardOf(page, 'Weed').getByText('house').waitFor()
    expect(problems).toEqual([])
  })

  test('a list that is pasted into My Tasks becomes own tasks, and one undo deletes them', async () => {
    const { project_id } = await createGardenBoard(app, 'Mine')
    const body = { default_board: project_id }
    await app.http('PATCH', '/api/v1/user/profile', { body })
    const { page, problems, go } = await app.openSession()
    await go('/my')
    await page.getByRole('textbox', { name: 'New task for yourself' }).focus()
    await paste(page, LINES)
    await page.getByRole('button', { name: /^Create 4 tasks/ }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('Created 4 tasks').waitFor()
    const row = page.getByRole('main').getByText('Buy seeds')
    await row.waitFor()
    await undoFromToast(page, 'Created 4 tasks')
    await row.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})

/** Drops a text file from outside the browser on an element. */
const drop = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, filename) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['text'], filename, { type: 'text/plain' }))
      for (const type of ['dragenter', 'dragover', 'drop'])
        element.dispatchEvent(
          new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
        )
    }, name)
