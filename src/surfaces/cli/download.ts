import { basename } from 'node:path'
import { Client } from './client.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import type { CommandIO } from './io.ts'
import { save } from './save.ts'

interface FileInfo {
  filename: string
  size: number
  sha256: string
}

export const download = (io: CommandIO): Command => ({
  summary: 'Download a file of a task or comment',
  about:
    'Without <file>, it is saved in the current folder under its own name; - is standard output.',
  example: 'cork attachments download 1 logo.png',
  args: [
    {
      name: 'attachment_id',
      about: 'Number of the file, from "cork attachments list"',
      required: true,
    },
    { name: 'file', about: 'Where to save it' },
  ],
  flags: { force: { type: 'boolean', about: 'Overwrite an existing file' } },
  async run({ attachment_id, file, force, json }) {
    if (!/^\d{1,10}$/.test(attachment_id!))
      throw new UsageError(`<attachment_id> must be a number, not "${attachment_id}"`)
    const client = new Client(io)
    const path = `/api/v1/attachments/${attachment_id}`
    const info = (await client.send({ method: 'GET', path })).data as FileInfo
    const bytes = await fetchBytes(client, `${path}/content`, info)
    if (file === '-') {
      await Bun.write(Bun.stdout, bytes)
      return 0
    }
    // An untrusted server could send a path as the file name.
    const target = file ?? basename(info.filename)
    await save(target, bytes, force !== undefined)
    io.out(json === undefined ? target : JSON.stringify({ ...info, file: target }))
    return 0
  },
})

async function fetchBytes(client: Client, path: string, { filename, sha256 }: FileInfo) {
  const bytes = await (await client.open({ method: 'GET', path }, {})).bytes()
  if (new Bun.CryptoHasher('sha256').update(bytes).digest('hex') === sha256) return bytes
  throw new CommandError(`The download of ${filename} is incomplete or damaged. Try again`)
}
