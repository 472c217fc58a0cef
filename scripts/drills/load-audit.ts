/** What drills under load have in common: boards for the clients, and what their writes must leave. */
import { Client } from 'pg'
import { sendRequest } from '../../test/binary/cork.ts'
import type { Owner } from '../../test/binary/rest-callers.ts'
import type { Query } from '../../test/crash/audit.ts'
import { LABEL, type Load } from './load.ts'

const BOARDS = 4

export async function connect(url: string): Promise<{ query: Query; close(): Promise<void> }> {
  const client = new Client(url)
  await client.connect()
  const query: Query = async <T>(sql: string) => (await client.query(sql)).rows as T[]
  return { query, close: () => client.end() }
}

export async function createBoards(url: string, { team_id, api_key }: Owner): Promise<number[]> {
  const boards: number[] = []
  for (let at = 1; at <= BOARDS; at++) {
    const sections = [{ title: 'To do' }]
    const board = { team_id, title: `Harbour ${at}`, sections, labels: [{ name: LABEL }] }
    const { body } = await sendRequest(url, api_key, 'POST', '/api/v1/projects', board)
    boards.push(body.data.project_id)
  }
  return boards
}

export function longestPause(times: readonly number[], from: number, to: number): number {
  const moments = [from, ...times.filter((time) => time > from && time < to), to]
  return Math.max(...moments.slice(1).map((time, at) => time - moments[at]!))
}

export async function findLostTasks(query: Query, { titles }: Load): Promise<string[]> {
  const rows = await query<{ task_id: number; title: string }>('select task_id, title from tasks')
  const stored = new Map(rows.map(({ task_id, title }) => [Number(task_id), title]))
  return [...titles].flatMap(([task_id, title]) =>
    stored.get(task_id) === title
      ? []
      : [`task ${task_id} "${title}" is ${stored.get(task_id) ?? 'missing'}`],
  )
}

/** A lease that was never released must still be the lease of its task. */
export async function findLostClaims(query: Query, { claims }: Load): Promise<string[]> {
  const rows = await query<{ lease_id: string; isOpen: boolean }>(
    'select lease_id, ended_at is null as "isOpen" from leases',
  )
  const isOpen = new Map(rows.map(({ lease_id, isOpen }) => [lease_id, isOpen]))
  return [...claims.values()].flatMap(({ lease_id, task_id, agent, releasedAt }) =>
    releasedAt !== undefined || isOpen.get(lease_id)
      ? []
      : [`task ${task_id} is no longer claimed by ${agent}`],
  )
}

/** A repeated request must not create a second task. */
export async function findDuplicates(query: Query): Promise<string[]> {
  const rows = await query<{ title: string }>(
    'select title from tasks group by title having count(*) > 1',
  )
  return rows.map(({ title }) => `"${title}" was created twice`)
}
