import { describe, expect, test } from 'bun:test'
import { sessionCookies } from '../../src/features/identity/accounts/model/index.ts'
import { openSession } from '../../src/features/identity/accounts/model/sessions.ts'
import { internalPath, withBasePath } from '../../src/server/base-path.ts'
import { markRequest, ownPage } from '../../src/surfaces/own-page.ts'
import { world } from '../support/world.ts'

describe('a request below the base path is routed without it', () => {
  for (const [path, inApp] of [
    ['/board', '/'],
    ['/board/', '/'],
    ['/board?task=HOM-1', '/?task=HOM-1'],
    ['/board/api/v1/tasks?limit=2', '/api/v1/tasks?limit=2'],
    ['/board/board', '/board'],
    // A proxy has removed the path.
    ['/api/v1/tasks', '/api/v1/tasks'],
    ['/boarding', '/boarding'],
    ['/', '/'],
    ['/.well-known/oauth-authorization-server/board', '/.well-known/oauth-authorization-server'],
    [
      '/.well-known/oauth-protected-resource/board/mcp',
      '/.well-known/oauth-protected-resource/mcp',
    ],
    [
      '/.well-known/oauth-protected-resource/board?x=1',
      '/.well-known/oauth-protected-resource?x=1',
    ],
    [
      '/.well-known/oauth-protected-resource/boarding',
      '/.well-known/oauth-protected-resource/boarding',
    ],
    ['/board/.well-known/openid-configuration', '/.well-known/openid-configuration'],
    ['/.well-known/security.txt', '/.well-known/security.txt'],
  ] as const)
    test(path, () => expect(internalPath('/board', path)).toBe(inApp))
})

const respond = (response: Response, path = '/board/x') =>
  withBasePath('/board', (request) => {
    markRequest(request, response)
    return response
  })(new Request(`http://localhost${path}`))

test('addresses in headers get the base path, and other hosts do not', async () => {
  const headers = new Headers({ location: '/sign-in', link: '</a.js>; rel=preload, </b>; rel=x' })
  headers.append('set-cookie', 'a=1; Path=/; Max-Age=3; HttpOnly')
  headers.append('set-cookie', 'b=2; Path=/')
  const { headers: sent } = await respond(new Response(null, { status: 303, headers }))
  expect(sent.get('location')).toBe('/board/sign-in')
  expect(sent.get('link')).toBe('</board/a.js>; rel=preload, </board/b>; rel=x')
  expect(sent.getSetCookie()).toEqual(['a=1; Path=/board; Max-Age=3; HttpOnly', 'b=2; Path=/board'])
  for (const location of ['//example.com/x', 'https://example.com/x'])
    expect((await respond(Response.redirect(location))).headers.get('location')).toBe(location)
})

const MARKUP = '<!doctype html><html lang="en"><a href="/t/HOM-1">a</a><form action="/x"></form>'
const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html' } })

test('addresses in a page of the product get the base path', async () => {
  const text = await (await respond(ownPage(html(`${MARKUP}<img src="//example.com/x">`)))).text()
  expect(text).toBe(
    '<!doctype html><html lang="en" data-base="/board"><a href="/board/t/HOM-1">a</a><form action="/board/x"></form><img src="//example.com/x">',
  )
})

test('markup of users stays as it was written', async () => {
  expect(await (await respond(html(MARKUP))).text()).toBe(MARKUP)
})

test('a report below a base path is sent unchanged, and links of answers have the path', async () => {
  const w = await world({ env: { CORK_URL: 'http://localhost/board' } })
  const { body } = await w.http(
    w.ada,
    'POST',
    `/board/api/v1/projects/${w.board.project_id}/reports`,
    {
      title: 'Links',
      body_html: '<p><a href="/t/HOM-1">Here</a></p>',
    },
  )
  const { report_id, view_url } = body.data
  expect(view_url).toBe(`http://localhost/board/reports/${report_id}/view`)
  const { text, status } = await w.http(w.ada, 'GET', `/board/reports/${report_id}/view`)
  expect(status).toBe(200)
  expect(text).toContain('href="/t/HOM-1"')
})

test('cookies of a server at the root of the host are ignored, and its own ones have the path', async () => {
  const w = await world({ env: { CORK_URL: 'http://localhost/board' } })
  const get = (path: string, cookie: string) =>
    w.http(undefined, 'GET', path, undefined, { cookie, 'sec-fetch-site': 'none' })
  const foreign = 'cork_session=1.secret.seal; nookies_user=1'
  expect((await get('/board/sign-in', foreign)).status).toBe(200)
  expect((await get('/board/', foreign)).headers.get('location')).toBe('/board/sign-in')
  const person = { user_id: w.ada.caller.actor_id, name: 'Firefox', sign_in_id: null }
  const session = await w.store.write((tx) => openSession(tx, person, w.clock.now))
  const own = sessionCookies(w.key, session, w.clock.now, 'http://localhost/board')
  const pairs = own.map((cookie) => cookie.split(';')[0]!)
  // Browsers send the cookies with the longest path first.
  expect((await get('/board/api/session/verify', [...pairs, foreign].join('; '))).status).toBe(200)
  w.clock.advance(2 * 24 * 60 * 60 * 1000)
  const { headers } = await get('/board/api/session/verify', pairs.join('; '))
  const cookies = headers.getSetCookie()
  expect(cookies).toHaveLength(2)
  for (const cookie of cookies) expect(cookie).toContain('; Path=/board;')
})
