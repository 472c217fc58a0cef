import { expect, test } from 'bun:test'
import { comments } from '../../../../src/features/conversation/comments/model/index.ts'
import { disposition, servedContentType } from '../../../../src/features/tasks/files/model/index.ts'
import {
  detectContentType,
  sanitizeFilename,
} from '../../../../src/features/tasks/files/model/rules.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const base64 = (text: string) => Buffer.from(text).toString('base64')

async function attachFile(w: World, filename: string, content_type: string, data: string) {
  const { attachments } = await w.cleo['attachments.create']({
    task_id: w.tasks.logo.task_id,
    files: [{ filename, content_type, data }],
  })
  return attachments[0]!
}

const fetchContent = (w: World, id: number, headers = {}, method = 'GET') =>
  w.app.handle(
    new Request(`http://localhost/api/v1/attachments/${id}/content`, {
      method,
      headers: { authorization: `Bearer ${w.cleo.secret}`, ...headers },
    }),
  )

test('a file name is sanitized: no path, control character or reserved name, at most 255 bytes', () => {
  for (const [input, name] of [
    ['plan.pdf', 'plan.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\win.ini', 'win.ini'],
    ['/abs/olute.txt', 'olute.txt'],
    ['C:\\Users\\ada\\a.txt', 'a.txt'],
    ['a\r\nset-cookie: x.txt', 'aset-cookie_ x.txt'],
    ['report\u202Efdp.exe', 'reportfdp.exe'],
    ['..', 'file'],
    ['.', 'file'],
    ['   ', 'file'],
    ['a/', 'file'],
    ['.htaccess', 'htaccess'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['console.log', 'console.log'],
    ['a"b<c>d|e?f*g:h', 'a_b_c_d_e_f_g_h'],
    ['Ångström 日本語 🎈.png', 'Ångström 日本語 🎈.png'],
    ['trailing. ', 'trailing'],
  ] as const)
    expect([input, sanitizeFilename(input)]).toEqual([input, name])
  for (const character of ['x', 'ä', '🎈']) {
    const long = sanitizeFilename(`${character.repeat(400)}.tar`)
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255)
    expect(Buffer.byteLength(long)).toBeGreaterThan(250)
    expect([long.endsWith('.tar'), long.isWellFormed()]).toEqual([true, true])
  }
})

test('a content type is detected from the bytes, and the declared type only refines it', () => {
  for (const [declared, sniffed, isText, type] of [
    ['text/html', 'image/png', false, 'image/png'],
    ['image/png', undefined, true, 'text/plain'],
    ['image/png', undefined, false, 'application/octet-stream'],
    ['text/markdown', undefined, true, 'text/markdown'],
    ['text/html', undefined, true, 'text/html'],
    ['application/json', undefined, true, 'application/json'],
    ['text/plain', undefined, false, 'application/octet-stream'],
    ['application/vnd.ms-excel', 'application/x-cfb', false, 'application/vnd.ms-excel'],
    ['application/java-archive', 'application/zip', false, 'application/java-archive'],
    ['image/jpeg', 'application/zip', false, 'application/zip'],
    ['image/svg+xml', 'application/xml', true, 'image/svg+xml'],
  ] as const)
    expect([declared, sniffed, detectContentType(declared, sniffed, isText)]).toEqual([
      ...[declared, sniffed, type],
    ])
})

test('active content types are served as application/octet-stream', () => {
  for (const type of [
    ...['text/html', 'application/xhtml+xml', 'image/svg+xml', 'text/xml', 'application/xml'],
    ...['text/javascript', 'application/javascript', 'application/ecmascript'],
    ...['application/mathml+xml', 'application/x-shockwave-flash', 'text/vbscript'],
    ...['text/cache-manifest', 'application/rdf+xml', 'application/x-sh'],
  ])
    expect([type, servedContentType(type)]).toEqual([type, 'application/octet-stream'])
  expect(servedContentType('image/png')).toBe('image/png')
  expect(servedContentType('text/csv')).toBe('text/csv; charset=utf-8')
})

test('a Content-Disposition header has an ASCII file name and an encoded UTF-8 one', () => {
  expect(disposition('attachment', 'plan "b" 100%.txt')).toBe(
    `attachment; filename="plan _b_ 100_.txt"; filename*=UTF-8''plan%20%22b%22%20100%25.txt`,
  )
  expect(disposition('inline', "Ö'(1)*.png")).toBe(
    `inline; filename="_'(1)*.png"; filename*=UTF-8''%C3%96%27%281%29%2A.png`,
  )
})

test('an image is served inline, with nosniff and a sandboxing content security policy', async () => {
  const w = await world()
  const file = await attachFile(w, 'dot.png', 'image/png', PNG.toString('base64'))
  const { status, headers } = await fetchContent(w, file.attachment_id)
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(PNG.length),
    'content-disposition': `inline; filename="dot.png"; filename*=UTF-8''dot.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: `"${file.sha256}"`,
  })
})

test('HTML, SVG, scripts, archives and PDFs are served as downloads, never as active content', async () => {
  const w = await world()
  const script = '<script>alert(1)</script>'
  for (const [filename, type, data] of [
    ['a.html', 'text/html', base64(`<!doctype html>${script}`)],
    ['a.svg', 'image/svg+xml', base64(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)],
    ['a.png', 'image/png', base64(`<?xml version="1.0"?><svg>${script}</svg>`)],
    ['a.png', 'image/png', base64(script)],
    ['a.js', 'text/javascript', base64('alert(1)')],
    ['a.zip', 'application/zip', Buffer.from([80, 75, 5, 6, ...Array(18).fill(0)]).toBase64()],
    ['a.pdf', 'application/pdf', base64('%PDF-1.7\n')],
  ] as const) {
    const { headers } = await fetchContent(
      w,
      (await attachFile(w, filename, type, data)).attachment_id,
    )
    expect([type, headers.get('content-disposition')]).toEqual([
      ...[type, expect.stringMatching(/^attachment; /)],
    ])
    expect(headers.get('content-type')).not.toMatch(/html|xml|svg|script/)
  }
})

test('a file that is both an image and HTML is stored and served as an image', async () => {
  const w = await world()
  const imageWithScript = Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]).toString(
    'base64',
  )
  const file = await attachFile(w, 'both.html', 'text/html', imageWithScript)
  expect(file.content_type).toBe('image/png')
  const { headers } = await fetchContent(w, file.attachment_id)
  expect(headers.get('content-type')).toBe('image/png')
})

test('downloads support range, conditional and HEAD requests, and refuse an invalid id', async () => {
  const w = await world()
  const { attachment_id, sha256 } = await attachFile(w, 'a.txt', 'text/plain', base64('0123456789'))
  w.app.listen({ port: 0, hostname: '127.0.0.1' })
  using _ = { [Symbol.dispose]: () => void w.app.server!.stop(true) }
  const url = `http://127.0.0.1:${w.app.server!.port}/api/v1/attachments/${attachment_id}/content`
  const authorization = `Bearer ${w.cleo.secret}`
  const request = (headers: object, method = 'GET') =>
    fetch(url, { method, headers: { authorization, ...headers } })
  for (const [range, status, text, contentRange] of [
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=5-2', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ] as const) {
    const response = await request({ range })
    const received = [response.status, await response.text(), response.headers.get('content-range')]
    expect([range, ...received]).toEqual([range, status, text, contentRange])
  }
  const staleRequest = await request({ range: 'bytes=0-3', 'if-range': '"other"' })
  expect(staleRequest.status).toBe(200)
  for (const etag of [`"${sha256}"`, `W/"${sha256}", "x"`, '*']) {
    const response = await request({ 'if-none-match': etag })
    expect([response.status, await response.text()]).toEqual([304, ''])
  }
  const head = await request({}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    ...[200, '10', ''],
  ])
  for (const id of ['x', '0', '-1', '99999999999', '1.5']) {
    const { status } = await w.http(w.cleo, 'GET', `/api/v1/attachments/${id}/content`)
    expect([id, status]).toEqual([id, 400])
  }
})

test('downloading an attachment whose file is missing on disk responds 404 with the reason', async () => {
  const w = await world()
  const { attachment_id, sha256 } = await attachFile(w, 'a.txt', 'text/plain', base64('lost'))
  await Bun.$`rm ${w.config.data}/files/${sha256.slice(0, 2)}/${sha256}`
  const { status, body } = await w.http(
    w.cleo,
    'GET',
    `/api/v1/attachments/${attachment_id}/content`,
  )
  expect([status, body.message]).toEqual([404, expect.stringContaining('missing on this server')])
})

const upload = (w: World, actor: Actor, form: FormData, headers = {}, task = 'HOM-1') =>
  w.app.handle(
    new Request(`http://localhost/api/v1/tasks/${task}/attachments/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${actor.secret}`, ...headers },
      body: form,
    }),
  )

const formOf = (...files: [name: string, bytes: Uint8Array<ArrayBuffer> | string][]) => {
  const form = new FormData()
  for (const [name, bytes] of files) form.append('file', new File([bytes], name))
  return form
}

test('files are uploaded as a multipart form, and a retry with the same key stores nothing twice', async () => {
  const w = await world()
  const { ticket_number, task_id } = w.tasks.logo
  const randomBytes = crypto.getRandomValues(new Uint8Array(65_536))
  const largeFile = new Uint8Array(5 * 1024 * 1024).fill(7)
  largeFile.set(randomBytes)
  const form = formOf(['../dot.png', new Uint8Array(PNG)], ['big.bin', largeFile])
  const response = await upload(w, w.cleo, form, { 'idempotency-key': 'u' }, ticket_number)
  const { data } = (await response.json()) as { data: { attachments: Record<string, unknown>[] } }
  expect(response.status).toBe(201)
  expect(data).toMatchObject({ task_id, ticket_number, comment_id: null })
  expect(
    data.attachments.map(({ filename, content_type, size }) => [filename, content_type, size]),
  ).toEqual([
    ['dot.png', 'image/png', PNG.length],
    ['big.bin', 'application/octet-stream', largeFile.length],
  ])
  const retry = await upload(w, w.cleo, form, { 'idempotency-key': 'u' }, ticket_number)
  expect(retry.headers.get('idempotent-replayed')).toBe('true')
  expect((await w.cleo['attachments.list']({ task_id })).page.total).toBe(2)
  const download = await fetchContent(w, Number(data.attachments[1]!.attachment_id))
  expect(Buffer.from(await download.arrayBuffer()).equals(Buffer.from(largeFile))).toBe(true)
})

test('invalid or forbidden uploads are refused with a 4xx status, and nothing is attached', async () => {
  const w = await world()
  const { ticket_number, task_id } = w.tasks.logo
  const unknownFieldForm = formOf(['a.txt', 'x'])
  unknownFieldForm.append('colour', 'red')
  const unknownCommentForm = formOf(['a.txt', 'x'])
  unknownCommentForm.append('comment_id', '999')
  const tooManyFiles = formOf(
    ...Array.from({ length: 11 }, (_, n): [string, string] => [`${n}`, 'x']),
  )
  const large = formOf(['large.bin', new Uint8Array(15 * 1024 * 1024 + 1)])
  for (const [form, status] of [
    [new FormData(), 400],
    [formOf(['a.txt', '']), 400],
    [tooManyFiles, 400],
    [unknownFieldForm, 400],
    [unknownCommentForm, 404],
    [large, 413],
  ] as const)
    expect((await upload(w, w.cleo, form, {}, ticket_number)).status).toBe(status)
  expect((await upload(w, w.otto, formOf(['a', 'x']), {}, ticket_number)).status).toBe(404)
  const reader = await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['tasks:read'])
  expect((await upload(w, reader, formOf(['a', 'x']), {}, ticket_number)).status).toBe(403)
  const path = `/api/v1/tasks/${task_id}/attachments/upload`
  expect((await w.http(w.cleo, 'POST', path, { file: 'x' })).status).toBe(415)
  const truncatedHeaders = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await w.http(w.cleo, 'POST', path, '--x\r\ncut', truncatedHeaders)).status).toBe(400)
  expect((await w.cleo['attachments.list']({ task_id })).page.total).toBe(0)
})

test('a file is attached by URL, but from a local address only if the operator allows it', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(PNG) })
  const url = `http://127.0.0.1:${server.port}/dot.png`
  const files = [{ filename: 'dot.png', content_type: 'application/octet-stream', url }]
  const refusal = await faultOf(w.cleo['attachments.create']({ task_id, files }))
  expect(refusal).toMatchObject({
    ...{ code: 'invalid', details: { field: 'files.0.url', code: 'out_of_range', value: url } },
    hint: expect.stringContaining('CORK_ALLOW_HOSTS'),
  })
  w.config.allowHosts.push('127.0.0.1')
  const receipt = await w.cleo['attachments.create']({ task_id, files })
  expect(receipt.attachments[0]).toMatchObject({ size: PNG.length, content_type: 'image/png' })
  using emptyServer = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
  const emptyFiles = [{ ...files[0]!, url: `http://127.0.0.1:${emptyServer.port}/` }]
  expect(
    (await faultOf(w.cleo['attachments.create']({ task_id, files: emptyFiles }))).details,
  ).toEqual({
    ...{ field: 'files.0.url', code: 'required', value: undefined },
  })
})

test('an attachment by URL may have 15 MB, and one byte more is refused', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  w.config.allowHosts.push('127.0.0.1')
  const maxBytes = 15 * 1024 * 1024
  using server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: ({ url }) => new Response(new Uint8Array(Number(new URL(url).pathname.slice(1)))),
  })
  const fileOfSize = (size: number) => ({
    ...{ filename: 'zeros.bin', content_type: 'application/octet-stream' },
    url: `http://127.0.0.1:${server.port}/${size}`,
  })
  const receipt = await w.cleo['attachments.create']({ task_id, files: [fileOfSize(maxBytes)] })
  expect(receipt.attachments[0]!.size).toBe(maxBytes)
  const files = [fileOfSize(maxBytes), fileOfSize(maxBytes + 1)]
  const refusal = await faultOf(w.cleo['attachments.create']({ task_id, files }))
  expect(refusal.details).toMatchObject({ field: 'files.1.url', code: 'too_long' })
  expect((await w.cleo['attachments.list']({ task_id })).page.total).toBe(1)
})

/** Inserts a comment of an actor into the table and returns its id. */
const insertComment = async (w: World, actor: Actor, task_id: number) => {
  const [row] = await w.store.write((tx) =>
    tx
      .insert(comments)
      .values({
        ...{ team_id: w.team_id, task_id, author_id: actor.caller.actor_id, text: 'See' },
        ...{ content_type: 'markdown', created_at: w.clock.now },
      })
      .returning(),
  )
  return row!.comment_id
}

test('only the author of a comment attaches files to it, and they are listed with the task', async () => {
  const w = await world()
  const { logo, copy } = w.tasks
  const comment_id = await insertComment(w, w.cleo, logo.task_id)
  const files = [{ filename: 'a.txt', content_type: 'text/plain', data: 'SGk=' }]
  const path = `/api/v1/comments/${comment_id}/attachments`
  const { status, body } = await w.http(w.cleo, 'POST', path, { files })
  expect([status, body.data.task_id, body.data.comment_id]).toEqual([201, logo.task_id, comment_id])
  const { task_id } = logo
  expect((await w.cleo['attachments.list']({ task_id, comment_id })).items).toHaveLength(1)
  expect((await w.cleo['attachments.list']({ task_id })).items).toHaveLength(1)
  expect((await w.changes()).at(-1)).toMatchObject({ data: { comment_id }, task_id })
  expect((await faultOf(w.ada['attachments.create']({ comment_id, files }))).code).toBe('forbidden')
  const otherTask = { comment_id, ticket_number: copy.ticket_number, files }
  expect((await faultOf(w.cleo['attachments.create'](otherTask))).details).toMatchObject({
    ...{ field: 'comment_id', code: 'conflict' },
  })
  for (const [actor, id] of [
    [w.cleo, 999],
    [w.otto, comment_id],
  ] as const)
    expect((await faultOf(actor['attachments.create']({ comment_id: id, files }))).code).toBe(
      'not_found',
    )
})
