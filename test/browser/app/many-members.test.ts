import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

/** More than one page of a list. */
const MANY = 57

describe.skipIf(isBrowserSkipped)('a board with many members and labels', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    for (let nth = 1; nth <= MANY; nth++) await app.createAgent({ name: `Zebra ${nth}` })
    for (let nth = 1; nth <= MANY; nth++) {
      const { project_id } = app
      const body = { name: `area ${String(nth).padStart(2, '0')}` }
      await app.http('POST', `/api/v1/projects/${project_id}/labels`, { body })
    }
  })
  afterAll(() => app?.close())

  test('every member can be assigned, and every label can be selected', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Feed the zebras' })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    for (const [key, list, name] of [
      ['a', 'Assignees', `Zebra ${MANY}`],
      ['l', 'Labels', `area ${MANY}`],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('combobox', { name: list, exact: true }).fill(name)
      await page.getByRole('option', { name }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.locator('.popup').waitFor({ state: 'detached' })
    }
    await waitUntil(async () => {
      const { data } = (await app.http('GET', `/api/v1/tasks/${task_id}`)).body
      const names = [data.assignees[0]?.name, data.labels[0]?.name]
      return Bun.deepEquals(names, [`Zebra ${MANY}`, `area ${MANY}`])
    })
    expect(problems).toEqual([])
  })

  test('the board settings list all members and find one by name', async () => {
    const { page, problems, go } = await app.openSession()
    await go(`/settings/board/${app.project_id}?of=members`)
    const list = page.getByRole('list', { name: 'Board members' })
    await list.getByText(`Zebra ${MANY}`, { exact: true }).waitFor()
    expect(await list.getByRole('listitem').count()).toBeGreaterThan(MANY)
    await page.getByRole('textbox', { name: 'Find a member' }).fill('zebra 41')
    await list.getByText('Zebra 7', { exact: true }).waitFor({ state: 'detached' })
    await expectEventually(() => list.getByRole('listitem').count(), 1)
    expect(await list.textContent()).toContain('Zebra 41')
    expect(problems).toEqual([])
  })
})
