import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'

/** More than one page of a list. */
const MANY = 57

describe.skipIf(noBrowser)('a board with many members and labels', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
    for (let nth = 1; nth <= MANY; nth++) await desk.agent({ name: `Zebra ${nth}` })
    for (let nth = 1; nth <= MANY; nth++) {
      const { project_id } = desk
      const body = { name: `area ${String(nth).padStart(2, '0')}` }
      await desk.http('POST', `/api/v1/projects/${project_id}/labels`, { body })
    }
  }, 60_000)
  afterAll(() => desk?.leave())

  test('every member can be assigned, and every label can be selected', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Feed the zebras' })
    const { page, complaints, go } = await desk.sit()
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
    await soon(async () => {
      const { data } = (await desk.http('GET', `/api/v1/tasks/${task_id}`)).body
      const names = [data.assignees[0]?.name, data.labels[0]?.name]
      return Bun.deepEquals(names, [`Zebra ${MANY}`, `area ${MANY}`])
    })
    expect(complaints).toEqual([])
  })

  test('the board settings list all members and find one by name', async () => {
    const { page, complaints, go } = await desk.sit()
    await go(`/settings/board/${desk.project_id}?of=members`)
    const list = page.getByRole('list', { name: 'Board members' })
    await list.getByText(`Zebra ${MANY}`, { exact: true }).waitFor()
    expect(await list.getByRole('listitem').count()).toBeGreaterThan(MANY)
    await page.getByRole('textbox', { name: 'Find a member' }).fill('zebra 41')
    await list.getByText('Zebra 7', { exact: true }).waitFor({ state: 'detached' })
    expect(await list.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('Zebra 41'),
    ])
    expect(complaints).toEqual([])
  })
})
