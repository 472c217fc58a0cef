import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const part = (name: string) => `/settings/${name}`

async function make(page: Page, what: string, name: string) {
  await page.getByLabel(`Name of the ${what}`).fill(name)
  await page.getByRole('button', { name: `Create ${what}` }).click()
  await page.getByRole('button', { name: 'Done' }).waitFor()
}

const SKILLS = [
  ['Release notes', '[version]', 'For a new version: what changed, for those who use it'],
  ['Stand-up', null, 'Says what was done since yesterday, what is next and what is blocked'],
  ['Triage', '[column]', 'Gives each new task a priority, a label and a size'],
] as const

/** Three of one's own, one of them switched off. */
async function skilled({ call }: Instance) {
  if ((await call('GET', '/api/v1/skills')).length) return
  for (const [name, argument_hint, description] of SKILLS)
    await call('POST', '/api/v1/skills', {
      ...{ name, argument_hint, description, enabled: name !== 'Triage' },
      body: `# ${name}\n\n1. Look at what changed.\n2. Write it down, the most useful first.\n`,
    })
}

export const SETTINGS: readonly Screen[] = [
  { name: 'settings', path: '/settings' },
  {
    name: 'settings-zone',
    path: part('profile'),
    async act(page) {
      await page.getByRole('button', { name: /^Time zone:/ }).click()
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
    isWide: true,
  },
  { name: 'settings-security', path: part('security') },
  {
    name: 'settings-notifications',
    path: part('notifications'),
    async act(page) {
      await page.getByLabel('Once a day').check()
      await page.getByLabel('Time', { exact: true }).waitFor()
    },
  },
  {
    name: 'settings-skills',
    path: part('skills'),
    before: skilled,
  },
  {
    name: 'settings-skill',
    path: part('skills'),
    before: skilled,
    async act(page) {
      await page.getByRole('button', { name: 'Edit the skill /release-notes' }).click()
      await page.getByRole('form').waitFor()
    },
    isWide: true,
  },
  { name: 'settings-appearance', path: part('appearance') },
  {
    name: 'settings-mcp',
    path: part('mcp'),
    act: (page) => make(page, 'token', 'Claude on my laptop'),
  },
  {
    name: 'settings-keys',
    path: part('api-keys'),
    async act(page) {
      await page.getByLabel('Name of the key').fill('Backup script')
      await page.getByLabel('Access', { exact: true }).selectOption('Selected scopes')
    },
  },
  {
    name: 'settings-revoke',
    path: part('api-keys'),
    act: (page) => page.getByRole('button', { name: 'Revoke' }).first().click(),
    isWide: true,
  },
  {
    name: 'settings-calendars',
    path: part('calendars'),
    async act(page) {
      await page.getByRole('button', { name: 'Create feed' }).click()
      await page.getByRole('button', { name: 'Done' }).waitFor()
    },
  },
]
