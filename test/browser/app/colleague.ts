import type { BrowserSession, WebApp } from '../web-app.ts'

const PASSWORD = 'correct horse battery'

/** Invites a person, who accepts in a browser context of their own. */
export async function addColleague(
  app: WebApp,
  name: string,
  {
    role = 'member',
    ignoredMessages = /^$/,
    tour = false,
    ...invitation
  }: { role?: string; ignoredMessages?: RegExp; tour?: boolean; project_id?: number } = {},
): Promise<BrowserSession & { user_id: number }> {
  const path = `/api/v1/teams/${app.team_id}`
  const body = { email: `${name.toLowerCase()}@example.com`, role, ...invitation }
  const { link } = (await app.http('POST', `${path}/invitations`, { body })).body.data
  const session = await app.openSession({ signedOut: true, ignoredMessages, tour })
  const { page } = session
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('main').waitFor()
  const members = (await app.http('GET', `${path}/members`)).body.data
  const { user_id } = members.find((one: { name: string }) => one.name === name)
  return { ...session, user_id }
}
