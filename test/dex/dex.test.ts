import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { freePort } from '../keycloak/free-port.ts'
import { serveWithIssuer } from '../support/issuer-server.ts'
import { SECRET, startDex } from './dex.ts'
import { startDirectory } from './ldap.ts'

type Served = Awaited<ReturnType<typeof serveWithIssuer>>

let directory: Awaited<ReturnType<typeof startDirectory>>
let dex: Awaited<ReturnType<typeof startDex>>
let served: Served
let server: Awaited<ReturnType<Served['serve']>>
let browser: Browser
let url = ''

beforeAll(async () => {
  url = `http://127.0.0.1:${await freePort()}`
  directory = await startDirectory(createFolder())
  dex = await startDex(createFolder(), directory.address, url)
  served = await serveWithIssuer(url, {
    ...{ CORK_OIDC_ISSUER: dex.issuer, CORK_OIDC_NAME: 'LDAP', CORK_OIDC_CLIENT_SECRET: SECRET },
    CORK_OIDC_SCOPES: 'openid email profile groups',
  })
  server = await served.serve()
  browser = await openBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
  await server?.end()
  await dex?.stop()
  await directory?.stop()
  cleanUp()
})

/** A new browser, in which Lena has signed in with her password in the directory. */
async function signIn(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/sign-in?next=/my`)
  await page.getByRole('link', { name: 'Sign in with LDAP' }).click()
  await page.locator('input[name=login]').fill('lena')
  await page.locator('input[name=password]').fill('the password of lena')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`${url}/my`)
  return page
}

const roleOfLena = () => served.roleOf('lena@harbour.example')

test('a person of an LDAP directory gets a role by group, at each sign-in through Dex', async () => {
  const page = await signIn()
  expect((await page.request.get(`${url}/api/session/verify`)).status()).toBe(200)
  expect(await roleOfLena()).toBe('member')
  await directory.addGroup('cork-admins')
  await signIn()
  expect(await roleOfLena()).toBe('admin')
  await directory.deleteGroup('cork-admins')
  await signIn()
  expect(await roleOfLena()).toBe('member')
}, 120_000)

test('a server that starts while Dex is down keeps its sessions, and says so at a sign-in', async () => {
  const page = await signIn()
  await dex.stop()
  await server.end()
  server = await served.serve()
  expect((await page.request.get(`${url}/api/session/verify`)).status()).toBe(200)
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(`${url}/sign-in/1`)
  expect(await stranger.getByRole('alert').textContent()).toContain('LDAP cannot be reached now')
  await stranger.goto(`${url}/sign-in`)
  expect(await stranger.getByLabel('Password', { exact: true }).isVisible()).toBe(true)
}, 120_000)
