import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'
import { becomes } from './boards.ts'

describe.skipIf(noBrowser)('timers', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  beforeAll(async () => {
    desk = await openDesk()
    await desk.create({ title: 'Paint the fence', assignee_ids: [desk.user_id] })
    await desk.create({ title: 'Mend the roof' })
    ada = await desk.sit()
    page = ada.page
  }, 60_000)
  afterAll(() => desk?.leave())

  const timers = () => page.getByRole('region', { name: 'Your timers' })
  const running = async () =>
    (await desk.http('GET', '/api/v1/time/running')).body.data.map(
      ({ ticket_number, state }: { ticket_number: string; state: string }) => [
        ...[ticket_number, state],
      ],
    )
  const entries = async () =>
    (await desk.http('GET', '/api/v1/time?running=false')).body.data.map(
      ({ minutes, note, state }: { minutes: number; note: string; state: string }) => [
        ...[state, minutes, note],
      ],
    )

  test('are started with i on the board, and are shown on every screen', async () => {
    await ada.go(`/projects/${desk.project_id}`)
    await page.getByRole('button', { name: 'Paint the fence' }).waitFor()
    expect(await timers().count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('i')
    await timers().getByText('HOM-1').waitFor()
    await becomes(running, [['HOM-1', 'running']])
    const first = await timers().locator('.ticking').textContent()
    await page.waitForFunction(
      (was) => document.querySelector('.timers .ticking')?.textContent !== was,
      first,
    )
    await becomes(() => page.title(), '0 min HOM-1 · Home · Corkboard')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.getByRole('heading', { name: 'My Tasks' }).waitFor()
    await timers().getByText('HOM-1').waitFor()
    await becomes(() => page.title(), '0 min HOM-1 · My Tasks · Corkboard')
  })

  test('are paused and resumed from the sidebar, and another tab follows', async () => {
    const other = await ada.context.newPage()
    await other.goto(`${desk.url}/my`)
    const there = other.getByRole('region', { name: 'Your timers' })
    await there.getByRole('button', { name: 'Pause HOM-1' }).waitFor()
    await timers().getByRole('button', { name: 'Pause HOM-1' }).click()
    await there.getByRole('button', { name: 'Resume HOM-1' }).waitFor()
    await becomes(running, [['HOM-1', 'paused']])
    expect(await page.title()).toBe('My Tasks · Corkboard')
    await there.getByRole('button', { name: 'Resume HOM-1' }).click()
    await timers().getByRole('button', { name: 'Pause HOM-1' }).waitFor()
    await becomes(running, [['HOM-1', 'running']])
    await other.close()
  })

  test('follow changes made over the API, and leave out the timer of an agent', async () => {
    const agent = await desk.hire('Scout')
    await agent.tool('svc_time', 'start', { task_identifier: 'HOM-2' })
    await desk.http('POST', '/api/v1/tasks/HOM-1/timer/pause')
    await timers().getByRole('button', { name: 'Resume HOM-1' }).waitFor()
    expect(await timers().getByText('HOM-2').count()).toBe(0)
    await desk.http('POST', '/api/v1/tasks/HOM-1/timer/resume')
    await timers().getByRole('button', { name: 'Pause HOM-1' }).waitFor()
  })

  test('are stopped with a note, by key or from the palette, and keep an unsaved note', async () => {
    await ada.go('/t/HOM-1')
    await timers().getByText('HOM-1').waitFor()
    await page.keyboard.press('i')
    const asked = page.getByRole('dialog', { name: 'Stop the timer of HOM-1' })
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Note')
    expect(await faults(page)).toEqual([])
    await page.keyboard.type('First')
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    expect(await running()).toEqual([['HOM-1', 'running']])
    await page.keyboard.press('Control+k')
    await page.keyboard.type('stop the timer of')
    await page.getByRole('option', { name: 'Stop the timer of HOM-1' }).click()
    // The note is kept until the timer is stopped.
    expect(await asked.getByLabel('Note').inputValue()).toBe('First')
    await asked.getByLabel('Note').fill('First coat')
    await page.keyboard.press('Enter')
    await page.getByText(/^Stopped: .* on HOM-1/).waitFor()
    await timers().waitFor({ state: 'detached' })
    expect(await running()).toEqual([])
    expect(await entries()).toEqual([['stopped', 0, 'First coat']])
  })

  test('time is logged, edited and deleted, and undo restores a deleted entry', async () => {
    const time = page.getByRole('button', { name: /^Time: / })
    await time.click()
    const panel = page.getByRole('dialog', { name: 'Time on HOM-1' })
    await panel.getByText('First coat').waitFor()
    await panel.getByLabel('Time', { exact: true }).fill('a while')
    await panel.getByRole('button', { name: 'Log time' }).click()
    await panel.getByText('Enter a time such as 1h 30m').waitFor()
    await panel.getByLabel('Time', { exact: true }).fill('1h 30m')
    await panel.getByLabel('Note').fill('Second coat')
    await page.keyboard.press('Enter')
    await panel.getByText('1 h 30 min').first().waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(await entries()).toContainEqual(['logged', 90, 'Second coat'])
    await panel.getByRole('button', { name: 'Edit 1 h 30 min' }).click()
    const line = panel.locator('.editing')
    await line.getByLabel('Time', { exact: true }).fill('2h')
    await line.getByRole('button', { name: 'Save' }).click()
    await panel.getByRole('button', { name: 'Edit 2 h' }).waitFor()
    await becomes(async () => (await entries())[0], ['logged', 120, 'Second coat'])
    await panel.getByRole('button', { name: 'Delete 2 h' }).click()
    await panel.getByText('Second coat').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await panel.getByText('Second coat').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Time: 2 h' }).waitFor()
  })

  test('are started on a phone, where undo removes the started timer', async () => {
    const phone = await desk.sit({ width: 390, height: 844, touch: true })
    await phone.go('/t/HOM-2')
    await phone.page.getByRole('button', { name: 'Start the timer' }).tap()
    const bar = phone.page.locator('.top-bar').getByRole('region', { name: 'Your timers' })
    await bar.getByRole('button', { name: 'Stop HOM-2' }).waitFor()
    await timers().getByText('HOM-2').waitFor()
    expect(await faults(phone.page)).toEqual([])
    const held = (await entries()).length
    await phone.page.getByRole('button', { name: /^Undo/ }).tap()
    await bar.waitFor({ state: 'detached' })
    await becomes(running, [])
    await becomes(async () => (await entries()).length, held)
    await timers().waitFor({ state: 'detached' })
    expect(phone.complaints).toEqual([])
    expect(ada.complaints).toEqual([])
  })
})
