/**
 * A baseline for PostgreSQL: sends the statements with which the server creates a task, without the
 * server.
 *
 *   bun scripts/bench/replay-statements.ts <url> <recordings as JSON>
 *
 * Reads a line `<seconds> <clients> <boards>` at a time and prints a sample for each.
 */
import { Client } from 'pg'
import type { Recording } from './postgres.ts'
import { sampleOf } from './sample.ts'
import type { Statement } from './statement-recorder.ts'

const [, , url = '', recordingsJson = '[]'] = process.argv
const recordings: Recording[] = JSON.parse(recordingsJson)
const clients: Client[] = []

async function clientAt(at: number): Promise<Client> {
  const existing = clients[at]
  if (existing) return existing
  const client = new Client(url)
  clients[at] = client
  await client.connect()
  return client
}

/** Sends the statements, but with the number and the id of the task that they create now. */
async function create(client: Client, { statements, number, task_id }: Recording) {
  const created = { number, task_id }
  const replaceNumbers = (value: string | null) =>
    value?.replaceAll(number, created.number).replaceAll(task_id, created.task_id) ?? null
  for (const statement of statements) {
    const { rows } = await client.query(bind(statement, replaceNumbers))
    const row = rows?.[0]
    // The recording may also contain statements of background work, about other tasks.
    if (/^update "projects"/i.test(statement.text)) created.number = String(row.next_number - 1)
    if (/^insert into "tasks"/i.test(statement.text)) created.task_id = String(row.task_id)
  }
  if (created.number === number || created.task_id === task_id)
    throw new Error('The recorded statements did not create a new task')
}

const bind = (
  { text, name, values }: Statement,
  replace: (value: string | null) => string | null,
) => (values ? { text, ...(name && { name }), values: values.map(replace) } : { text })

async function run(seconds: number, clientCount: number, boards: number) {
  const all = await Promise.all(Array.from({ length: clientCount }, (_, at) => clientAt(at)))
  const times: number[] = []
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const deadline = startedAt + seconds * 1000
  await Promise.all(
    all.map(async (client, at) => {
      while (performance.now() < deadline) {
        const sentAt = performance.now()
        await create(client, recordings[at % boards]!)
        times.push(performance.now() - sentAt)
      }
    }),
  )
  const elapsed = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(before)
  return sampleOf(times, elapsed, { client: 0, server: (user + system) / 1e6 / elapsed })
}

for await (const line of console) {
  const [seconds = 0, clientCount = 0, boards = 0] = line.split(' ').map(Number)
  console.log(JSON.stringify(await run(seconds, clientCount, boards)))
}
