import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { FakeRepository, serveCodeHost } from '../../support/code-host.ts'
import { scriptedApp } from '../../support/scripted-app.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard } from './boards.ts'

describe.skipIf(isBrowserSkipped)('code hosts and repositories', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  const repository = new FakeRepository(() => new Date())
  const host = serveCodeHost('forgejo', repository)
  beforeAll(async () => {
    repository.open(repository.addUser('olga', false), 'The gate squeaks')
    app = await openWebApp({ CORK_ALLOW_HOSTS: '127.0.0.1' })
    ada = await app.openSession({ ignoredMessages: /400|404|409|405/ })
    page = ada.page
  })
  afterAll(async () => {
    await app?.close()
  })

  test('an admin adds a code host; a refused token is explained at its field', async () => {
    await ada.go('/settings/team')
    const section = page.getByRole('region', { name: 'Code hosts' })
    await section.getByLabel('Host', { exact: true }).selectOption('forgejo')
    await section.getByLabel('Address', { exact: true }).fill(host.url)
    await section.getByLabel('Access token').fill('wrong')
    await section.getByRole('button', { name: 'Add code host' }).click()
    await section.getByRole('alert').getByText('The host does not accept the token').waitFor()
    await section.getByLabel('Access token').fill(repository.token)
    await page.keyboard.press('Enter')
    await section.getByRole('list', { name: 'Code hosts' }).getByText('cork-bot').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('an admin assigns an account to a member and removes it, and adds their own with a token', async () => {
    const olga = repository.user('olga')
    repository.userTokens.set('the token of olga', olga)
    const own = page.getByRole('region', { name: 'Your accounts at code hosts' })
    await own.getByRole('button', { name: 'Add your account' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Access token').fill('the token of olga')
    await form.getByRole('button', { name: 'Add your account' }).click()
    await own.getByRole('button', { name: 'Remove olga' }).waitFor()
    await page.getByRole('button', { name: 'Accounts' }).click()
    const dialog = page.getByRole('dialog')
    const line = dialog.getByRole('listitem').filter({ hasText: 'olga' })
    await line.getByText('confirmed with a token').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await line.getByRole('button', { name: 'Remove olga' }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Remove' }).click()
    await line.getByText('not a member').waitFor()
    await line.getByRole('combobox', { name: 'Assign olga' }).click()
    await page.getByRole('option', { name: 'Ada' }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Assign' }).click()
    await line.getByText('assigned by an admin').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a repository is linked to a board, and its issue becomes a task', async () => {
    const { project_id } = await createBoard(app, 'Garden')
    await ada.go(`/settings/board/${project_id}?of=repositories`)
    const section = page.getByRole('region', { name: 'Repositories' })
    await section.getByLabel('Repository', { exact: true }).fill('acme/site')
    await section.getByRole('button', { name: 'Link repository' }).click()
    const row = section.getByRole('listitem').filter({ hasText: 'acme/site' })
    await row.getByText('Up to date').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await row.getByRole('switch', { name: 'Issues' }).click()
    await row.getByText('Issues are off').waitFor()
    await row.getByRole('button', { name: /Unlink/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await section.getByText('No repository linked yet.').waitFor()
    expect(repository.hooks).toEqual([])
    expect(ada.problems).toEqual([])
  })

  test('an admin creates a GitHub App: its permissions are explained, and GitHub leads back', async () => {
    const forge = new FakeRepository(() => new Date())
    const { url } = serveCodeHost('github', forge)
    scriptedApp(forge)
    const { intercept } = forge
    let manifest: unknown
    const create = async (request: Request, setup: string | null) => {
      manifest = JSON.parse(String((await request.formData()).get('manifest')))
      const back = new URLSearchParams({ code: 'a code', state: setup! })
      return Response.redirect(`${app.url}/settings/team?${back}`)
    }
    forge.intercept = (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname !== '/organizations/acme/settings/apps/new') return intercept(request)
      return create(request, searchParams.get('state'))
    }
    await ada.go('/settings/team')
    const form = page.getByRole('form', { name: 'Create a GitHub App' })
    await form.getByLabel('Organization').fill('acme')
    await form.getByLabel('Address').fill(url)
    await form.getByRole('button', { name: 'Create a GitHub App' }).click()
    await page.getByText('issues: write').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: /^Continue/ }).click()
    await page.getByRole('list', { name: 'Code hosts' }).getByText('corkboard[bot]').waitFor()
    expect(manifest).toMatchObject({ public: false, default_permissions: { issues: 'write' } })
    expect(new URL(page.url()).search).toBe('')
  })
})
