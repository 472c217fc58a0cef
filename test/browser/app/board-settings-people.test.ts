import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, undoFromToast } from './boards.ts'
import { waitForToast } from './toasts.ts'

describe.skipIf(isBrowserSkipped)('fields, guidance and members in the settings of a board', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let project_id: number
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession({ ignoredMessages: /status of 409/ })
    page = ada.page
    ;({ project_id } = await createBoard(app, 'Garden', { tasks: TASKS }))
  })
  afterAll(() => app?.close())

  const TASKS = [{ title: 'Prune', section_index: 0 }]
  const openSection = (section: string, session = ada) =>
    session.go(`/settings/board/${project_id}?of=${section}`)
  const api = () => `/api/v1/projects/${project_id}`
  const fetchFields = async () => (await app.http('GET', `${api()}/custom-fields`)).body.data
  const fetchPlaybook = async () => (await app.http('GET', `${api()}/playbook`)).body.data

  test('a select field is created, and its options are reordered and renamed', async () => {
    await openSection('fields')
    await page.getByText('No custom fields yet.').waitFor()
    await page.getByRole('combobox', { name: /^Type/ }).selectOption('Select')
    await page.getByRole('textbox', { name: 'Name of a new field' }).fill('Season')
    await page.keyboard.press('Enter')
    const newOptionField = page.getByRole('textbox', { name: 'New option of Season' })
    for (const label of ['Spring', 'Autumn', 'Summer']) {
      await newOptionField.fill(label)
      await newOptionField.press('Enter')
      await page.getByRole('textbox', { name: `The option ${label} of Season` }).waitFor()
    }
    await page.getByRole('button', { name: /^Move Summer/ }).focus()
    await page.keyboard.press('ArrowUp')
    const optionLabels = async () =>
      (await fetchFields())[0].options.map(({ label }: { label: string }) => label)
    await expectEventually(optionLabels, ['Spring', 'Summer', 'Autumn'])
    const optionField = page.getByRole('textbox', { name: 'The option Autumn of Season' })
    await optionField.fill('Fall')
    await optionField.press('Enter')
    await expectEventually(optionLabels, ['Spring', 'Summer', 'Fall'])
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('deleting a used option or a field asks first; deleting an unused option can be undone', async () => {
    const body = { field_name: 'Season', value: 'Fall' }
    await app.http('PUT', '/api/v1/tasks/GAR-1/custom-fields', { body })
    const optionLabels = async () =>
      (await fetchFields())[0]?.options.map(({ label }: { label: string }) => label)
    await page.getByRole('button', { name: 'Remove Spring from Season' }).click()
    await expectEventually(optionLabels, ['Summer', 'Fall'])
    await undoFromToast(page, 'Removed Spring from Season')
    await expectEventually(optionLabels, ['Spring', 'Summer', 'Fall'])
    await page.getByRole('button', { name: 'Remove Fall from Season' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^1 task uses it/).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await optionLabels()).toEqual(['Spring', 'Summer', 'Fall'])
    await page.getByRole('button', { name: 'Delete the field Season' }).click()
    await dialog.getByRole('button', { name: 'Delete field' }).click()
    await waitForToast(page, 'Deleted the field Season; 1 task had a value')
    await expectEventually(fetchFields, [])
    await page.getByText('No custom fields yet.').waitFor()
  })

  test('the playbook is saved, and a concurrent change by an agent is shown as a conflict', async () => {
    const scopes = ['profile:read', 'projects:read', 'projects:instruct']
    const agent = await app.connectAgent('Beacon', { scopes })
    await openSection('playbook')
    const rules = page.getByRole('textbox', { name: 'Working rules' })
    await rules.click()
    await page.locator('.editor [contenteditable=true]').first().click()
    await page.keyboard.type('Ask before you dig.')
    await page.getByRole('textbox', { name: 'Definition of done, new item' }).fill('Watered')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Told the neighbours')
    await page.getByText('Not saved yet').waitFor()
    await page.reload()
    await page.getByText('Ask before you dig.').waitFor()
    await page.getByRole('button', { name: 'Save playbook' }).click()
    await waitForToast(page, 'Saved the playbook')
    expect(await fetchPlaybook()).toMatchObject({
      ...{ working_rules: 'Ask before you dig.', notes: null, version: 2 },
      definition_of_done: ['Watered', 'Told the neighbours'],
    })
    await agent.callTool('svc_projects', 'set_playbook', { project_id, notes: 'Frost until May.' })
    await page.getByText('Frost until May.').waitFor()

    await rules.click()
    await page.locator('.editor [contenteditable=true]').first().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Always.')
    await agent.callTool('svc_projects', 'set_playbook', {
      ...{ project_id, working_rules: 'Dig where you like.', model_selected: 'small' },
    })
    await page.getByText('Somebody else changed it').waitFor()
    await page.keyboard.press('Control+Enter')
    const conflict = page.getByRole('alert')
    await conflict.getByText('Ask before you dig. Always.').waitFor()
    await conflict.getByText('Dig where you like.').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect((await fetchPlaybook()).working_rules).toBe('Dig where you like.')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    expect(await page.getByRole('textbox', { name: 'Model' }).inputValue()).toBe('small')
    await page.getByRole('button', { name: 'Save playbook' }).click()
    await expectEventually(
      async () => (await fetchPlaybook()).working_rules,
      'Ask before you dig. Always.',
    )
    expect((await fetchPlaybook()).model_selected).toBe('small')
  })

  test('an older version of the playbook is shown and restored', async () => {
    await openSection('playbook')
    await page.getByText('Versions', { exact: true }).click()
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await versions.first().waitFor()
    const first = versions.filter({ hasText: 'Version 2' })
    expect(await first.textContent()).toContain('working rules')
    expect(await versions.filter({ hasText: 'Beacon' }).count()).toBe(2)
    await first.getByRole('button', { name: 'Show version 2' }).click()
    await first.getByRole('heading', { name: 'Definition of done' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const previousVersion = (await fetchPlaybook()).version
    await first.getByRole('button', { name: 'Restore version 2' }).click()
    await waitForToast(page, 'Restored version 2')
    await expectEventually(async () => (await fetchPlaybook()).working_rules, 'Ask before you dig.')
    expect((await fetchPlaybook()).version).toBe(previousVersion + 1)
    await versions.filter({ hasText: `Version ${previousVersion + 1}` }).waitFor()
  })

  test('AI instructions are saved, show a concurrent change as a conflict, and can be reset', async () => {
    const fetchInstructions = async () =>
      (await app.http('GET', `${api()}/instructions`)).body.data.custom_instruction
    await openSection('instructions')
    await page.getByRole('textbox', { name: 'Instructions for AI' }).click()
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.type('Be brief.')
    await page.getByRole('button', { name: 'Save instructions' }).click()
    await expectEventually(fetchInstructions, 'Be brief.')
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' And kind.')
    const body = { custom_instruction: 'Be long.' }
    await app.http('PUT', `${api()}/instructions`, { body })
    await page.getByText('Somebody else changed them').waitFor()
    await page.keyboard.press('Control+Enter')
    const conflict = page.getByRole('alert')
    await conflict.getByText('Be long.').waitFor()
    expect(await fetchInstructions()).toBe('Be long.')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await expectEventually(fetchInstructions, 'Be brief. And kind.')
    await page.getByRole('button', { name: 'Reset' }).click()
    await expectEventually(fetchInstructions, null)
    await undoFromToast(page, 'Reset the instructions')
    await expectEventually(fetchInstructions, 'Be brief. And kind.')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('a person is invited by a link shown once, and a member is removed and added again', async () => {
    await openSection('members')
    const list = page.getByRole('list', { name: 'Board members' })
    await list.getByText('Ada', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Email to invite' }).fill('x@example.com')
    await page.keyboard.press('Enter')
    const link = page.getByRole('region', { name: 'Link for x@example.com' })
    const address = (await link.textContent())!
    expect(address).toMatch(/\/invitation\S+/)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    expect(await page.content()).not.toContain(address)
    await page.getByRole('button', { name: 'Remove Ada from the board' }).click()
    await waitForToast(page, 'Removed Ada from the board')
    const isInvited = async () =>
      (await app.http('GET', `${api()}/members?kind=person`)).body.data[0].invited
    await expectEventually(isInvited, false)
    expect(await page.getByRole('button', { name: 'Remove Ada from the board' }).count()).toBe(0)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('combobox', { name: /^Add team member/ }).click()
    await page.getByRole('option', { name: 'Ada, owner' }).click()
    await waitForToast(page, 'Added Ada to the board')
    await expectEventually(isInvited, true)
  })

  test('a template creates a task, and its deletion can be undone before it is sent', async () => {
    const { body } = await app.http('GET', '/api/v1/tasks/GAR-1')
    const taskId = body.data.task_id
    await app.http('POST', '/api/task-templates', { body: { taskId, name: 'Weekly' } })
    await openSection('templates')
    await page.getByRole('button', { name: 'Create task from Weekly' }).click()
    await waitForToast(page, 'Created GAR-2, Prune')
    await openSection('templates')
    const templateCount = async () =>
      (await app.http('GET', `/api/task-templates?projectId=${project_id}`)).body.data.length
    await page.getByRole('button', { name: 'Delete the template Weekly' }).click()
    await page.getByText('No templates yet.').waitFor()
    expect(await templateCount()).toBe(1)
    await undoFromToast(page, 'Deleted the template Weekly')
    await page.getByText('Weekly', { exact: true }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('a code host is connected with a secret shown once, and disconnected again', async () => {
    await openSection('pulls')
    await page.getByRole('button', { name: 'Connect GitLab' }).click()
    const secret = page.getByRole('region', { name: 'Secret' })
    const expectedText = (await secret.textContent())!
    expect(expectedText).toMatch(/^whsec_/)
    await page.getByText('Merge request events').waitFor()
    await page.getByRole('button', { name: 'Copy Secret' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(expectedText)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'I have saved the secret' }).click()
    await page.getByRole('list', { name: 'Receivers' }).getByText('/hooks/gitlab/').waitFor()
    const storage = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect((await page.content()) + storage).not.toContain(expectedText)
    await page.getByRole('button', { name: 'Delete the receiver of GitLab' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete receiver' }).click()
    await page.getByText('No code host connected yet.').waitFor()
    const { body } = await app.http('GET', `${api()}/pull-request-receivers`)
    expect(body.data).toEqual([])
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.problems).toEqual([])
  })
})
