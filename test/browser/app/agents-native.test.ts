import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('agents that Corkboard runs', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())

  const fetchAgent = async () => {
    const { body } = await app.http('GET', `/api/v1/agents?team_id=${app.team_id}`)
    const { agent_id } = body.data[0]
    return (await app.http('GET', `/api/v1/agents/${agent_id}`)).body.data
  }

  test('are created with instructions instead of a token, even when no model is set', async () => {
    await ada.go('/agents')
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Read and write/ }).waitFor()
    await page.keyboard.type('Nia')
    expect(await dialog.getByLabel(/^Instructions/).count()).toBe(0)
    await dialog.getByRole('radio', { name: 'Run by Corkboard, without a token' }).check()
    await dialog.getByLabel(/^Instructions/).fill('Write short and plain.')
    await dialog.getByText(/^No model is set on this server/).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { name: 'Nia', level: 1 }).waitFor()
    await page.getByText('None: Corkboard runs it').waitFor()
    await page.getByText('Instructions', { exact: true }).click()
    await page.getByText('Write short and plain.').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect(await fetchAgent()).toMatchObject({
      kind: 'native',
      instructions: 'Write short and plain.',
    })
  })

  test('save new instructions, restore an unsaved draft of them, and keep them when renamed', async () => {
    const openEditDialog = async () => {
      await page.getByRole('button', { name: 'More about Nia' }).click()
      await page.getByRole('menuitem', { name: /^Edit/ }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit Nia' })
      await dialog.getByLabel(/^Instructions/).waitFor()
      return dialog
    }
    const dialog = await openEditDialog()
    expect(await dialog.getByLabel(/^Instructions/).inputValue()).toBe('Write short and plain.')
    await dialog.getByLabel(/^Instructions/).fill('Ask before you guess.')
    // Escape closes the dialog and keeps the unsaved text.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await openEditDialog()
    await dialog.getByText('Your unsaved text was restored.').waitFor()
    expect(await dialog.getByLabel(/^Instructions/).inputValue()).toBe('Ask before you guess.')
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Discard' }).click()
    expect(await dialog.getByLabel(/^Instructions/).inputValue()).toBe('Write short and plain.')
    await dialog.getByLabel(/^Instructions/).fill('Ask before you guess.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await fetchAgent()).instructions).toBe('Ask before you guess.')
    const editDialog = await openEditDialog()
    expect(await editDialog.getByText('Your unsaved text was restored').count()).toBe(0)
    await editDialog.getByRole('textbox', { name: 'Name' }).fill('Nia Two')
    await editDialog.getByRole('button', { name: 'Save' }).click()
    await editDialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Nia Two', level: 1 }).waitFor()
    expect((await fetchAgent()).instructions).toBe('Ask before you guess.')
    expect(ada.problems).toEqual([])
  })
})
