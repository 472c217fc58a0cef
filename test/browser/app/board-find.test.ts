import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import { GARDEN as ALL, becomes, cardOf, makeGarden, taskOf, titles, titlesIn } from './boards.ts'

describe.skipIf(noBrowser)('filters, views and the list of a board', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const garden = (title: string) => makeGarden(desk, title)

  test('filters narrow the cards, are kept in the URL, and are removed one by one or by Back', async () => {
    const { project_id } = await garden('Filters')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await becomes(titles(page), ALL)
    await page.keyboard.press('f')
    const filters = page.getByRole('dialog', { name: 'Filter' })
    await filters.getByRole('button', { name: 'garden' }).click()
    await becomes(titles(page), ['Prune the roses', 'Paint the fence'])
    expect(await faults(page)).toEqual([])
    await filters
      .getByRole('group', { name: 'Size' })
      .getByRole('button', { name: 'L', exact: true })
      .click()
    await becomes(titles(page), ['Paint the fence'])
    await filters.getByRole('textbox').fill('nothing like it')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await filters.getByRole('textbox').fill('fence')
    await page.keyboard.press('Enter')
    await becomes(titles(page), ['Paint the fence'])
    expect(new URL(page.url()).search).toContain('q=fence')
    await page.reload()
    await becomes(titles(page), ['Paint the fence'])
    const chips = page.getByRole('region', { name: 'Filter' })
    await chips.getByText('3 hidden').waitFor()
    await chips.getByRole('button', { name: 'Remove filter: Text' }).click()
    await chips.getByRole('button', { name: 'Remove filter: Size' }).click()
    await becomes(titles(page), ['Prune the roses', 'Paint the fence'])
    await page.goBack()
    await becomes(titles(page), ALL)
    expect(complaints).toEqual([])
  })

  test('a task added while a priority filter is active gets that priority', async () => {
    const { project_id } = await garden('Under')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?priority=1&size=3`)
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await go(`/projects/${project_id}?priority=1`)
    await page.getByRole('button', { name: 'Add a task to Doing' }).click()
    await page.keyboard.type('Call the gardener')
    await page.keyboard.press('Enter')
    await becomes(() => titlesIn(page, 'Doing'), ['Call the gardener'])
    await cardOf(page, 'Call the gardener').getByText('UND-5').waitFor()
    expect((await taskOf(desk, 'UND-5')).priority).toBe(1)
    expect(await titlesIn(page, 'Next')).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a filter is saved as a view, renamed, used as the default, changed and deleted', async () => {
    const { project_id } = await garden('Views')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?label=&is=free&priority=1,3`)
    await becomes(titles(page), ['Prune the roses', 'Paint the fence'])
    const menu = async (view: string, item: string) => {
      await page.getByRole('button', { name: `View: ${view}` }).click()
      await page.locator('[role^=menuitem]', { hasText: item }).first().click()
    }
    await menu('All tasks', 'Save as a view…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('What matters')
    expect(await faults(page)).toEqual([])
    await dialog.getByLabel('Visible to everyone on the board').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'View: What matters' }).waitFor()
    await becomes(titles(page), ['Prune the roses', 'Paint the fence'])
    const saved = async () =>
      (await desk.http('GET', `/api/v1/views?project_id=${project_id}`)).body.data
    const [view] = await saved()
    expect(view).toMatchObject({ title: 'What matters', visibility: 'Private' })
    expect(new URL(page.url()).searchParams.get('view')).toBe(view.view_id)

    await menu('What matters', 'Edit view…')
    await dialog.getByLabel('Name').fill('Urgent')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await menu('Urgent', 'Use as default')
    await page.getByText('The default view is Urgent').waitFor()
    await go(`/projects/${project_id}`)
    await becomes(titles(page), ['Prune the roses', 'Paint the fence'])

    await page.getByRole('button', { name: 'Remove filter: Priority' }).click()
    await becomes(titles(page), ALL)
    await menu('Urgent', 'Save changes to Urgent')
    await page.getByText('Saved changes to Urgent').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await becomes(titles(page), ['Prune the roses', 'Paint the fence'])

    await menu('Urgent', 'Delete view')
    await becomes(titles(page), ALL)
    await page.getByRole('button', { name: 'View: All tasks' }).waitFor()
    await becomes(saved, [])
    expect(complaints).toEqual([])
  })

  test('the list sorts by priority, hides completed tasks, and moves a task by keys', async () => {
    const { project_id } = await garden('List')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await becomes(titles(page), ALL)
    const show = async (item: string) => {
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      const own = { name: item, exact: true }
      const entry = page.getByRole('menuitem', own).or(page.getByRole('menuitemcheckbox', own))
      await entry.click()
    }
    await show('Show as a list')
    await page.locator('.lines').waitFor()
    await becomes(titles(page), ALL)
    expect(await faults(page)).toEqual([])
    await show('Sort: Priority')
    await show('Sort descending')
    await becomes(titles(page), [
      'Paint the fence',
      'Prune the roses',
      'Fix the tap',
      'Order tiles',
    ])
    expect(new URL(page.url()).search).toBe('?layout=list&sort=-Priority')
    await show('Hide completed')
    await becomes(titles(page), ['Paint the fence', 'Prune the roses', 'Fix the tap'])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowRight')
    await show('Show as a board')
    await becomes(() => titlesIn(page, 'Doing'), ['Fix the tap'])
    await page.goBack()
    await page.locator('.lines').waitFor()
    expect(complaints).toEqual([])
  })
})
