import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'
import { waitForToast } from './toasts.ts'

const personRow = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

describe.skipIf(isBrowserSkipped)('the settings of a team', () => {
  let app: WebApp
  let ada: BrowserSession
  let kim: Awaited<ReturnType<typeof addColleague>>
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    kim = await addColleague(app, 'Kim')
    ada = await app.openSession({ ignoredMessages: /status of 409/ })
    page = ada.page
    await ada.go('/settings/team')
  })
  afterAll(() => app?.close())

  const fetchMembers = async () =>
    (await app.http('GET', `/api/v1/teams/${app.team_id}/members?kind=person`)).body.data
  const roleOf = async (name: string) =>
    (await fetchMembers()).find((one: { name: string }) => one.name === name)?.role
  const fetchInvitations = async (state = 'open') =>
    (await app.http('GET', `/api/v1/teams/${app.team_id}/invitations?state=${state}`)).body.data

  test('the name of the team is changed, and undo restores it', async () => {
    await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old harbour')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Old harbour', level: 1 }).waitFor()
    const name = async () => (await app.http('GET', '/api/v1/teams')).body.data[0].name
    expect(await name()).toBe('Old harbour')
    await page.getByLabel('What happened').getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('heading', { name: 'Harbour', level: 1, exact: true }).waitFor()
    expect(await name()).toBe('Harbour')
  })

  test('a role is changed at once and restored by undo; the last owner cannot be changed', async () => {
    const role = page.getByRole('combobox', { name: 'Role of Kim' })
    await role.selectOption('Admin')
    await waitForToast(page, 'Kim: Admin')
    expect(await roleOf('Kim')).toBe('admin')
    await page.getByLabel('What happened').getByRole('button', { name: /^Undo/ }).last().click()
    await page.waitForFunction(
      (name) =>
        document.querySelector<HTMLSelectElement>(`[aria-label="${name}"]`)?.value === 'member',
      'Role of Kim',
    )
    // The page shows the previous role before the server has saved it.
    for (let tries = 0; tries < 100 && (await roleOf('Kim')) !== 'member'; tries++)
      await Bun.sleep(20)
    expect(await roleOf('Kim')).toBe('member')
    expect(await page.getByRole('combobox', { name: 'Role of Ada' }).isDisabled()).toBe(true)
    expect(
      await personRow(page, 'Ada')
        .getByRole('button', { name: /^Remove/ })
        .count(),
    ).toBe(0)
  })

  test('a guest is invited by a link shown once, joins, and sees no emails or team actions', async () => {
    await page.getByLabel('Email').fill('lee@example.com')
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Guest')
    const board = page.getByRole('combobox', { name: 'Board', exact: true })
    await board.selectOption('Home')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('Email is not set up on this server').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy Link for lee@example.com' }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toStartWith(`${app.url}/invitations/`)
    await personRow(page, 'lee@example.com')
      .getByText(/^Guest, to Home, invited by Ada/)
      .waitFor()
    await page.getByRole('button', { name: 'Invite somebody else' }).click()
    expect(await page.getByText(link).count()).toBe(0)
    const lee = await app.openSession({ signedOut: true })
    await lee.page.goto(link)
    await lee.page.getByLabel('Your name').fill('Lee')
    await lee.page.getByLabel('Password').fill('correct horse battery')
    await lee.page.keyboard.press('Enter')
    await personRow(page, 'lee@example.com')
      .getByRole('combobox', { name: 'Role of Lee' })
      .waitFor()
    await page.getByText('No open invitations.').waitFor()
    await lee.page.goto(`${app.url}/settings/team`)
    await lee.page.getByText('You are a guest here.').waitFor()
    await personRow(lee.page, 'Kim').waitFor()
    expect(await lee.page.getByText('kim@example.com').count()).toBe(0)
    expect(await lee.page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0)
    expect(await lee.page.getByRole('button', { name: 'Create team' }).count()).toBe(0)
    await lee.page.getByRole('link', { name: 'My Tasks' }).waitFor()
    expect(await lee.page.getByRole('link', { name: 'New board' }).count()).toBe(0)
    expect(await lee.page.getByRole('link', { name: /^Connect / }).count()).toBe(0)
    expect(await accessibilityIssues(lee.page)).toEqual([])
    expect(lee.problems).toEqual([])
    await lee.context.close()
  })

  test('inviting a member again is refused with the reason of the server', async () => {
    await page.getByLabel('Email').fill('kim@example.com')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/is already in this team/)
      .waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('kim@example.com')
  })

  test('revoking an invitation can be undone before it is sent', async () => {
    await page.getByLabel('Email').fill('max@example.com')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const revoke = page.getByRole('button', { name: 'Revoke the invitation for max@example.com' })
    await revoke.click()
    await revoke.waitFor({ state: 'detached' })
    await page.getByLabel('What happened').getByRole('button', { name: /^Undo/ }).last().click()
    await revoke.click()
    await revoke.waitFor({ state: 'detached' })
    expect((await fetchInvitations()).length).toBe(1)
    // Leaving the page sends the revocation at once.
    await ada.go('/my')
    await ada.go('/settings/team')
    await page.getByText('No open invitations.').waitFor()
    expect((await fetchInvitations('revoked')).map((one: { email: string }) => one.email)).toEqual([
      'max@example.com',
    ])
  })

  test('a default board is saved, and Corkboard opens it at /', async () => {
    const body = { team_id: app.team_id, title: 'Garden', sections: [{ title: 'To do' }] }
    const response = await app.http('POST', '/api/v1/projects', { body })
    const board = page.getByRole('combobox', { name: 'Your default board' })
    await board.selectOption('Garden')
    await waitForToast(page, 'Changed your default board to Garden')
    await ada.go('/')
    await page.waitForURL(`**/projects/${response.body.data.project_id}`)
    await ada.go('/settings/team')
    // Its options are loaded after the page.
    await expectEventually(
      () => board.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text),
      'Garden',
    )
  })

  test('the table of roles shows who may invite people and work on tasks', async () => {
    const table = page.getByRole('table')
    const invite = table.getByRole('row').filter({ hasText: 'Invite people' })
    expect(await invite.getByRole('img', { name: 'Yes' }).count()).toBe(2)
    const work = table.getByRole('row').filter({ hasText: 'Work on tasks' })
    expect(await work.getByRole('img', { name: 'Yes' }).count()).toBe(4)
  })

  test('a second team is created and selected, and its only owner cannot leave it', async () => {
    await page.getByLabel('Name of the new team').fill('Lifeboat')
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { name: 'Lifeboat', level: 1 }).waitFor()
    await page.waitForURL(/\/settings\/team\/\d+$/)
    await page
      .getByRole('navigation', { name: 'Your teams' })
      .getByRole('link', { name: 'Harbour' })
      .click()
    await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor()
    await personRow(page, 'Kim').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Leave Lifeboat…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave Lifeboat?' })
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Leave Lifeboat' }).click()
    // The server refuses, because a team needs an owner.
    await waitForToast(page, /only owner of the team/)
    expect((await app.http('GET', '/api/v1/teams')).body.data.length).toBe(2)
  })

  test('a removed member loses access live, and giving up the owner role asks first', async () => {
    await ada.go(`/settings/team/${app.team_id}`)
    await page.getByRole('combobox', { name: 'Role of Kim' }).selectOption('Owner')
    await waitForToast(page, 'Kim: Owner')
    await page.getByRole('combobox', { name: 'Role of Ada' }).selectOption('Admin')
    await page.getByRole('dialog', { name: 'Become an admin?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await roleOf('Ada')).toBe('owner')
    await kim.page.goto(`${app.url}/settings/team`)
    await kim.page.getByText('You are an owner here.').waitFor()
    await page.getByRole('button', { name: 'Remove Kim' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Kim' }).click()
    await waitForToast(page, 'Removed Kim')
    await kim.page.getByText('You are not in any team').waitFor()
    expect(await roleOf('Kim')).toBeUndefined()
    expect(await page.getByRole('combobox', { name: 'Role of Kim' }).count()).toBe(0)
  })

  test('are accessible on a phone, and log no errors', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true, theme: 'dark' })
    await phone.go('/settings/team')
    await phone.page.getByRole('combobox', { name: 'Role of Lee' }).waitFor()
    expect(await accessibilityIssues(phone.page)).toEqual([])
    expect(phone.problems).toEqual([])
    expect(ada.problems).toEqual([])
  })
})
