import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'

describe.skipIf(noBrowser)('the web app', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('opens the board that one comes home to, and asks nobody else for anything', async () => {
    const { page, complaints, go } = await desk.sit()
    await desk.create({ title: 'Write the invitation' })
    await go('/')
    await page.getByText('Write the invitation').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/projects/${desk.project_id}`)
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
