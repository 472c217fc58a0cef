import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults } from '../faults.ts'

describe.skipIf(noBrowser)('selected notifications', () => {
  let desk: Desk
  let ada: Person
  beforeAll(async () => {
    desk = await openDesk()
    const bot = await desk.hire('Scout')
    for (const title of ['Paint the fence', 'Mend the gate']) {
      const { task_id } = await desk.create({ title })
      await bot.tool('svc_comments', 'add', {
        ...{ task_id, text: '<p>@Ada look</p>' },
        mentions: [{ user_id: desk.user_id, display_name: 'Ada' }],
      })
    }
    ada = await desk.sit()
  }, 60_000)
  afterAll(() => desk?.leave())

  const inbox = async () => (await desk.http('GET', '/api/v1/notifications')).body.data

  test('are snoozed together with s, and undo brings them back', async () => {
    const { page } = ada
    await ada.go('/inbox')
    await page.getByRole('article').nth(1).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('s')
    await page.getByRole('button', { name: /^Tomorrow/ }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await page.getByText(/^Snoozed 2 tasks until Tomorrow/).waitFor()
    await page.getByRole('article').first().waitFor({ state: 'detached' })
    expect(await inbox()).toEqual([])
    await page.keyboard.press('Control+z')
    await page.getByRole('article').nth(1).waitFor()
    expect((await inbox()).length).toBe(2)
    expect(ada.complaints).toEqual([])
  })
})
