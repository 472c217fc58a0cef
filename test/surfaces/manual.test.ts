import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { openManual } from '../../src/manual/index.ts'
import { browserClient } from '../support/browser-client.ts'
import { world } from '../support/world.ts'

const HOME = '/docs/manual'
/** External pages that the manual links to. Nothing is loaded from them. */
const EXTERNAL = [
  ...['https://www.standardwebhooks.com', 'https://ollama.com', 'https://litestream.io'],
  'https://dexidp.io',
  'https://github.com/caronc/apprise-api',
  'https://www.usebruno.com',
  'https://unicode-org.github.io/icu/userguide/format_parse/messages/',
  'https://patroni.readthedocs.io',
  'https://learn.microsoft.com/en-us/postgresql/citus/multi-node-ubuntu-debian',
]
const openBrowser = async () => browserClient((await world()).app)

const linksOf = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!)
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)

/** Follows every link of the manual and returns its pages and the dead links. */
async function crawl(get: (path: string) => Promise<{ status: number; text: string }>) {
  const pages = new Map<string, { status: number; text: string }>()
  const deadLinks: string[] = []
  const queue = [HOME]
  while (queue.length) {
    const path = queue.pop()!
    if (pages.has(path)) continue
    pages.set(path, await get(path))
    if (path !== HOME && !/^\/docs\/manual\/[\w-]+$/.test(path)) continue
    for (const link of linksOf(pages.get(path)!.text))
      if (!link.startsWith('http')) queue.push(new URL(link, `http://localhost${path}`).pathname)
  }
  for (const [path, { text, status }] of pages) {
    if (!path.startsWith(HOME) || path.includes('.') || status !== 200) continue
    for (const link of linksOf(text).filter((link) => !EXTERNAL.includes(link))) {
      const { origin, pathname, hash } = new URL(link, `http://localhost${path}`)
      const page = pages.get(pathname)
      const exists =
        page && page.status < 400 && (!hash || idsOf(page.text).includes(hash.slice(1)))
      if (origin !== 'http://localhost' || !exists) deadLinks.push(`${path}: ${link}`)
    }
  }
  return { pages, deadLinks }
}

test('every article is reachable, and every link leads to an existing page and section', async () => {
  const { get } = await openBrowser()
  const { pages, deadLinks } = await crawl(get)
  expect(deadLinks).toEqual([])
  for (const { name } of openManual().articles)
    expect([...pages.keys()]).toContain(name ? `${HOME}/${name}` : HOME)
  expect([...pages.keys()].some((path) => path.endsWith('.png'))).toBe(true)
  for (const [path, { text }] of pages)
    if (path.startsWith(HOME))
      expect([path, new Set(idsOf(text)).size]).toEqual([path, idsOf(text).length])
})

test('the link check finds a missing page, a missing section and an external link', async () => {
  const html =
    '<p id="b"><a href="/docs/manual#a">x</a><a href="/gone">x</a><a href="https://x.test/">x</a><a href="#b">x</a></p>'
  const get = async (path: string) => ({
    status: path === '/gone' ? 404 : 200,
    text: path === HOME ? html : '',
  })
  const { deadLinks } = await crawl(get)
  expect(deadLinks).toHaveLength(3)
})

test('every article has a title, anchors, links to its neighbours and a strict policy', async () => {
  const { get } = await openBrowser()
  const { articles } = openManual()
  for (const [at, { name, title, sections }] of articles.entries()) {
    const { status, text, headers } = await get(name ? `${HOME}/${name}` : HOME)
    expect([name, status]).toEqual([name, 200])
    expect(text).toContain(
      name ? `<title>${title} · Corkboard manual</title>` : '<title>Corkboard manual</title>',
    )
    expect(text.match(/<h1>/g)).toHaveLength(1)
    for (const { anchor } of sections.filter((section) => section.anchor))
      expect(idsOf(text)).toContain(anchor)
    expect(text.includes('rel="next"')).toBe(at < articles.length - 1)
    expect(text.includes('rel="prev"')).toBe(at > 0)
    expect(text).not.toContain('.md"')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).not.toMatch(/<script>|style="| on[a-z]+="/)
  }
})

test('a link out of the docs becomes text, and a link between articles leads to the page', async () => {
  const { htmlOf } = await import('../../src/manual/html.ts')
  const text =
    '# T\n\n[out](../src/x.ts) [page](tasks.md#files) [home](README.md) [here](#t) [far](https://x.test/) https://y.test/\n\n## T\n\n<script>alert(1)</script>\n\n![p](here.png) ![q](screens/board-light.png)'
  const html = await htmlOf({
    name: 't',
    title: 'T',
    text,
    sections: [{ headings: ['T'], anchor: 't', text: '' }],
  })
  expect(html).toContain(
    '<p>out <a href="/docs/manual/tasks#files">page</a> <a href="/docs/manual">home</a> <a href="#t">here</a> <a href="https://x.test/">far</a> https://y.test/</p>',
  )
  expect(html).toContain('<h2 id="t">T<a class="anchor" href="#t"')
  expect(html).toContain('src="/docs/manual/here.png"')
  expect(html).toContain('src="/docs/manual/screens/board-light.png"')
  expect(html).not.toContain('<script')
})

test('the search works without a script, and the query is escaped', async () => {
  const { get } = await openBrowser()
  const results = await get(`${HOME}?q=how+to+back+up`)
  expect(results.text).toContain('<title>how to back up · Corkboard manual</title>')
  expect(results.text).toContain('href="/docs/manual/backup#create-a-backup"')
  expect(results.text).toContain('<mark>backup</mark>')
  const noResults = await get(`${HOME}?q=zzqx`)
  expect([noResults.status, noResults.text.includes('No results for “zzqx”')]).toEqual([200, true])
  const injected = await get(
    `${HOME}?q=${encodeURIComponent('"><script>alert(1)</script> backup')}`,
  )
  expect(injected.text).not.toContain('<script>')
  expect(injected.text).toContain('&lt;script&gt;')
  const long = await get(`${HOME}?q=${'word+'.repeat(10_000)}`)
  expect([long.status, long.text.length < 20_000]).toEqual([200, true])
  expect((await get(`${HOME}?q=+`)).text).toBe((await get(HOME)).text)
})

test('an unchanged page responds 304, and versioned files are cached as immutable', async () => {
  const { get } = await openBrowser()
  for (const path of [HOME, `${HOME}/tasks`, `${HOME}/screens/board-light.png`]) {
    const { status, headers } = await get(path)
    const etag = headers.get('etag')!
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
    for (const etagHeader of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await get(path, { 'if-none-match': etagHeader })
      expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([
        path,
        304,
        '',
        etag,
      ])
    }
    expect((await get(path, { 'if-none-match': '"x"' })).status).toBe(200)
  }
  const { text } = await get(HOME)
  const files = linksOf(text).filter((link) => /\/manual\/.*\.(css|js)$/.test(link))
  expect(files).toHaveLength(2)
  for (const file of files)
    expect((await get(file)).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    )
})

test('an unknown page or file of the manual responds 404, and a POST 405', async () => {
  const { get, post } = await openBrowser()
  const missing = await get(`${HOME}/nothing`)
  expect([missing.status, missing.text.includes('The manual has no such page')]).toEqual([
    404,
    true,
  ])
  for (const path of [
    '/..%2f..%2fpackage.json',
    '/tasks.mdx',
    '/README',
    '/constructor',
    '/__proto__',
  ])
    expect([path, (await get(HOME + path)).status]).toEqual([path, 404])
  expect((await post(HOME, {})).status).toBe(405)
})

test('the sign-in page, llms.txt and the API document link to the manual', async () => {
  const { get } = await openBrowser()
  expect((await get('/sign-in')).text).toContain('href="/docs/manual"')
  expect((await get('/llms.txt')).text).toContain('/docs/manual')
  expect((await get('/docs/json')).text).toContain('(/docs/manual)')
})

test('the manual and every operation are also markdown pages, whose links lead to such pages', async () => {
  const { get } = await openBrowser()
  const linked = (text: string, base: string) =>
    [...text.matchAll(/\]\(([^)\s]+\.md)(?:#[^)]*)?\)/g)].map(
      ([, link]) => new URL(link!, `http://localhost${base}`).pathname,
    )
  const queue = ['/docs/api.md', '/docs/manual/README.md']
  const texts = new Map<string, string>()
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (texts.has(path)) continue
    const { status, text } = await get(path)
    expect([path, status]).toEqual([path, 200])
    texts.set(path, text)
    queue.push(...linked(text, path))
  }
  for (const { name } of catalog) expect(texts.has(`/docs/api/${name}.md`)).toBe(true)
  for (const { name } of openManual().articles)
    expect(texts.has(`/docs/manual/${name || 'README'}.md`)).toBe(true)
  const page = texts.get('/docs/api/tasks.create.md')!
  for (const line of [
    '# tasks.create',
    '- REST: `POST /api/v1/tasks`',
    '- MCP: `svc_tasks create`',
    '- Command: `cork tasks create <project_id> <title>`',
    '- Scope: `tasks:write`',
    '| `title` * | text |  |',
  ])
    expect(page.split('\n')).toContain(line)
  expect((await get('/docs/api/tasks.paint.md')).status).toBe(404)
  expect((await get('/docs/manual/nothing.md')).status).toBe(404)
})
