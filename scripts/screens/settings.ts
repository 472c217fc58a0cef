import type { Page } from 'playwright-core'
import type { Instance } from './instances.ts'
import type { Screen } from './screen.ts'

const section = (name: string) => `/settings/${name}`

async function createCredential(page: Page, what: string, name: string) {
  await page.getByLabel(`Name of the ${what}`).fill(name)
  await page.getByRole('button', { name: `Create ${what}` }).click()
  await page.getByRole('button', { name: 'Done' }).waitFor()
}

const SKILLS = [
  ['Release notes', '[version]', 'For a new version: what changed, for those who use it'],
  ['Stand-up', null, 'Says what was done since yesterday, what is next and what is blocked'],
  ['Triage', '[column]', 'Gives each new task a priority, a label and a size'],
] as const

/** Creates three skills, one of which is disabled. */
async function createSkills({ call }: Instance) {
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
    path: section('profile'),
    async act(page) {
      await page.getByRole('button', { name: /^Time zone:/ }).click()
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
    isWideOnly: true,
  },
  { name: 'settings-security', path: section('security') },
  {
    name: 'settings-notifications',
    path: section('notifications'),
    async act(page) {
      await page.getByLabel('Once a day').check()
      await page.getByLabel('Time', { exact: true }).waitFor()
    },
  },
  {
    name: 'settings-skills',
    path: section('skills'),
    prepare: createSkills,
  },
  {
    name: 'settings-skill',
    path: section('skills'),
    prepare: createSkills,
    async act(page) {
      await page.getByRole('button', { name: 'Edit the skill /release-notes' }).click()
      await page.getByRole('form').waitFor()
    },
    isWideOnly: true,
  },
  { name: 'settings-appearance', path: section('appearance') },
  {
    name: 'settings-mcp',
    path: section('mcp'),
    act: (page) => createCredential(page, 'token', 'Claude on my laptop'),
  },
  {
    name: 'settings-keys',
    path: section('api-keys'),
    async act(page) {
      await page.getByLabel('Name of the key').fill('Backup script')
      await page.getByLabel('Access', { exact: true }).selectOption('Selected scopes')
    },
  },
  {
    name: 'settings-revoke',
    path: section('api-keys'),
    act: (page) => page.getByRole('button', { name: 'Revoke' }).first().click(),
    isWideOnly: true,
  },
  {
    name: 'settings-calendars',
    path: section('calendars'),
    async act(page) {
      await page.getByRole('button', { name: 'Create feed' }).click()
      await page.getByRole('button', { name: 'Done' }).waitFor()
    },
  },
]
