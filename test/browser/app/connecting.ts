import type { Page } from 'playwright-core'

/** In the dialog: a name, and what its token is. */
export async function makeAgent(page: Page, name: string, { only = '' } = {}) {
  await page.getByLabel('Agent name').fill(name)
  if (only) await page.getByLabel(`Limit access to ${only}`).check()
  await page.getByRole('button', { name: 'Create agent' }).click()
  const shown = page.getByRole('region', { name: 'Configuration for Claude Code' })
  const [, token] = /Bearer (\S+)"/.exec((await shown.textContent())!)!
  return { token: token! }
}

/** What is in the clipboard after the button was pressed. */
export async function copied(page: Page, program: string): Promise<string> {
  await page.getByRole('tab', { name: program }).click()
  await page.getByRole('button', { name: `Copy Configuration for ${program}` }).click()
  await page.getByRole('status').getByText('Copied').waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The light that turns on by itself. */
export const connected = (page: Page, name: string) =>
  page.getByRole('status').getByText(`${name} is connected`).waitFor()

export const serverIn = (url: string, token: string) => ({
  ...{ type: 'http', url: `${url}/mcp` },
  headers: { Authorization: `Bearer ${token}` },
})
