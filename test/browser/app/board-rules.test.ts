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
    await choose(/^Value:/, 'plants')
    await page.getByRole('button', { name: 'Test on recent changes' }).click()
    await page.getByText('1 change tested: 1 would start the rule').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create rule' }).click()
    await waitForToast(page, 'Created the rule')
    await expectEventually(
      async () => (await fetchRules()).map(({ sentence }) => sentence),
      ['When a task gets the label “plants”, if label is plants, comment “Water {{task.title}}”'],
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
