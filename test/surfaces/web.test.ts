import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { people } from '../../src/features/identity/people/model/index.ts'
import { browserClient } from '../support/browser-client.ts'
import { type World, world } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const PATHS = ['/', '/projects/1', '/projects/1?task=HP-1', '/t/HP-1', '/my', '/new', '/import']

/** The world, in which Ada and Gus have passwords, with a browser that is not signed in. */
async function worldWithPasswords() {
  const w = await world()
  const password_hash = await Bun.password.hash(PASSWORD, {
    ...{ algorithm: 'argon2id', memoryCost: 8, timeCost: 1 },
  })
  for (const { caller } of [w.ada, w.gus])
    await w.store.write((tx) =>
      tx.update(people).set({ password_hash }).where(eq(people.actor_id, caller.actor_id)),
    )
  const browser = browserClient(w.app)
  const signInWithPassword = (name: string, next = '/') =>
    browser.post('/sign-in', { email: `${name}@example.com`, password: PASSWORD, next })
  return { ...w, browser, signInWithPassword }
}

const bytes = async ({ app }: World, path: string, headers = {}, method = 'GET') => {
  const response = await app.handle(new Request(`http://localhost${path}`, { method, headers }))
  return { response, body: new Uint8Array(await response.arrayBuffer()) }
}

/** The files that the page references. */
const filesIn = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, location]) => location!)

test('a visitor signs in first and is then redirected to the requested page', async () => {
  const { browser, signInWithPassword } = await worldWithPasswords()
  for (const path of PATHS) {
    const { status, headers } = await browser.get(path)
    const location = path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
    expect([path, status, headers.get('location')]).toEqual([path, 303, location])
    expect(headers.get('cache-control')).toBe('no-store')
  }
  const form = await browser.get('/sign-in?next=%2Fprojects%2F1%3Ftask%3DHP-1')
  expect(form.text).toContain('name="next" value="/projects/1?task=HP-1"')
  const { status, headers } = await signInWithPassword('ada', '/projects/1?task=HP-1')
  expect([status, headers.get('location')]).toEqual([303, '/projects/1?task=HP-1'])
  expect((await browser.get('/projects/1?task=HP-1')).status).toBe(200)
})

test('every route of the app serves the same page, whose policy allows only its own code', async () => {
  const { browser, signInWithPassword } = await worldWithPasswords()
  await signInWithPassword('ada')
  const texts = new Set<string>()
  for (const path of PATHS) {
    const { status, headers, text } = await browser.get(path)
    expect([path, status]).toEqual([path, 200])
    texts.add(text)
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
        ...["base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"],
        ...[
          "require-trusted-types-for 'script'",
          'trusted-types dompurify default import-worker service-worker',
        ],
      ]),
    )
    expect(policy.join()).not.toMatch(/unsafe|\*/)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const [page, ...rest] = texts
  expect(rest).toEqual([])
  expect(page).toContain('<title>Corkboard</title>')
  // The policy forbids inline scripts and styles.
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/i)
})

test('each route preloads its code and its data, all of which exist', async () => {
  const w = await worldWithPasswords()
  await w.signInWithPassword('ada')
  const cookie = [...w.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const linkedPaths = async (path: string, rel: string) => {
    const link = (await w.browser.get(path)).headers.get('link')!
    return [...link.matchAll(new RegExp(`<([^>]+)>; rel=${rel};`, 'g'))].map(
      ([, location]) => location!,
    )
  }
  const project = `/projects/${w.board.project_id}`
  for (const [page, ...screens] of [
    ['/', undefined],
    [project, 'screen-'],
    ['/t/HP-1', 'page-'],
    ['/my', 'screen-'],
    ['/new', 'screen-'],
  ] as const) {
    const code = await linkedPaths(page, 'modulepreload')
    for (const screen of screens)
      expect([page, code[0] ?? '']).toEqual([page, expect.stringContaining(screen ?? '')])
    expect([page, code.length > 0]).toEqual([page, screens[0] !== undefined])
    for (const path of [...code, ...(await linkedPaths(page, 'preload'))])
      expect([path, (await bytes(w, path, { cookie })).response.status]).toEqual([path, 200])
  }
  const always = ['/assets/inter-latin.woff2', '/api/v1/user/context']
  expect(await linkedPaths('/', 'preload')).toEqual(always)
  expect(await linkedPaths('/t/HP-1', 'preload')).toEqual([
    ...always,
    '/api/v1/tasks/HP-1?format=html',
    '/api/v1/decision-requests?ticket_number=HP-1&limit=50',
  ])
  expect(await linkedPaths('/t/..%2Fx-1', 'preload')).toEqual(always)
  const source = readFileSync(join(import.meta.dir, '../../src/web/shell/screens.ts'), 'utf8')
  expect(source.match(/\w+(?= = firstScreen)/g)).toEqual(['Board', 'Mine', 'TaskPage'])
  const hasLaterStyles = async (path: string) =>
    (await linkedPaths(path, 'preload')).some((linked) => /^\/assets\/later-.+\.css$/.test(linked))
  for (const path of [project, '/my', '/t/HP-1']) expect(await hasLaterStyles(path)).toBe(false)
  for (const path of ['/new', '/inbox', '/search']) expect(await hasLaterStyles(path)).toBe(true)
})

test('every route that the app declares is served', async () => {
  const { browser, signInWithPassword } = await worldWithPasswords()
  await signInWithPassword('ada')
  const source = readFileSync(join(import.meta.dir, '../../src/web/shell/app.tsx'), 'utf8')
  const routes = [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path!)
  expect(routes.length).toBeGreaterThan(3)
  for (const path of routes)
    expect([path, (await browser.get(path.replaceAll(/:\w+/g, '1'))).status]).toEqual([path, 200])
})

test('a path without a screen responds 404 with the error page', async () => {
  const { browser, signInWithPassword } = await worldWithPasswords()
  await signInWithPassword('ada')
  for (const path of ['/chat', '/p', '/runs', '/projects', '/nothing', '/t/1/2'])
    expect([path, (await browser.get(path)).status]).toEqual([path, 404])
  expect((await browser.get('/nothing')).text).toContain('Page not found')
})

test('guests can open the app, and a token does not replace a session', async () => {
  const w = await worldWithPasswords()
  for (const secret of [w.bot.secret, w.ada.secret]) {
    const { response } = await bytes(w, '/my', { authorization: `Bearer ${secret}` })
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/sign-in?next=%2Fmy',
    ])
  }
  await w.signInWithPassword('gus')
  expect((await w.browser.get('/my')).status).toBe(200)
})

test('on a full disk the app stays readable, and the session rotates once writes work again', async () => {
  const w = await worldWithPasswords()
  await w.signInWithPassword('ada')
  const cookiesBefore = [...w.browser.cookies]
  w.clock.advance(2 * 24 * 60 * 60 * 1000)
  const { write } = w.store
  w.store.write = () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }))
  expect((await w.browser.get('/my')).status).toBe(200)
  expect((await w.browser.get('/api/v1/teams')).status).toBe(200)
  expect([...w.browser.cookies]).toEqual(cookiesBefore)
  w.store.write = write
  expect((await w.browser.get('/my')).status).toBe(200)
  expect([...w.browser.cookies]).not.toEqual(cookiesBefore)
})

test('HEAD responds as GET without a body, for the page and its files', async () => {
  const w = await worldWithPasswords()
  await w.signInWithPassword('ada')
  const cookie = [...w.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { response, body } = await bytes(w, '/my', { cookie }, 'HEAD')
  expect([response.status, body.length]).toEqual([200, 0])
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const [script] = filesIn((await w.browser.get('/')).text).filter((one) => one.endsWith('.js'))
  const file = await bytes(w, script!, {}, 'HEAD')
  expect([file.response.status, file.body.length]).toEqual([200, 0])
  expect(file.response.headers.get('content-type')).toStartWith('text/javascript')
})

test('the manifest, its icons and the service worker are served to everybody', async () => {
  const { http } = await world()
  const { status, headers, body } = await http(undefined, 'GET', '/manifest.webmanifest')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/manifest+json'])
  expect(body).toMatchObject({ name: 'Corkboard', start_url: './', display: 'standalone' })
  for (const { src } of body.icons)
    expect([src, (await http(undefined, 'GET', `/${src}`)).status]).toEqual([src, 200])
  const worker = await http(undefined, 'GET', '/service-worker.js')
  expect([worker.status, worker.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(worker.headers.get('content-security-policy')).toContain("default-src 'none'")
})

describe('what another app shares', () => {
  const share = async ({ app }: World, form: FormData) => {
    const request = new Request('http://localhost/share', { method: 'POST', body: form })
    const { status, headers } = await app.handle(request)
    return [status, headers.get('location')]
  }
  const formOf = (fields: Record<string, string | File>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return form
  }

  test('the manifest names the form that the server accepts', async () => {
    const w = await world()
    const { body } = await w.http(undefined, 'GET', '/manifest.webmanifest')
    const { action, method, enctype, params } = body.share_target
    expect([action, method, enctype]).toEqual(['share', 'POST', 'multipart/form-data'])
    const [file] = params.files
    const form = formOf({
      [params.title]: 'Oak care',
      [params.url]: 'https://example.com/oak?a=1',
      [file.name]: new File(['x'], 'oak.png'),
    })
    const query = 'share_title=Oak+care&share_url=https%3A%2F%2Fexample.com%2Foak%3Fa%3D1'
    expect(await share(w, form)).toEqual([303, `/my?${query}&share_files=1`])
  })

  test('a text alone arrives without a word about files, cut to the length of a title', async () => {
    const w = await world()
    const none = new File([], '')
    const text = formOf({ share_text: `${'a'.repeat(499)}😀`, share_files: none, next: 'x' })
    expect(await share(w, text)).toEqual([303, `/my?share_text=${'a'.repeat(499)}%EF%BF%BD`])
  })

  test('large files do not keep the text from arriving', async () => {
    const w = await world()
    const files = { share_files: new File(['x'.repeat(20_000_000)], 'film.mp4') }
    const answer = await share(w, formOf({ share_title: 'Film', ...files }))
    expect(answer).toEqual([303, '/my?share_title=Film&share_files=1'])
  })

  test('a body that is no form opens the field without a text', async () => {
    const { app } = await world()
    const request = new Request('http://localhost/share', { method: 'POST', body: 'share_text=x' })
    expect((await app.handle(request)).headers.get('location')).toBe('/my?add')
  })
})

test('files are cached as immutable and compressed as the client accepts', async () => {
  const w = await worldWithPasswords()
  await w.signInWithPassword('ada')
  // The names of what systems need to install the app are fixed.
  const files = filesIn((await w.browser.get('/')).text).filter(
    (path) => path !== '/manifest.webmanifest' && path !== '/assets/icon-180.png',
  )
  expect(files.length).toBeGreaterThan(2)
  const script = files.find((one) => one.endsWith('.js'))!
  const plain = await bytes(w, script)
  expect(plain.response.headers.get('content-encoding')).toBeNull()
  for (const path of files) {
    expect(path).toMatch(/^\/assets\/[\w-]+-[a-z0-9]{8}\.\w+$/)
    const { response } = await bytes(w, path)
    expect([path, response.status]).toEqual([path, 200])
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('vary')).toBe('accept-encoding')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
  for (const [accepted, coding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;q=0.5, gzip', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['br; q=0.0, gzip;q=0.1', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['brotli, xgzip', null],
    ['identity', null],
  ] as const) {
    const { response, body } = await bytes(w, script, { 'accept-encoding': accepted })
    expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, coding])
    expect(response.headers.get('content-type')).toStartWith('text/javascript')
    const decompress = coding === 'br' ? brotliDecompressSync : coding ? gunzipSync : Buffer.from
    expect(Buffer.compare(decompress(body), plain.body)).toBe(0)
    if (coding) expect(body.length).toBeLessThan(plain.body.length)
  }
})

test('no asset name leads out of the folder or to a compressed file', async () => {
  const w = await worldWithPasswords()
  const names = ['nothing.js', '..%2Findex.html', '..%2f..%2f..%2fpackage.json', '%00']
  await w.signInWithPassword('ada')
  const [script] = filesIn((await w.browser.get('/')).text).filter((one) => one.endsWith('.js'))
  const compressedNames = [`${script!.slice('/assets/'.length)}.br`]
  for (const name of [...names, ...compressedNames]) {
    const { response, body } = await bytes(w, `/assets/${name}`)
    expect([name, response.status]).toEqual([name, 404])
    expect(new TextDecoder().decode(body)).not.toContain('corkboard')
  }
})
