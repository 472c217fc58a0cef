/**
 * What a bare program gets out of PostgreSQL with the statements that the server sends for one
 * created task.
 *
 *   bun scripts/bench/replay.ts <address> <recordings as JSON>
 *
 * Reads a line `<seconds> <clients> <boards>` at a time and answers each with a sample.
 */
import { Client } from 'pg'
import type { Recording } from './postgres.ts'
import type { Statement } from './recorder.ts'
import { sampleOf } from './sample.ts'

const [, , address = '', told = '[]'] = process.argv
const recordings: Recording[] = JSON.parse(told)
const clients: Client[] = []

async function clientAt(at: number): Promise<Client> {
  const before = clients[at]
  if (before) return before
  const client = new Client(address)
  clients[at] = client
  await client.connect()
  return client
}

/** The same statements, but with the number and the id that this task gets. */
async function create(client: Client, { statements, number, task_id }: Recording) {
  const mine = { number, task_id }
  const own = (value: string | null) =>
    value?.replaceAll(number, mine.number).replaceAll(task_id, mine.task_id) ?? null
  for (const statement of statements) {
    const { rows } = await client.query(bound(statement, own))
    const row = rows?.[0]
    // What the server did beside the request was heard too, and reads tasks of its own.
    if (/^update "projects"/i.test(statement.text)) mine.number = String(row.next_number - 1)
    if (/^insert into "tasks"/i.test(statement.text)) mine.task_id = String(row.task_id)
  }
  if (mine.number === number || mine.task_id === task_id)
    throw new Error('The recording made no task of its own')
}

const bound = ({ text, name, values }: Statement, own: (value: string | null) => string | null) =>
  values ? { text, ...(name && { name }), values: values.map(own) } : { text }

async function run(seconds: number, many: number, boards: number) {
  const all = await Promise.all(Array.from({ length: many }, (_, at) => clientAt(at)))
  const times: number[] = []
  const before = process.cpuUsage()
  const began = performance.now()
  const ends = began + seconds * 1000
  await Promise.all(
    all.map(async (client, at) => {
      while (performance.now() < ends) {
        const asked = performance.now()
        await create(client, recordings[at % boards]!)
        times.push(performance.now() - asked)
      }
    }),
  )
  const elapsed = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  return sampleOf(times, elapsed, { client: 0, server: (user + system) / 1e6 / elapsed })
}

for await (const line of console) {
  const [seconds = 0, many = 0, boards = 0] = line.split(' ').map(Number)
  console.log(JSON.stringify(await run(seconds, many, boards)))
}
