import type { Page } from 'playwright-core'

/** Creates an agent in the dialog; returns its token. */
export async function createAgent(page: Page, name: string, { onlyBoard = '' } = {}) {
  await page.getByLabel('Agent name').fill(name)
  if (onlyBoard) await page.getByLabel(`Limit access to ${onlyBoard}`).check()
  await page.getByRole('button', { name: 'Create agent' }).click()
  const configuration = page.getByRole('region', { name: 'Configuration for Claude Code' })
  const [, token] = /Bearer (\S+)"/.exec((await configuration.textContent())!)!
  return { token: token! }
}

/** Copies the configuration for a program; returns the text of the clipboard. */
export async function copyConfiguration(page: Page, program: string): Promise<string> {
  await page.getByRole('tab', { name: program }).click()
  await page.getByRole('button', { name: `Copy Configuration for ${program}` }).click()
  await page.getByRole('status').getByText('Copied').waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Waits until the dialog shows that the agent is connected. */
export const waitForConnection = (page: Page, name: string) =>
  page.getByRole('status').getByText(`${name} is connected`).waitFor()

export const mcpServerConfig = (url: string, token: string) => ({
  ...{ type: 'http', url: `${url}/mcp` },
  headers: { Authorization: `Bearer ${token}` },
})
