import type { Desk, Person } from '../desk.ts'

const PASSWORD = 'correct horse battery'

/** Somebody who accepted an invitation to the team, in a browser context of their own. */
export async function colleague(
  desk: Desk,
  name: string,
  {
    role = 'member',
    may = /^$/,
    ...more
  }: { role?: string; may?: RegExp; project_id?: number } = {},
): Promise<Person & { user_id: number }> {
  const path = `/api/v1/teams/${desk.team_id}`
  const body = { email: `${name.toLowerCase()}@example.com`, role, ...more }
  const { link } = (await desk.http('POST', `${path}/invitations`, { body })).body.data
  const person = await desk.sit({ stranger: true, may })
  const { page } = person
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('main').waitFor()
  const people = (await desk.http('GET', `${path}/members`)).body.data
  const { user_id } = people.find((one: { name: string }) => one.name === name)
  return { ...person, user_id }
}
