import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Client } from './client.ts'
import { type Command, Failed, WrongUsage } from './command.ts'
import type { Outside } from './outside.ts'

interface Told {
  filename: string
  size: number
  sha256: string
}

export const download = (outside: Outside): Command => ({
  summary: 'Save a file of a task or a comment',
  about: 'Without a name it is saved under its own in this folder; - is standard output.',
  example: 'cork attachments download 1 logo.png',
  args: [
    { name: 'attachment_id', about: 'As "cork attachments list" shows it', required: true },
    { name: 'file', about: 'Where to save it' },
  ],
  flags: { force: { type: 'boolean', about: 'Overwrite a file of that name' } },
  async run({ attachment_id, file, force, json }) {
    if (!/^\d{1,10}$/.test(attachment_id!))
      throw new WrongUsage(`<attachment_id> must be a number, not "${attachment_id}"`)
    const client = new Client(outside)
    const path = `/api/v1/attachments/${attachment_id}`
    const told = (await client.send({ method: 'GET', path })).data as Told
    const bytes = await bytesOf(client, `${path}/content`, told)
    if (file === '-') {
      await Bun.write(Bun.stdout, bytes)
      return 0
    }
    // A server need not be a friend.
    const target = file ?? basename(told.filename)
    await save(target, bytes, force !== undefined)
    outside.out(json === undefined ? target : JSON.stringify({ ...told, file: target }))
    return 0
  },
})

async function bytesOf(client: Client, path: string, { filename, sha256 }: Told) {
  const bytes = await (await client.open({ method: 'GET', path }, {})).bytes()
  if (new Bun.CryptoHasher('sha256').update(bytes).digest('hex') === sha256) return bytes
  throw new Failed(`${filename} did not arrive as it was sent. Try again`)
}

/** Whole, or not at all. */
async function save(target: string, bytes: Uint8Array, force: boolean): Promise<void> {
  if (!force && existsSync(target))
    throw new Failed(`${target} exists already. Name another file, or overwrite it with --force`)
  const part = `${target}.${process.pid}.part`
  try {
    await Bun.write(part, bytes, { createPath: false })
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true })
    throw new Failed(`${target} could not be written: ${(error as Error).message}`)
  }
}
