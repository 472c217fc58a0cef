import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { serveWithIssuer } from '../support/issuer-server.ts'
import { freePort } from './free-port.ts'
import { startKeycloak } from './keycloak.ts'

type Keycloak = Awaited<ReturnType<typeof startKeycloak>>
type Served = Awaited<ReturnType<typeof serveWithIssuer>>

let keycloak: Keycloak
let served: Served
let server: Awaited<ReturnType<Served['serve']>>
let browser: Browser
let url = ''

beforeAll(async () => {
  url = `http://127.0.0.1:${await freePort()}`
  keycloak = await startKeycloak(createFolder(), url)
  served = await serveWithIssuer(url, {
    ...{ CORK_OIDC_ISSUER: keycloak.issuer, CORK_OIDC_NAME: 'Keycloak' },
    CORK_OIDC_CLIENT_SECRET: 'the secret of the board',
  })
  server = await served.serve()
  browser = await openBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
  await server?.end()
  await keycloak?.stop()
  cleanUp()
})

/** A new browser, in which Zoe has signed in at Keycloak. */
async function signIn(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/sign-in?next=/my`)
  await page.getByRole('link', { name: 'Sign in with Keycloak' }).click()
  await page.getByLabel('Username or email').fill('zoe')
  await page.getByLabel('Password', { exact: true }).fill('the password of zoe')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(`${url}/my`)
  return page
}

const roleOf = () => served.roleOf('zoe@example.com')

const isSignedIn = async (page: Page) =>
  (await page.request.get(`${url}/api/session/verify`)).status() === 200

test('a member of a group of Keycloak gets an account and a role, which follows the group', async () => {
  const page = await signIn()
  expect(await isSignedIn(page)).toBe(true)
  expect(await roleOf()).toBe('member')
  await keycloak.admin.join('cork-admins')
  await signIn()
  expect(await roleOf()).toBe('admin')
  await keycloak.admin.leave('cork-admins')
  await keycloak.admin.leave('staff')
  await signIn()
  expect(await roleOf()).toBeUndefined()
  await keycloak.admin.join('staff')
})

test('keys that Keycloak has just replaced are accepted', async () => {
  await signIn()
  await keycloak.admin.rotateKeys()
  expect(await isSignedIn(await signIn())).toBe(true)
})

test('signing out ends the session at Keycloak, which asks for the password again', async () => {
  const page = await signIn()
  await page.evaluate(`(() => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '/sign-out'
    document.body.append(form)
    form.submit()
  })()`)
  await page.waitForURL(`${url}/sign-in`)
  expect(await isSignedIn(page)).toBe(false)
  await page.getByRole('link', { name: 'Sign in with Keycloak' }).click()
  await page.getByLabel('Username or email').waitFor()
})

test('a session that an admin ends at Keycloak ends here too', async () => {
  // Of several sessions of a person, Keycloak reports the end of only one.
  await keycloak.admin.endSessions()
  const page = await signIn()
  expect(await isSignedIn(page)).toBe(true)
  await keycloak.admin.endSessions()
  for (let round = 0; round < 50 && (await isSignedIn(page)); round++) await Bun.sleep(100)
  expect(await isSignedIn(page)).toBe(false)
})

test('cork doctor finds Keycloak and prints the redirect URI', async () => {
  const { out } = await served.installation.run(['doctor'])
  expect(out).toContain(`allow the redirect URI ${url}/sign-in/1/callback there`)
})
