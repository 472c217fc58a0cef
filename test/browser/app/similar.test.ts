import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, titlesIn } from './boards.ts'

describe.skipIf(isBrowserSkipped)('similar tasks of a new title', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('a typed title shows similar tasks below it, and Enter still creates the task', async () => {
    const tasks = [
      { title: 'Export the task list as CSV', section_index: 0 },
      { title: 'Paint the fence', section_index: 0 },
    ]
    const sections = [{ title: 'Ideas' }, { title: 'Done' }]
    const { project_id } = await createBoard(app, 'Exports', { sections, tasks })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const similar = page.getByRole('list', { name: 'Similar tasks' })
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'New task in Ideas' }).waitFor()
    await page.keyboard.type('Export all tasks as a CSV file')
    await similar.getByRole('link', { name: 'Export the task list as CSV' }).waitFor()
    expect(await similar.getByRole('link').count()).toBe(1)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await titlesIn(page, 'Ideas')).length, 3)
    expect(await similar.count()).toBe(0)
    expect(problems).toEqual([])
  })
})
