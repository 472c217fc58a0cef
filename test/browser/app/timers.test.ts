import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { pressSequence } from './keys.ts'

describe.skipIf(isBrowserSkipped)('timers', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    await app.createTask({ title: 'Paint the fence', assignee_ids: [app.user_id] })
    await app.createTask({ title: 'Mend the roof' })
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())

  const timers = () => page.getByRole('region', { name: 'Your timers' })
  const fetchRunning = async () =>
    (await app.http('GET', '/api/v1/time/running')).body.data.map(
      ({ ticket_number, state }: { ticket_number: string; state: string }) => [
        ...[ticket_number, state],
      ],
    )
  const fetchEntries = async () =>
    (await app.http('GET', '/api/v1/time?running=false')).body.data.map(
      ({ minutes, note, state }: { minutes: number; note: string; state: string }) => [
        ...[state, minutes, note],
      ],
    )

  test('are started with i on the board, and are shown on every screen', async () => {
    await ada.go(`/projects/${app.project_id}`)
    await page.getByRole('button', { name: 'Paint the fence' }).waitFor()
    expect(await timers().count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('i')
    await timers().getByText('HOM-1').waitFor()
    await expectEventually(fetchRunning, [['HOM-1', 'running']])
    const initialTime = await timers().locator('.running-clock').textContent()
    await page.waitForFunction(
      (was) => document.querySelector('.timers .running-clock')?.textContent !== was,
      initialTime,
    )
    await expectEventually(() => page.title(), '0 min HOM-1 · Home · Corkboard')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await pressSequence(page, 'g', 'm')
    await page.getByRole('heading', { name: 'My Tasks' }).waitFor()
    await timers().getByText('HOM-1').waitFor()
    await expectEventually(() => page.title(), '0 min HOM-1 · My Tasks · Corkboard')
  })

  test('are paused and resumed from the sidebar, and another tab follows', async () => {
    const other = await ada.context.newPage()
    await other.goto(`${app.url}/my`)
    const otherTimers = other.getByRole('region', { name: 'Your timers' })
    await otherTimers.getByRole('button', { name: 'Pause HOM-1' }).waitFor()
    await timers().getByRole('button', { name: 'Pause HOM-1' }).click()
    await otherTimers.getByRole('button', { name: 'Resume HOM-1' }).waitFor()
    await expectEventually(fetchRunning, [['HOM-1', 'paused']])
    expect(await page.title()).toBe('My Tasks · Corkboard')
    await otherTimers.getByRole('button', { name: 'Resume HOM-1' }).click()
    await timers().getByRole('button', { name: 'Pause HOM-1' }).waitFor()
    await expectEventually(fetchRunning, [['HOM-1', 'running']])
    await other.close()
  })

  test('follow changes made over the API, and leave out the timer of an agent', async () => {
    const agent = await app.connectAgent('Scout')
    await agent.callTool('svc_time', 'start', { task_identifier: 'HOM-2' })
    await app.http('POST', '/api/v1/tasks/HOM-1/timer/pause')
    await timers().getByRole('button', { name: 'Resume HOM-1' }).waitFor()
    expect(await timers().getByText('HOM-2').count()).toBe(0)
    await app.http('POST', '/api/v1/tasks/HOM-1/timer/resume')
    await timers().getByRole('button', { name: 'Pause HOM-1' }).waitFor()
  })

  test('are stopped with a note, by key or from the palette, and keep an unsaved note', async () => {
    await ada.go('/t/HOM-1')
    await timers().getByText('HOM-1').waitFor()
    await page.keyboard.press('i')
    const dialog = page.getByRole('dialog', { name: 'Stop the timer of HOM-1' })
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Note')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.type('First')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await fetchRunning()).toEqual([['HOM-1', 'running']])
    await page.keyboard.press('Control+k')
    await page.keyboard.type('stop the timer of')
    await page.getByRole('option', { name: 'Stop the timer of HOM-1' }).click()
    // The note is kept until the timer is stopped.
    expect(await dialog.getByLabel('Note').inputValue()).toBe('First')
    await dialog.getByLabel('Note').fill('First coat')
    await page.keyboard.press('Enter')
    await page.getByText(/^Stopped: .* on HOM-1/).waitFor()
    await timers().waitFor({ state: 'detached' })
    expect(await fetchRunning()).toEqual([])
    expect(await fetchEntries()).toEqual([['stopped', 0, 'First coat']])
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
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(await fetchEntries()).toContainEqual(['logged', 90, 'Second coat'])
    await panel.getByRole('button', { name: 'Edit 1 h 30 min' }).click()
    const editor = panel.locator('.editing')
    await editor.getByLabel('Time', { exact: true }).fill('2h')
    await editor.getByRole('button', { name: 'Save' }).click()
    await panel.getByRole('button', { name: 'Edit 2 h' }).waitFor()
    await expectEventually(async () => (await fetchEntries())[0], ['logged', 120, 'Second coat'])
    await panel.getByRole('button', { name: 'Delete 2 h' }).click()
    await panel.getByText('Second coat').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await panel.getByText('Second coat').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Time: 2 h' }).waitFor()
  })

  test('are started on a phone, where undo removes the started timer', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true })
    await phone.go('/t/HOM-2')
    await phone.page.getByRole('button', { name: 'Start the timer' }).tap()
    const bar = phone.page.locator('.top-bar').getByRole('region', { name: 'Your timers' })
    await bar.getByRole('button', { name: 'Stop HOM-2' }).waitFor()
    await timers().getByText('HOM-2').waitFor()
    expect(await accessibilityIssues(phone.page)).toEqual([])
    const entryCount = (await fetchEntries()).length
    await phone.page.getByRole('button', { name: /^Undo/ }).tap()
    await bar.waitFor({ state: 'detached' })
    await expectEventually(fetchRunning, [])
    await expectEventually(async () => (await fetchEntries()).length, entryCount)
    await timers().waitFor({ state: 'detached' })
    expect(phone.problems).toEqual([])
    expect(ada.problems).toEqual([])
  })
})
