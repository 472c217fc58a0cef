import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { becomes, makeBoard, undo } from './boards.ts'

const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).waitFor()

describe.skipIf(noBrowser)('fields, guidance and members in the settings of a board', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  let project_id: number
  beforeAll(async () => {
    desk = await openDesk()
    ada = await desk.sit({ may: /status of 409/ })
    page = ada.page
    ;({ project_id } = await makeBoard(desk, 'Garden', { tasks: TASKS }))
  }, 60_000)
  afterAll(() => desk?.leave())

  const TASKS = [{ title: 'Prune', section_index: 0 }]
  const at = (of: string, who = ada) => who.go(`/settings/board/${project_id}?of=${of}`)
  const api = () => `/api/v1/projects/${project_id}`
  const fields = async () => (await desk.http('GET', `${api()}/custom-fields`)).body.data
  const playbook = async () => (await desk.http('GET', `${api()}/playbook`)).body.data

  test('a select field is created, and its options are reordered and renamed', async () => {
    await at('fields')
    await page.getByText('No custom fields yet.').waitFor()
    await page.getByRole('combobox', { name: /^Type/ }).selectOption('Select')
    await page.getByRole('textbox', { name: 'Name of a new field' }).fill('Season')
    await page.keyboard.press('Enter')
    const option = page.getByRole('textbox', { name: 'New option of Season' })
    for (const label of ['Spring', 'Autumn', 'Summer']) {
      await option.fill(label)
      await option.press('Enter')
      await page.getByRole('textbox', { name: `The option ${label} of Season` }).waitFor()
    }
    await page.getByRole('button', { name: /^Move Summer/ }).focus()
    await page.keyboard.press('ArrowUp')
    const labels = async () =>
      (await fields())[0].options.map(({ label }: { label: string }) => label)
    await becomes(labels, ['Spring', 'Summer', 'Autumn'])
    const one = page.getByRole('textbox', { name: 'The option Autumn of Season' })
    await one.fill('Fall')
    await one.press('Enter')
    await becomes(labels, ['Spring', 'Summer', 'Fall'])
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('deleting a used option or a field asks first; deleting an unused option can be undone', async () => {
    const body = { field_name: 'Season', value: 'Fall' }
    await desk.http('PUT', '/api/v1/tasks/GAR-1/custom-fields', { body })
    const labels = async () =>
      (await fields())[0]?.options.map(({ label }: { label: string }) => label)
    await page.getByRole('button', { name: 'Remove Spring from Season' }).click()
    await becomes(labels, ['Summer', 'Fall'])
    await undo(page, 'Removed Spring from Season')
    await becomes(labels, ['Spring', 'Summer', 'Fall'])
    await page.getByRole('button', { name: 'Remove Fall from Season' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^1 task uses it/).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await labels()).toEqual(['Spring', 'Summer', 'Fall'])
    await page.getByRole('button', { name: 'Delete the field Season' }).click()
    await dialog.getByRole('button', { name: 'Delete field' }).click()
    await told(page, 'Deleted the field Season; 1 task had a value')
    await becomes(fields, [])
    await page.getByText('No custom fields yet.').waitFor()
  })

  test('the playbook is saved, and a concurrent change by an agent is shown as a conflict', async () => {
    const scopes = ['profile:read', 'projects:read', 'projects:instruct']
    const beacon = await desk.hire('Beacon', { scopes })
    await at('playbook')
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
    await told(page, 'Saved the playbook')
    expect(await playbook()).toMatchObject({
      ...{ working_rules: 'Ask before you dig.', notes: null, version: 2 },
      definition_of_done: ['Watered', 'Told the neighbours'],
    })
    await beacon.tool('svc_projects', 'set_playbook', { project_id, notes: 'Frost until May.' })
    await page.getByText('Frost until May.').waitFor()

    await rules.click()
    await page.locator('.editor [contenteditable=true]').first().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Always.')
    await beacon.tool('svc_projects', 'set_playbook', {
      ...{ project_id, working_rules: 'Dig where you like.', model_selected: 'small' },
    })
    await page.getByText('Somebody else changed it').waitFor()
    await page.keyboard.press('Control+Enter')
    const conflict = page.getByRole('alert')
    await conflict.getByText('Ask before you dig. Always.').waitFor()
    await conflict.getByText('Dig where you like.').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    expect((await playbook()).working_rules).toBe('Dig where you like.')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    expect(await page.getByRole('textbox', { name: 'Model' }).inputValue()).toBe('small')
    await page.getByRole('button', { name: 'Save playbook' }).click()
    await becomes(async () => (await playbook()).working_rules, 'Ask before you dig. Always.')
    expect((await playbook()).model_selected).toBe('small')
  })

  test('an older version of the playbook is shown and restored', async () => {
    await at('playbook')
    await page.getByText('Versions', { exact: true }).click()
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await versions.first().waitFor()
    const first = versions.filter({ hasText: 'Version 2' })
    expect(await first.textContent()).toContain('working rules')
    expect(await versions.filter({ hasText: 'Beacon' }).count()).toBe(2)
    await first.getByRole('button', { name: 'Show version 2' }).click()
    await first.getByRole('heading', { name: 'Definition of done' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    const before = (await playbook()).version
    await first.getByRole('button', { name: 'Restore version 2' }).click()
    await told(page, 'Restored version 2')
    await becomes(async () => (await playbook()).working_rules, 'Ask before you dig.')
    expect((await playbook()).version).toBe(before + 1)
    await versions.filter({ hasText: `Version ${before + 1}` }).waitFor()
  })

  test('AI instructions are saved, show a concurrent change as a conflict, and can be reset', async () => {
    const told_now = async () =>
      (await desk.http('GET', `${api()}/instructions`)).body.data.custom_instruction
    await at('instructions')
    await page.getByRole('textbox', { name: 'Instructions for AI' }).click()
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.type('Be brief.')
    await page.getByRole('button', { name: 'Save instructions' }).click()
    await becomes(told_now, 'Be brief.')
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' And kind.')
    const body = { custom_instruction: 'Be long.' }
    await desk.http('PUT', `${api()}/instructions`, { body })
    await page.getByText('Somebody else changed them').waitFor()
    await page.keyboard.press('Control+Enter')
    const conflict = page.getByRole('alert')
    await conflict.getByText('Be long.').waitFor()
    expect(await told_now()).toBe('Be long.')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await becomes(told_now, 'Be brief. And kind.')
    await page.getByRole('button', { name: 'Reset' }).click()
    await becomes(told_now, null)
    await undo(page, 'Reset the instructions')
    await becomes(told_now, 'Be brief. And kind.')
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('a person is invited by a link shown once, and a member is removed and added again', async () => {
    await at('members')
    const list = page.getByRole('list', { name: 'Board members' })
    await list.getByText('Ada', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Email to invite' }).fill('x@example.com')
    await page.keyboard.press('Enter')
    const link = page.getByRole('region', { name: 'Link for x@example.com' })
    const address = (await link.textContent())!
    expect(address).toMatch(/\/invitation\S+/)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    expect(await page.content()).not.toContain(address)
    await page.getByRole('button', { name: 'Remove Ada from the board' }).click()
    await told(page, 'Removed Ada from the board')
    const invited = async () =>
      (await desk.http('GET', `${api()}/members?kind=person`)).body.data[0].invited
    await becomes(invited, false)
    expect(await page.getByRole('button', { name: 'Remove Ada from the board' }).count()).toBe(0)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('combobox', { name: /^Add team member/ }).click()
    await page.getByRole('option', { name: 'Ada, owner' }).click()
    await told(page, 'Added Ada to the board')
    await becomes(invited, true)
  })

  test('a template creates a task, and its deletion can be undone before it is sent', async () => {
    const { body } = await desk.http('GET', '/api/v1/tasks/GAR-1')
    const taskId = body.data.task_id
    await desk.http('POST', '/api/task-templates', { body: { taskId, name: 'Weekly' } })
    await at('templates')
    await page.getByRole('button', { name: 'Create task from Weekly' }).click()
    await told(page, 'Created GAR-2, Prune')
    await at('templates')
    const held = async () =>
      (await desk.http('GET', `/api/task-templates?projectId=${project_id}`)).body.data.length
    await page.getByRole('button', { name: 'Delete the template Weekly' }).click()
    await page.getByText('No templates yet.').waitFor()
    expect(await held()).toBe(1)
    await undo(page, 'Deleted the template Weekly')
    await page.getByText('Weekly', { exact: true }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('a code host is connected with a secret shown once, and disconnected again', async () => {
    await at('pulls')
    await page.getByRole('button', { name: 'Connect GitLab' }).click()
    const secret = page.getByRole('region', { name: 'Secret' })
    const words = (await secret.textContent())!
    expect(words).toMatch(/^whsec_/)
    await page.getByText('Merge request events').waitFor()
    await page.getByRole('button', { name: 'Copy Secret' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(words)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'I have saved the secret' }).click()
    await page.getByRole('list', { name: 'Receivers' }).getByText('/hooks/gitlab/').waitFor()
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect((await page.content()) + kept).not.toContain(words)
    await page.getByRole('button', { name: 'Delete the receiver of GitLab' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete receiver' }).click()
    await page.getByText('No code host connected yet.').waitFor()
    const { body } = await desk.http('GET', `${api()}/pull-request-receivers`)
    expect(body.data).toEqual([])
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.complaints).toEqual([])
  })
})
