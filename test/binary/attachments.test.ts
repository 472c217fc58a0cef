import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../crash/random.ts'
import { bucket } from '../files/bucket.ts'
import { onPostgres } from '../support/postgres.ts'
import { seed } from '../support/scale.ts'
import { cleanUp, cork, createFolder, startServer } from './cork.ts'
import { createInstallation, createSqliteInstallation } from './installation.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const randomBytes = (size: number) => crypto.getRandomValues(new Uint8Array(size))

interface UploadedFile {
  attachment_id: number
  sha256: string
}

/** A REST client that calls a served executable as its owner. */
function createRestClient(url: string, key: string) {
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    request,
    async attach(
      task: string | number,
      bytes: Uint8Array,
      filename = 'a.bin',
    ): Promise<UploadedFile> {
      const file = { filename, content_type: 'application/octet-stream', data: bytes.toBase64() }
      const { status, body } = await request('POST', `/tasks/${task}/attachments`, {
        files: [file],
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body.data.attachments[0]
    },
    async download(attachment_id: number) {
      const response = await fetch(`${url}/api/v1/attachments/${attachment_id}/content`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return { status: response.status, bytes: await response.bytes() }
    },
  }
}

async function startWithTask(installation: ReturnType<typeof createSqliteInstallation>) {
  const credentials = await installation.init()
  const server = await installation.serve()
  const project_id = await createBoard(server.url, credentials.api_key, credentials.team_id)
  const client = createRestClient(server.url, credentials.api_key)
  const { body } = await client.request('POST', '/tasks', { project_id, title: 'One' })
  return {
    ...installation,
    ...credentials,
    ...client,
    server,
    project_id,
    task: body.data.ticket_number as string,
  }
}

describe('attachments', () => {
  test('survive kill -9 once the server has acknowledged them', async () => {
    const installation = await createInstallation()
    let { server, api_key, task } = await startWithTask(installation)
    const acknowledged: UploadedFile[] = []
    const random = new Random(seed)
    for (let round = 0; round < 4; round++) {
      const { attach } = createRestClient(server.url, api_key)
      let isRunning = true
      const writer = async () => {
        while (isRunning) {
          const file = await attach(task, randomBytes(random.between(1, 200_000))).catch(
            () => undefined,
          )
          if (file) acknowledged.push(file)
        }
      }
      const writers = [writer(), writer(), writer(), writer()]
      const goal = acknowledged.length + 10
      while (acknowledged.length < goal) await Bun.sleep(5)
      await server.end('SIGKILL')
      isRunning = false
      await Promise.all(writers)
      server = await installation.serve()
    }
    const { download } = createRestClient(server.url, api_key)
    for (const { attachment_id, sha256 } of acknowledged) {
      const { status, bytes } = await download(attachment_id)
      expect([status, digest(bytes)]).toEqual([200, sha256])
    }
    const doctor = await installation.run(['doctor', '--json'])
    expect(doctor.out).toContain('"attachments","state":"ok"')
    expect(await server.end()).toBe(0)
  })

  test('are included in a backup and can be downloaded after a restore on another server', async () => {
    const { attach, task, run, api_key, server } = await startWithTask(await createInstallation())
    const files = [await attach(task, randomBytes(3_000_000)), await attach(task, randomBytes(1))]
    const file = join(createFolder(), 'b.backup')
    const backup = await run(['backup', file])
    expect([backup.code, backup.out]).toEqual([0, expect.stringContaining('2 attached files')])
    expect(await server.end()).toBe(0)
    const other = createSqliteInstallation()
    expect(await other.run(['restore', file])).toMatchObject({ code: 0 })
    const second = await other.serve()
    const { download } = createRestClient(second.url, api_key)
    for (const { attachment_id, sha256 } of files)
      expect(digest((await download(attachment_id)).bytes)).toBe(sha256)
    expect(await second.end()).toBe(0)
  })

  test('missing on disk do not stop a backup, and cork doctor reports them', async () => {
    const { attach, task, run, server, data } = await startWithTask(createSqliteInstallation())
    const { sha256 } = await attach(task, randomBytes(10), 'lost plan.bin')
    await attach(task, randomBytes(10))
    rmSync(join(data, 'files', sha256.slice(0, 2), sha256))
    const file = join(createFolder(), 'b.backup')
    const backup = await run(['backup', file])
    expect(backup.code).toBe(0)
    expect(backup.err).toContain('1 attached files are missing in the folder')
    const doctor = await run(['doctor'])
    expect([doctor.code, doctor.out + doctor.err]).toEqual([
      ...[1, expect.stringContaining('1 of 2 files are missing or damaged')],
    ])
    expect(doctor.out + doctor.err).toContain('lost plan.bin')
    expect(await createSqliteInstallation().run(['restore', file])).toMatchObject({ code: 0 })
    expect(await server.end()).toBe(0)
  })

  test('make a restore fail if their content does not match their hash', async () => {
    const { attach, task, run, server } = await startWithTask(createSqliteInstallation())
    const bytes = randomBytes(300)
    await attach(task, bytes)
    const file = join(createFolder(), 'b.backup')
    await run(['backup', file])
    const text = Buffer.from(Bun.gunzipSync(new Uint8Array(readFileSync(file)))).toString()
    const changed = bytes.slice()
    changed[0]! ^= 1
    writeFileSync(file, text.replace(bytes.toBase64(), changed.toBase64()))
    const other = createSqliteInstallation()
    const { code, err } = await other.run(['restore', file])
    expect([code, err]).toEqual([1, expect.stringContaining('does not match its name')])
    expect(await server.end()).toBe(0)
  })

  test('are exported and imported with their team unchanged, and altered content is refused', async () => {
    const source = await startWithTask(createSqliteInstallation())
    const bytes = randomBytes(2000)
    const { sha256, attachment_id } = await source.attach(source.task, bytes, 'Plän.bin')
    await source.request('POST', `/tasks/${source.task}/evidence`, {
      ...{ kind: 'file', summary: 'The plan', attachment_id },
    })
    const file = join(createFolder(), 'team.jsonl')
    await source.run(['export', '--team', 'Harbour', file])
    expect(await source.server.end()).toBe(0)
    const target = await createInstallation()
    await target.init()
    expect((await target.runJson(['import', file, '--dry-run'])).file).toBe(1)
    const { team_id } = await target.runJson(['import', file])
    const secondExport = join(createFolder(), 'again.jsonl')
    await target.run(['export', '--team', String(team_id), secondExport])
    const linesIn = (path: string) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => /^\{"(task|attachment|file|evidence)"/.test(line))
    expect(linesIn(secondExport)).toEqual(linesIn(file))
    expect(linesIn(file).join()).toContain('"filename":"Plän.bin"')
    const server = await target.serve()
    const { secret } = await target.runJson([
      ...['token', 'create', '--user', 'ada@example.com', '--kind', 'key', '--name', 'x'],
    ])
    const client = createRestClient(server.url, secret)
    const { body } = await client.request('GET', '/tasks?has_attachments=true')
    expect(body.data).toHaveLength(1)
    const list = await client.request('GET', `/tasks/${body.data[0].task_id}/attachments`)
    const evidence = await client.request('GET', `/tasks/${body.data[0].task_id}/evidence`)
    expect(evidence.body.data).toMatchObject([{ attachment: { filename: 'Plän.bin' } }])
    const downloaded = await client.download(list.body.data[0].attachment_id)
    expect(digest(downloaded.bytes)).toBe(sha256)
    const modified = readFileSync(file, 'utf8').replace(
      bytes.toBase64(),
      randomBytes(2000).toBase64(),
    )
    writeFileSync(file, modified)
    const result = await target.run(['import', file])
    expect([result.code, result.err]).toEqual([
      ...[1, expect.stringContaining('does not match its name')],
    ])
    expect(await server.end()).toBe(0)
  })
})

describe('attachment storage', () => {
  test('files go to the configured S3 bucket only, and a wrong S3 secret stops the start', async () => {
    const { where, objects, stop } = bucket()
    const env = {
      CORK_S3_ENDPOINT: where.endpoint,
      CORK_S3_BUCKET: where.bucket,
      CORK_S3_REGION: where.region,
      CORK_S3_ACCESS_KEY: where.accessKeyId,
      CORK_S3_SECRET_KEY: where.secretAccessKey,
    }
    const installation = await createInstallation()
    const credentials = await installation.init()
    const server = await startServer(installation.data, { env: { ...installation.env, ...env } })
    const project_id = await createBoard(server.url, credentials.api_key, credentials.team_id)
    const client = createRestClient(server.url, credentials.api_key)
    const { body } = await client.request('POST', '/tasks', { project_id, title: 'One' })
    const { attachment_id, sha256 } = await client.attach(body.data.task_id, randomBytes(50_000))
    expect([...objects.keys()]).toEqual([`files/${sha256}`])
    expect(digest((await client.download(attachment_id)).bytes)).toBe(sha256)
    expect(existsSync(join(installation.data, 'files'))).toBe(false)
    const doctor = await installation.run(['doctor'], env)
    expect(doctor.out).toContain('1 files in the bucket corkboard')
    expect(await server.end()).toBe(0)
    const wrongEnv = { ...env, CORK_S3_SECRET_KEY: 'guessed' }
    const result = await installation.run(['serve', '--port', '0'], wrongEnv)
    expect([result.code, result.err]).toEqual([
      ...[1, expect.stringContaining('Attachments cannot be stored in the bucket corkboard')],
    ])
    stop()
  })

  test.if(onPostgres)(
    'a server on PostgreSQL without a writable data folder does not start',
    async () => {
      const installation = await createInstallation()
      await installation.init()
      const data = join(createFolder(), 'data')
      writeFileSync(data, 'no folder')
      const { code, err } = await cork(['serve', '--data', data, '--port', '0'], {
        env: installation.env,
      })
      expect([code, err]).toEqual([
        ...[1, expect.stringContaining('Attachments cannot be stored in the folder')],
      ])
    },
  )

  test('incomplete S3 settings are refused at start, with the missing ones named', async () => {
    const data = join(createFolder(), 'data')
    const env = { CORK_S3_BUCKET: 'corkboard' }
    const { code, err } = await cork(['serve', '--data', data, '--port', '0'], { env })
    expect([code, err]).toEqual([
      ...[
        2,
        expect.stringContaining('need CORK_S3_ENDPOINT, CORK_S3_ACCESS_KEY and CORK_S3_SECRET_KEY'),
      ],
    ])
  })
})
