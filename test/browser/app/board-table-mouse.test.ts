import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cellOf, grid, groups, openTable, storedCard } from './tables.ts'

const heads = (page: Page) => () =>
  grid(page)
    .getByRole('columnheader')
    .evaluateAll((all) => all.flatMap((one) => (one as HTMLElement).dataset.field ?? []))
const headOf = (page: Page, field: string) =>
  grid(page).locator(`[role=columnheader][data-field="${field}"]`)

describe.skipIf(isBrowserSkipped)('the table of a board with a mouse', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('dragging over cells selects them, and a double click edits one', async () => {
    const { page, project_id, problems } = await openTable(app, 'Cells', '&group=none')
    const [from, to] = await Promise.all([
      cellOf(page, 'Prune the roses', 'priority').boundingBox(),
      cellOf(page, 'Fix the tap', 'size').boundingBox(),
    ])
    await page.mouse.move(from!.x + 20, from!.y + 10)
    await page.mouse.down()
    await page.mouse.move(to!.x + 20, to!.y + 10, { steps: 6 })
    await page.mouse.up()
    await expectEventually(() => grid(page).locator('.cell[aria-selected=true]').count(), 6)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Delete')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Fix the tap')).estimate,
      undefined,
    )
    await cellOf(page, 'Order tiles', 'due').dblclick()
    await page.getByRole('dialog').getByText('Tomorrow').first().click()
    await expectEventually(
      async () => typeof (await storedCard(app, project_id, 'Order tiles')).due_date,
      'string',
    )
    expect(problems).toEqual([])
  })

  test('a head is dragged beside another one, and its menu groups and hides', async () => {
    const { page, problems } = await openTable(app, 'Heads')
    await headOf(page, 'label').dragTo(headOf(page, 'assignee'), {
      targetPosition: { x: 8, y: 10 },
    })
    await expectEventually(heads(page), [
      'key',
      'title',
      'label',
      'assignee',
      'priority',
      'size',
      'due',
    ])
    const choose = async (field: string, item: string) => {
      await headOf(page, field).hover()
      await headOf(page, field)
        .getByRole('button', { name: /^Options of/ })
        .click()
      await page
        .getByRole('menuitem', { name: item })
        .or(page.getByRole('menuitemcheckbox', { name: item }))
        .click()
    }
    await choose('label', 'Group by this column')
    await expectEventually(groups(page), ['garden', 'house'])
    await choose('size', 'Hide column')
    await expectEventually(heads(page), ['key', 'title', 'label', 'assignee', 'priority', 'due'])
    expect(problems).toEqual([])
  })

  test('a view opens with its groups, and saving its changes replaces them', async () => {
    const { page, project_id, problems, go } = await openTable(app, 'Saved')
    const { body } = await app.http('POST', `/api/v1/projects/${project_id}/views`, {
      body: { title: 'By label' },
    })
    const { view_id } = body.data
    await app.http('PUT', `/api/v1/views/${view_id}/display`, {
      body: { display: { group: 'label', columns: [{ field: 'title' }, { field: 'label' }] } },
    })
    await go(`/projects/${project_id}?layout=list&view=${view_id}`)
    await expectEventually(groups(page), ['garden', 'house'])
    await expectEventually(heads(page), ['title', 'label'])
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Group by…' }).click()
    await page.getByRole('option', { name: 'Priority' }).click()
    await expectEventually(groups(page), ['Urgent', 'High', 'Medium', 'Low', 'No Priority'])
    await page.getByRole('button', { name: /^View: / }).click()
    await page.getByRole('menuitem', { name: 'Save changes to By label' }).click()
    const stored = async () =>
      (await app.http('GET', `/api/v1/views/${view_id}`)).body.data.display.group
    await expectEventually(stored, 'priority')
    // The server may have the change before the app has its answer.
    await page.getByText('Saved changes to By label').waitFor()
    await page.keyboard.press('Control+z')
    await expectEventually(stored, 'label')
    expect(problems).toEqual([])
  })

  test('an archived board is a table that nobody can edit', async () => {
    const { page, project_id, problems, go } = await openTable(app, 'Archived')
    await app.http('POST', `/api/v1/projects/${project_id}/archive`, { body: {} })
    await go(`/projects/${project_id}?layout=list`)
    await cellOf(page, 'Prune the roses', 'priority').dblclick()
    await page.keyboard.press('Delete')
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect((await storedCard(app, project_id, 'Prune the roses')).priority).toBe(1)
    expect(problems).toEqual([])
  })
})
