import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Chance } from '../crash/chance.ts'
import { seed } from '../extent.ts'
import { bucket } from '../files/bucket.ts'
import { onPostgres } from '../server.ts'
import { cork, folder, serving, sweep } from './cork.ts'
import { ground, inFolder } from './ground.ts'
import { boardIn } from './writers.ts'

afterAll(sweep)

/** Each test starts the executable several times. */
const LONG = 60_000

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const random = (size: number) => crypto.getRandomValues(new Uint8Array(size))

interface Told {
  attachment_id: number
  sha256: string
}

/** A REST client that calls a served executable as its owner. */
function speaker(url: string, key: string) {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    ask,
    async attach(task: string | number, bytes: Uint8Array, filename = 'a.bin'): Promise<Told> {
      const file = { filename, content_type: 'application/octet-stream', data: bytes.toBase64() }
      const { status, body } = await ask('POST', `/tasks/${task}/attachments`, { files: [file] })
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

async function served(place: ReturnType<typeof inFolder>) {
  const made = await place.init()
  const server = await place.serve()
  const project_id = await boardIn(server.url, made.api_key, made.team_id)
  const talk = speaker(server.url, made.api_key)
  const { body } = await talk.ask('POST', '/tasks', { project_id, title: 'One' })
  return { ...place, ...made, ...talk, server, project_id, task: body.data.ticket_number as string }
}

describe('attachments', () => {
  test(
    'survive kill -9 once the server has acknowledged them',
    async () => {
      const place = await ground()
      let { server, api_key, task } = await served(place)
      const known: Told[] = []
      const chance = new Chance(seed)
      for (let round = 0; round < 4; round++) {
        const { attach } = speaker(server.url, api_key)
        let on = true
        const writer = async () => {
          while (on) {
            const told = await attach(task, random(chance.between(1, 200_000))).catch(
              () => undefined,
            )
            if (told) known.push(told)
          }
        }
        const writers = [writer(), writer(), writer(), writer()]
        const enough = known.length + 10
        while (known.length < enough) await Bun.sleep(5)
        await server.end('SIGKILL')
        on = false
        await Promise.all(writers)
        server = await place.serve()
      }
      const { download } = speaker(server.url, api_key)
      for (const { attachment_id, sha256 } of known) {
        const { status, bytes } = await download(attachment_id)
        expect([status, digest(bytes)]).toEqual([200, sha256])
      }
      const doctor = await place.run(['doctor', '--json'])
      expect(doctor.out).toContain('"attachments","state":"ok"')
      expect(await server.end()).toBe(0)
    },
    LONG,
  )

  test(
    'are included in a backup and can be downloaded after a restore on another server',
    async () => {
      const { attach, task, run, api_key, server } = await served(await ground())
      const told = [await attach(task, random(3_000_000)), await attach(task, random(1))]
      const file = join(folder(), 'b.backup')
      const made = await run(['backup', file])
      expect([made.code, made.out]).toEqual([0, expect.stringContaining('2 attached files')])
      expect(await server.end()).toBe(0)
      const other = inFolder()
      expect(await other.run(['restore', file])).toMatchObject({ code: 0 })
      const second = await other.serve()
      const { download } = speaker(second.url, api_key)
      for (const { attachment_id, sha256 } of told)
        expect(digest((await download(attachment_id)).bytes)).toBe(sha256)
      expect(await second.end()).toBe(0)
    },
    LONG,
  )

  test(
    'missing on disk do not stop a backup, and cork doctor reports them',
    async () => {
      const { attach, task, run, server, data } = await served(inFolder())
      const { sha256 } = await attach(task, random(10), 'lost plan.bin')
      await attach(task, random(10))
      rmSync(join(data, 'files', sha256.slice(0, 2), sha256))
      const file = join(folder(), 'b.backup')
      const made = await run(['backup', file])
      expect(made.code).toBe(0)
      expect(made.err).toContain('1 attached files are missing in the folder')
      const doctor = await run(['doctor'])
      expect([doctor.code, doctor.out + doctor.err]).toEqual([
        ...[1, expect.stringContaining('1 of 2 files are missing or damaged')],
      ])
      expect(doctor.out + doctor.err).toContain('lost plan.bin')
      expect(await inFolder().run(['restore', file])).toMatchObject({ code: 0 })
      expect(await server.end()).toBe(0)
    },
    LONG,
  )

  test(
    'whose content does not match their hash make a restore fail',
    async () => {
      const { attach, task, run, server } = await served(inFolder())
      const bytes = random(300)
      await attach(task, bytes)
      const file = join(folder(), 'b.backup')
      await run(['backup', file])
      const text = Buffer.from(Bun.gunzipSync(new Uint8Array(readFileSync(file)))).toString()
      const changed = bytes.slice()
      changed[0]! ^= 1
      writeFileSync(file, text.replace(bytes.toBase64(), changed.toBase64()))
      const other = inFolder()
      const { code, err } = await other.run(['restore', file])
      expect([code, err]).toEqual([1, expect.stringContaining('does not match its name')])
      expect(await server.end()).toBe(0)
    },
    LONG,
  )

  test(
    'are exported and imported with their team unchanged, and altered content is refused',
    async () => {
      const here = await served(inFolder())
      const bytes = random(2000)
      const { sha256, attachment_id } = await here.attach(here.task, bytes, 'Plän.bin')
      await here.ask('POST', `/tasks/${here.task}/evidence`, {
        ...{ kind: 'file', summary: 'The plan', attachment_id },
      })
      const file = join(folder(), 'team.jsonl')
      await here.run(['export', '--team', 'Harbour', file])
      expect(await here.server.end()).toBe(0)
      const there = await ground()
      await there.init()
      expect((await there.json(['import', file, '--dry-run'])).file).toBe(1)
      const { team_id } = await there.json(['import', file])
      const again = join(folder(), 'again.jsonl')
      await there.run(['export', '--team', String(team_id), again])
      const linesIn = (path: string) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => /^\{"(task|attachment|file|evidence)"/.test(line))
      expect(linesIn(again)).toEqual(linesIn(file))
      expect(linesIn(file).join()).toContain('"filename":"Plän.bin"')
      const server = await there.serve()
      const { secret } = await there.json([
        ...['token', 'create', '--user', 'ada@example.com', '--kind', 'key', '--name', 'x'],
      ])
      const talk = speaker(server.url, secret)
      const { body } = await talk.ask('GET', '/tasks?has_attachments=true')
      expect(body.data).toHaveLength(1)
      const list = await talk.ask('GET', `/tasks/${body.data[0].task_id}/attachments`)
      const shown = await talk.ask('GET', `/tasks/${body.data[0].task_id}/evidence`)
      expect(shown.body.data).toMatchObject([{ attachment: { filename: 'Plän.bin' } }])
      const got = await talk.download(list.body.data[0].attachment_id)
      expect(digest(got.bytes)).toBe(sha256)
      const wrong = readFileSync(file, 'utf8').replace(bytes.toBase64(), random(2000).toBase64())
      writeFileSync(file, wrong)
      const refused = await there.run(['import', file])
      expect([refused.code, refused.err]).toEqual([
        ...[1, expect.stringContaining('does not match its name')],
      ])
      expect(await server.end()).toBe(0)
    },
    LONG,
  )
})

describe('attachment storage', () => {
  test(
    'files go to the configured S3 bucket only, and a wrong S3 secret stops the start',
    async () => {
      const { where, objects, stop } = bucket()
      const env = {
        CORK_S3_ENDPOINT: where.endpoint,
        CORK_S3_BUCKET: where.bucket,
        CORK_S3_REGION: where.region,
        CORK_S3_ACCESS_KEY: where.accessKeyId,
        CORK_S3_SECRET_KEY: where.secretAccessKey,
      }
      const place = await ground()
      const made = await place.init()
      const server = await serving(place.data, { env: { ...place.env, ...env } })
      const project_id = await boardIn(server.url, made.api_key, made.team_id)
      const talk = speaker(server.url, made.api_key)
      const { body } = await talk.ask('POST', '/tasks', { project_id, title: 'One' })
      const { attachment_id, sha256 } = await talk.attach(body.data.task_id, random(50_000))
      expect([...objects.keys()]).toEqual([`files/${sha256}`])
      expect(digest((await talk.download(attachment_id)).bytes)).toBe(sha256)
      expect(existsSync(join(place.data, 'files'))).toBe(false)
      const doctor = await place.run(['doctor'], env)
      expect(doctor.out).toContain('1 files in the bucket corkboard')
      expect(await server.end()).toBe(0)
      const wrong = { ...env, CORK_S3_SECRET_KEY: 'guessed' }
      const refused = await place.run(['serve', '--port', '0'], wrong)
      expect([refused.code, refused.err]).toEqual([
        ...[1, expect.stringContaining('Attachments cannot be stored in the bucket corkboard')],
      ])
      stop()
    },
    LONG,
  )

  test.if(onPostgres)(
    'a server on PostgreSQL without a writable data folder does not start',
    async () => {
      const place = await ground()
      await place.init()
      const data = join(folder(), 'data')
      writeFileSync(data, 'no folder')
      const { code, err } = await cork(['serve', '--data', data, '--port', '0'], { env: place.env })
      expect([code, err]).toEqual([
        ...[1, expect.stringContaining('Attachments cannot be stored in the folder')],
      ])
    },
  )

  test('incomplete S3 settings are refused at start, with the missing ones named', async () => {
    const data = join(folder(), 'data')
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
