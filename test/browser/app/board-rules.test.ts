import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, undoFromToast } from './boards.ts'
import { waitForToast } from './toasts.ts'

describe.skipIf(isBrowserSkipped)('the rules of a board', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let project_id: number
  let task: string
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    page = ada.page
    const tasks = [{ title: 'Dig', section_index: 1, labels: ['plants'] }]
    const labels = [{ name: 'plants', color: '#123456' }]
    const board = await createBoard(app, 'Garden', { labels, tasks })
    project_id = board.project_id
    task = board.tasks[0]!
  })
  afterAll(() => app?.close())

  const open = () => ada.go(`/settings/board/${project_id}?of=rules`)
  const fetchRules = async () =>
    (await app.http('GET', `/api/v1/projects/${project_id}/rules`)).body.data as {
      rule_id: string
      sentence: string
      enabled: boolean
      conditions: { groups: object[] }
    }[]
  const commentCount = async () =>
    (await app.http('GET', `/api/v1/tasks/${task}/comments`)).body.data.length
  const rows = () => page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  const choose = async (button: RegExp, option: string) => {
    await page.getByRole('combobox', { name: button }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  test('a rule is built from words, tested, saved and then acts', async () => {
    await open()
    await page.getByText('No rules yet').waitFor()
    await page.getByRole('button', { name: 'New rule' }).click()
    await choose(/^When:/, 'a task gets the label')
    await choose(/^Label:/, 'plants')
    await page.getByRole('textbox', { name: 'Text' }).fill('Water {{task.title}}')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(/^Field: /, 'Label')
    await choose(/^Value of Label/, 'plants')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Test on recent changes' }).click()
    await page.getByText('1 change tested: 1 would start the rule').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create rule' }).click()
    await waitForToast(page, 'Created the rule')
    await expectEventually(
      async () => (await fetchRules()).map(({ sentence }) => sentence),
      [
        'When a task gets the label “plants”, if label is any of plants, comment “Water {{task.title}}”',
      ],
    )
    expect(await commentCount()).toBe(0)
    for (const labels of [[], ['plants']])
      await app.http('PATCH', `/api/v1/tasks/${task}`, { body: { labels } })
    await expectEventually(commentCount, 1)
    await rows().getByRole('button', { name: 'Log' }).click()
    await page.getByRole('region', { name: 'Log' }).getByText('comment').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('an unfinished rule is refused with the reason, and Escape closes a list only', async () => {
    await open()
    await page.getByRole('button', { name: 'From a template' }).click()
    await page.getByRole('menuitem', { name: 'A failed run makes its task urgent' }).click()
    await page.getByRole('button', { name: 'Add action' }).click()
    await page.getByRole('combobox', { name: /^Action: comment/ }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('unassign')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('who is required here').waitFor()
    await page.getByRole('button', { name: 'Remove action' }).last().click()
    await page.getByRole('button', { name: 'Create rule' }).click()
    await expectEventually(async () => (await fetchRules()).length, 2)
  })

  test('rules are disabled, moved and deleted with undo, by keyboard', async () => {
    await open()
    await rows().nth(1).waitFor()
    const first = rows().first()
    await first.getByRole('switch').focus()
    await page.keyboard.press('Space')
    await expectEventually(async () => (await fetchRules())[0]!.enabled, false)
    await first.getByRole('button', { name: 'More about this rule' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move down' }).press('Enter')
    await expectEventually(async () => (await fetchRules())[1]!.enabled, false)
    await rows().last().getByRole('button', { name: 'More about this rule' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expectEventually(() => rows().count(), 1)
    await undoFromToast(page, 'Deleted the rule')
    await expectEventually(() => rows().count(), 2)
    expect(await fetchRules()).toHaveLength(2)
  })

  test('conditions are edited like filters of views: every field and operator, in groups', async () => {
    await open()
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Late')
    await page.getByRole('button', { name: 'Add condition' }).click()
    const [first, second] = [1, 2].map((at) => page.getByRole('group', { name: `Group ${at}` }))
    const pick = async (part: RegExp, option: string, within = first!) => {
      await within.getByRole('combobox', { name: part }).last().click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await pick(/^Field: /, 'Due date')
    await pick(/^Operator for Due date/, 'is within')
    await first!.getByRole('spinbutton', { name: /Due date/ }).fill('3')
    await page.getByRole('button', { name: 'Add condition to group' }).click()
    await pick(/^Field: /, 'Blocked')
    await first!.getByLabel('Where').selectOption('any condition matches')
    await page.getByRole('button', { name: 'Add group' }).click()
    await pick(/^Field: /, 'Title', second)
    await second!.getByRole('textbox', { name: 'Value of Title' }).fill('tap')
    await page.getByText('All groups must match.').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create rule' }).click()
    await rows().nth(2).waitFor()
    await expectEventually(
      async () => (await fetchRules())[2]?.conditions.groups,
      [
        {
          match: 'ANY',
          rules: [
            { field: 'due_date', op: 'within_days', value: 3 },
            { field: 'blocked', op: 'is', value: true },
          ],
        },
        { match: 'ALL', rules: [{ field: 'title', op: 'contains', value: 'tap' }] },
      ],
    )
    const text = 'if (Due date is within 3 days or Blocked yes) and Title contains tap then'
    await rows().nth(2).getByText(text).waitFor()
    await rows().nth(2).getByRole('button', { name: 'More about this rule' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await second!.getByRole('textbox', { name: 'Value of Title' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('the activity of a task names the rule that changed it, in the language of the reader', async () => {
    const { idOf, tasks, ...board } = await createBoard(app, 'Kitchen', {
      tasks: [{ title: 'Tile', section_index: 0 }],
    })
    const conditions = { groups: [{ rules: [{ field: 'priority', op: 'empty' }] }] }
    await app.http('POST', `/api/v1/projects/${board.project_id}/rules`, {
      body: {
        when: { event: 'task_moved', section_id: idOf('Doing') },
        conditions,
        actions: [{ do: 'set_field', field: 'priority', value: 2 }],
      },
    })
    await app.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: { section_id: idOf('Doing') } })
    await ada.go(`/t/${tasks[0]}`)
    const lineOn = (one: Page, text: string) =>
      one.locator('.activity-line').filter({ hasText: text })
    await lineOn(
      page,
      'by the rule “When a task moves to Doing if Priority is empty then set Priority High”',
    ).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const german = await app.openSession({ locale: 'de-AT' })
    await german.go(`/t/${tasks[0]}`)
    await lineOn(
      german.page,
      'durch die Regel „Wenn eine Aufgabe verschoben wird nach Doing falls Priorität ist leer dann Feld setzen Priorität Hoch“',
    ).waitFor()
    expect(german.problems).toEqual([])
  })

  test('the editor fits a phone', async () => {
    const phone = await app.openSession({ width: 390, height: 800, touch: true })
    await phone.go(`/settings/board/${project_id}?of=rules`)
    await phone.page.getByRole('button', { name: 'New rule' }).tap()
    await phone.page.getByRole('combobox', { name: /^When:/ }).tap()
    await phone.page.getByRole('option', { name: 'a task moves to', exact: true }).tap()
    const width = await phone.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(390)
    expect(await accessibilityIssuesInBothThemes(phone.page)).toEqual([])
    expect(phone.problems).toEqual([])
  })

  test('nothing went wrong in the browser', () => {
    expect(ada.problems.filter((one) => !one.includes('400'))).toEqual([])
  })
})
