import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { connectClient } from '../../binary/agent-client.ts'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { copyConfiguration, mcpServerConfig, waitForConnection } from './agent-dialog.ts'
import { waitForToast } from './toasts.ts'

const row = (page: Page, name: string) =>
  page.locator('[data-agent]').filter({ has: page.getByRole('link', { name, exact: true }) })

describe.skipIf(isBrowserSkipped)('the agents of a team', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())

  const fetchAgents = async (state = 'active') =>
    (await app.http('GET', `/api/v1/agents?team_id=${app.team_id}&state=${state}`)).body.data
  const fetchAgent = async (name: string, state?: string) =>
    (await fetchAgents(state)).find((one: { name: string }) => one.name === name)
  const chooseFromMenu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More about ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('an empty list says so and opens the dialog to connect an agent', async () => {
    await ada.go('/agents')
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Connect your agent' }).click()
    await page.getByRole('dialog', { name: 'Connect your agent' }).waitFor()
    await page.keyboard.press('Escape')
  })

  let token = ''
  test('a new agent gets the chosen scopes and boards, and its token is shown once', async () => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Read and write/ }).waitFor()
    expect(await dialog.getByRole('radio', { name: /^Read and write/ }).isChecked()).toBe(true)
    expect(await accessibilityIssues(page)).toEqual([])
    // The name field has the focus.
    await page.keyboard.type('Scout')
    await dialog.getByText('Scopes').click()
    await dialog.getByRole('checkbox', { name: /^Write pages/ }).uncheck()
    await dialog.getByText('Scopes: 7 selected').waitFor()
    await dialog.getByRole('radio', { name: 'Only these boards' }).check()
    expect(await dialog.getByRole('checkbox', { name: 'Home' }).isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('dialog', { name: 'Connect Scout' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page
      .getByRole('alert')
      .getByText(/was not copied and will not be shown/)
      .waitFor()
    ;[, token] = /Bearer (\S+)"/.exec(await copyConfiguration(page, 'Claude Code'))! as unknown as [
      0,
      string,
    ]
    const agent = await fetchAgent('Scout')
    expect(agent.scopes).not.toContain('pages:write')
    expect(agent.scopes).toContain('tasks:write')
    expect(agent.project_ids).toEqual([app.project_id])
  })

  test('a connected agent is listed as online, with its claimed task and its run', async () => {
    const { ticket_number, task_id } = await app.createTask({ title: 'Look for the lamp' })
    const agent = await connectClient(mcpServerConfig(app.url, token))
    await agent.callTool('svc_user_context', 'hello')
    await waitForConnection(page, 'Scout')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Scout', level: 1 }).waitFor()
    await ada.go('/agents')
    await row(page, 'Scout').getByText('Online').waitFor()
    expect(await row(page, 'Scout').getByText('Look for the lamp').count()).toBe(0)
    const start = performance.now()
    const { lease_id } = (
      await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number, ttl: 60_000 })
    ).data
    await row(page, 'Scout').getByText('Look for the lamp').waitFor()
    expect(performance.now() - start).toBeLessThan(10_000)
    const timeLeft = row(page, 'Scout').locator('time')
    const initialTimeLeft = await timeLeft.textContent()
    expect(initialTimeLeft).toMatch(/^(0:5\d|1:00) left$/)
    await waitUntil(async () =>
      (await timeLeft.textContent()) === initialTimeLeft ? undefined : true,
    )
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const run = (await agent.rest('POST', `/api/v1/tasks/${task_id}/runs`, {})).data
    const name = new RegExp(`^Running\\s+run ${run.run_id}$`)
    await row(page, 'Scout').getByRole('link', { name }).waitFor()
    await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id })
    await timeLeft.waitFor({ state: 'detached' })
    await agent.close()
  })

  test('the page of an agent shows runs, evidence and escalations, and resolves an escalation', async () => {
    const agent = await connectClient(mcpServerConfig(app.url, token))
    const { ticket_number, task_id } = await app.createTask({ title: 'Mend the gate' })
    await page.getByRole('link', { name: 'Scout', exact: true }).first().click()
    const profile = page.getByRole('region', { name: 'Profile' })
    await profile.getByText('Has a credential').waitFor()
    await profile.getByText('Home').waitFor()
    expect(await page.getByRole('region', { name: 'Escalations' }).count()).toBe(0)
    await agent.rest('POST', `/api/v1/tasks/${task_id}/runs`, {})
    await page.getByRole('region', { name: 'Runs' }).getByText('Mend the gate').waitFor()
    const evidence = { kind: 'note', summary: 'The hinge is bent' }
    await agent.rest('POST', `/api/v1/tasks/${task_id}/evidence`, evidence)
    await page.getByRole('region', { name: 'Evidence' }).getByText('The hinge is bent').waitFor()
    const reason = { reason: 'The shop is closed' }
    await agent.rest('POST', `/api/v1/tasks/${task_id}/escalations`, reason)
    const escalation = page.getByRole('form', { name: `Escalation on ${ticket_number}` })
    await escalation.getByText('The shop is closed').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await escalation.getByLabel('Resolution note').fill('Open from Monday')
    await escalation.getByRole('button', { name: 'Resolve' }).click()
    await escalation.waitFor({ state: 'detached' })
    await waitForToast(page, /^Resolved the escalation/)
    const { data } = (await app.http('GET', `/api/v1/tasks/${task_id}/escalations`)).body
    expect(data).toMatchObject([{ state: 'resolved', note: 'Open from Monday' }])
    await agent.close()
  })

  test('rotating the token revokes the old one at once, and the new one works', async () => {
    await chooseFromMenu('Scout', 'New token…')
    await page
      .getByRole('dialog')
      .getByText(/is revoked at once/)
      .waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Connect Scout' }).waitFor()
    const [, newToken] = /Bearer (\S+)"/.exec(await copyConfiguration(page, 'Claude Code'))!
    await page.keyboard.press('Escape')
    const requestHello = (secret: string) => app.http('GET', '/api/v1/user/hello', { secret })
    expect((await requestHello(token)).status).toBe(401)
    expect((await requestHello(newToken!)).status).toBe(200)
    token = newToken!
  })

  test('an edited name, scopes and boards apply to the next request', async () => {
    await chooseFromMenu('Scout', 'Edit…')
    const dialog = page.getByRole('dialog', { name: 'Edit Scout' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Pathfinder')
    await dialog.getByRole('radio', { name: /^Read only/ }).check()
    await dialog.getByRole('radio', { name: /^All boards that its owner/ }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Pathfinder', level: 1 }).waitFor()
    const agent = await fetchAgent('Pathfinder')
    expect(agent.project_ids).toBeNull()
    expect(agent.scopes).not.toContain('tasks:write')
    const { status } = await app.http('POST', '/api/v1/tasks', {
      ...{ body: { project_id: app.project_id, title: 'No' }, secret: token },
    })
    expect(status).toBe(403)
  })

  test('the token of an agent that is switched off is refused, and undo switches it on again', async () => {
    await chooseFromMenu('Pathfinder', 'Switch off')
    await page.getByText('Switched off', { exact: true }).first().waitFor()
    const hello = () => app.http('GET', '/api/v1/user/hello', { secret: token })
    expect((await hello()).status).not.toBe(200)
    await page.keyboard.press('Control+z')
    await waitForToast(page, 'Switched on Pathfinder')
    expect((await hello()).status).toBe(200)
  })

  test('an agent without a token gets a new one when switched on; an archived one leaves the list', async () => {
    await chooseFromMenu('Pathfinder', 'Revoke token…')
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('Has no credential').waitFor()
    expect((await app.http('GET', '/api/v1/user/hello', { secret: token })).status).toBe(401)
    await chooseFromMenu('Pathfinder', 'Switch on')
    await page.getByRole('dialog', { name: 'Connect Pathfinder' }).waitFor()
    await copyConfiguration(page, 'Claude Code')
    await page.getByRole('button', { name: 'Done' }).click()
    await chooseFromMenu('Pathfinder', 'Archive')
    await waitForToast(page, /^Archived Pathfinder/)
    await page.getByRole('link', { name: 'Agents', exact: true }).last().click()
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor()
    await page.getByRole('button', { name: 'Archived' }).click()
    await row(page, 'Pathfinder').waitFor()
    expect((await fetchAgent('Pathfinder', 'archived')).state).toBe('archived')
  })

  test('deleting an agent requires typing its name', async () => {
    await chooseFromMenu('Pathfinder', 'Delete…')
    const deleteButton = page.getByRole('button', { name: 'Delete Pathfinder' })
    expect(await deleteButton.isDisabled()).toBe(true)
    await page.getByLabel(/^Type its name/).fill('Pathfinder')
    await deleteButton.click()
    await row(page, 'Pathfinder').waitFor({ state: 'detached' })
    await expectEventually(() => fetchAgent('Pathfinder', 'archived'), undefined)
    expect(ada.problems).toEqual([])
  })

  test('j and k move the focus between agents, and Enter opens one', async () => {
    for (const name of ['Ant', 'Bee']) await app.createAgent({ name })
    await ada.go('/agents')
    await row(page, 'Bee').waitFor()
    for (const [key, name] of [
      ['j', 'Ant'],
      ['j', 'Bee'],
      ['k', 'Ant'],
    ] as const) {
      await page.keyboard.press(key)
      await expectEventually(() => page.locator(':focus').textContent(), name)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ant', level: 1 }).waitFor()
    expect(ada.problems).toEqual([])
  })

  test('a guest sees agents, but no actions to manage them', async () => {
    const guest = await app.openSession({ signedOut: true })
    const { body } = await app.http('POST', `/api/v1/teams/${app.team_id}/invitations`, {
      body: { email: 'kim@example.com', role: 'guest' },
    })
    await guest.page.goto(body.data.link)
    await guest.page.getByLabel('Name').fill('Kim')
    await guest.page.getByLabel('Password').first().fill('correct horse battery')
    await guest.page.keyboard.press('Enter')
    await guest.page.waitForURL((url) => !url.pathname.includes('invit'))
    await guest.go('/agents')
    await row(guest.page, 'Ant').getByText('Owner: Ada').waitFor()
    expect(await guest.page.getByRole('button', { name: 'New agent' }).count()).toBe(0)
    expect(await guest.page.getByRole('button', { name: /^More about/ }).count()).toBe(0)
    await row(guest.page, 'Ant').getByRole('link').first().click()
    await guest.page.getByRole('region', { name: 'Profile' }).waitFor()
    expect(await guest.page.getByRole('region', { name: 'Webhook' }).count()).toBe(0)
    expect(guest.problems).toEqual([])
  })

  test('the list and the page of an agent fit a phone and are accessible', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true })
    await phone.go('/agents')
    await row(phone.page, 'Bee').waitFor()
    expect(await accessibilityIssuesInBothThemes(phone.page)).toEqual([])
    await row(phone.page, 'Bee').getByRole('link').first().tap()
    await phone.page.getByRole('region', { name: 'Profile' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(phone.page)).toEqual([])
    expect(phone.problems).toEqual([])
  })
})
