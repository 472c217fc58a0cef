import { createHash, createHmac } from 'node:crypto'

export const KEY = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret of the bucket' }

interface StoredObject {
  bytes: Uint8Array
  at: Date
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const hex = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Whether a request was signed with the key, by the rules of AWS Signature Version 4. */
function isSigned(request: Request, body: Uint8Array): boolean {
  const form =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/
  const [, id, day, region, signed, signature] =
    form.exec(request.headers.get('authorization') ?? '') ?? []
  if (id !== KEY.accessKeyId || !signed) return false
  const url = new URL(request.url)
  const query = url.search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort()
  const payload = request.headers.get('x-amz-content-sha256') ?? ''
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hex(body)) return false
  const canonical = [
    ...[request.method, url.pathname, query.join('&')],
    ...signed.split(';').map((name) => `${name}:${request.headers.get(name)?.trim()}`),
    ...['', signed, payload],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers.get('x-amz-date'), scope, hex(canonical)]
  const key = [day!, region!, 's3', 'aws4_request'].reduce(
    (signature: string | Buffer, part) => hmac(signature, part),
    `AWS4${KEY.secretAccessKey}`,
  )
  return hmac(key, text.join('\n')).toString('hex') === signature
}

const xml = (text: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
const failed = (code: string, status: number) =>
  xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)

/** A fake S3 service with one bucket, which checks signatures and keeps objects in memory. */
export function bucket({ page = 1000 } = {}) {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Uint8Array[]>()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  async function answer(request: Request): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer())
    if (!isSigned(request, body)) return failed('SignatureDoesNotMatch', 403)
    const { pathname, searchParams: query } = new URL(request.url)
    const [, name, ...rest] = pathname.split('/')
    if (name !== 'corkboard') return failed('NoSuchBucket', 404)
    const key = rest.join('/')
    if (!key) return query.has('delete') ? deleteObjects(body) : list(query)
    if (request.method === 'PUT') return putObject(key, body, query)
    if (request.method === 'POST') return post(key, query)
    const object = objects.get(key)
    if (request.method === 'DELETE') {
      const upload = query.get('uploadId')
      if (upload) uploads.delete(upload)
      else objects.delete(key)
      return new Response(null, { status: 204 })
    }
    if (!object) return failed('NoSuchKey', 404)
    const headers = { 'last-modified': object.at.toUTCString(), etag: `"${hex(object.bytes)}"` }
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '')
    if (!range)
      return new Response(request.method === 'HEAD' ? null : object.bytes.slice(), {
        headers: { ...headers, 'content-length': String(object.bytes.length) },
      })
    const part = object.bytes.slice(Number(range[1]), range[2] ? Number(range[2]) + 1 : undefined)
    return new Response(part, { status: 206, headers })
  }
  function putObject(key: string, body: Uint8Array, query: URLSearchParams) {
    const upload = query.get('uploadId')
    const parts = uploads.get(upload ?? '')
    if (upload && !parts) return failed('NoSuchUpload', 404)
    if (parts) parts[Number(query.get('partNumber')) - 1] = body
    else objects.set(key, { bytes: body, at: new Date() })
    return new Response(null, { headers: { etag: `"${hex(body)}"` } })
  }
  /** Begins or completes the upload of an object in parts. */
  function post(key: string, query: URLSearchParams) {
    const upload = query.get('uploadId')
    if (!upload) {
      const id = crypto.randomUUID()
      uploads.set(id, [])
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const parts = uploads.get(upload)
    if (!parts) return failed('NoSuchUpload', 404)
    uploads.delete(upload)
    objects.set(key, { bytes: Buffer.concat(parts), at: new Date() })
    return xml('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
  }
  function deleteObjects(body: Uint8Array) {
    const keys = [...new TextDecoder().decode(body).matchAll(/<Key>([^<]*)<\/Key>/g)]
    for (const [, key] of keys) objects.delete(key!)
    return xml('<DeleteResult></DeleteResult>')
  }
  function list(query: URLSearchParams) {
    const most = Math.min(page, Number(query.get('max-keys') ?? 1000))
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? ''))
      .sort()
    const left = keys.filter((key) => key > after)
    const returned = left.slice(0, most)
    const rows = returned.map((key) => {
      const { bytes, at } = objects.get(key)!
      return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><ETag>"x"</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    })
    const hasMore = left.length > most
    const next = hasMore ? `<NextContinuationToken>${returned.at(-1)}</NextContinuationToken>` : ''
    return xml(
      `<ListBucketResult><Name>corkboard</Name><KeyCount>${returned.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${hasMore}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`,
    )
  }
  return {
    objects,
    where: {
      ...KEY,
      endpoint: `http://127.0.0.1:${server.port}`,
      bucket: 'corkboard',
      region: 'eu-central-1',
    },
    stop: () => server.stop(true),
  }
}
