/**
 * Compares Corkboard with other task boards on the same machine, with the same tasks on the same
 * boards. Each peer uses SQLite and runs as installed: with its own settings of the database, its
 * default log and no rate limits. Vikunja and Kanboard also get the indexes that they lack for
 * boards of this size. A peer that is missing or fails has a note instead of a figure.
 *
 * - PocketBase is built here as a Go program. Its `synchronous=NORMAL` means that a crash of the
 *   machine can lose the last commits. Corkboard syncs each commit before it responds. The rows
 *   "PocketBase, synced" compare with a PocketBase that does so too. Its lists do not count all
 *   tasks, and every signed-in user may see every board, which spares it a join.
 * - Vikunja is the executable at CORK_BENCH_VIKUNJA, or `vikunja` on the path. It syncs each
 *   commit. The client signs in as the web app does, because Vikunja hashes an API token 10,000
 *   times at each request.
 * - Kanboard is the folder at CORK_BENCH_KANBOARD, served by php-fpm with its opcode cache, behind
 *   nginx. It has `synchronous=NORMAL`. The client uses the token of the whole application, which
 *   spares it the checks of a user's permissions.
 * - beads is `bd` at CORK_BENCH_BEADS or on the path. Each command opens a database in its folder,
 *   and a command of Corkboard calls a server.
 *
 * Vikunja and Kanboard refuse some of the writes that come at the same time, because they do not
 * wait for the lock of the database. A row with a refused request has no figure.
 */
import type { BenchServers, TestServer } from '../bench-servers.ts'
import { load, requestOf, roundRobin } from '../client.ts'
import type { Row } from '../report.ts'
import { compareRuns, rateRatio, type TimedRun } from '../sample.ts'
import { compareWithBeads } from './beads.ts'
import { corkboard } from './corkboard.ts'
import { kanboard } from './kanboard.ts'
import { OPERATIONS, type Operation, type OperationName } from './operations.ts'
import { noteOf, ofPeer, type Peer, type StartPeer, send } from './peer.ts'
import { durablePocketbase, pocketbase } from './pocketbase.ts'
import { vikunja } from './vikunja.ts'

const PEERS: Record<string, StartPeer> = {
  PocketBase: pocketbase,
  'PocketBase, synced': durablePocketbase,
  Vikunja: vikunja,
  Kanboard: kanboard,
}

/** Each row: the operation, the connections, the peer, and how much faster Corkboard should be. */
const ROWS: readonly [OperationName, number, string, number?][] = [
  ['get', 16, 'PocketBase'],
  ['get', 16, 'Vikunja'],
  ['get', 16, 'Kanboard'],
  ['list', 16, 'PocketBase', 10],
  ['list', 16, 'Vikunja'],
  ['list', 16, 'Kanboard'],
  ['search', 1, 'PocketBase', 4],
  ['create', 1, 'PocketBase', 1],
  ['create', 16, 'PocketBase', 1.5],
  ['create', 64, 'PocketBase', 2],
  ['create', 16, 'PocketBase, synced'],
  ['create', 1, 'Vikunja'],
  ['create', 16, 'Vikunja'],
  ['create', 1, 'Kanboard'],
  ['create', 16, 'Kanboard'],
  ['comment', 16, 'PocketBase', 1.5],
  ['comment', 16, 'Vikunja'],
  ['comment', 16, 'Kanboard'],
]

export async function peers(bench: BenchServers): Promise<Row[]> {
  const rows: Row[] = ROWS.map(([operation, connections, baselineName, min]) => ({
    ...{ group: 'peers', measurement: OPERATIONS[operation].measurement(bench.sizes) },
    ...{ connections, baselineName, unit: '×', ...(min && { target: { min } }) },
  }))
  const fixture = await bench.large()
  for (const [name, start] of Object.entries(PEERS)) {
    const peer = ofPeer(start(bench, fixture))
    for (const [at, [operation, connections, of]] of ROWS.entries()) {
      if (of !== name) continue
      const row = await compare(bench, peer, operation, connections).catch(noteOf)
      Object.assign(rows[at]!, row)
    }
    await peer.then(({ stop }) => stop(), noteOf)
  }
  return [...rows, ...(await compareWithBeads(bench))]
}

/** Compares Corkboard with a running peer. */
async function compare(
  bench: BenchServers,
  starting: Promise<Peer>,
  operation: OperationName,
  connections: number,
): Promise<Partial<Row>> {
  const peer = await starting
  const isRead = ['get', 'list', 'search'].includes(operation)
  const server = await (isRead ? bench.large() : bench.writable('large'))
  const subject = await runOf(corkboard(server), server, operation, connections)
  const run = await ofPeer(runOf(peer, server, operation, connections))
  const baseline: TimedRun = (seconds) => ofPeer(run(seconds))
  return compareRuns(bench.settings, { subject, baseline }, rateRatio)
}

/** Checks the first response, and returns a run of all requests. */
async function runOf(
  peer: Peer,
  fixture: TestServer,
  operation: OperationName,
  connections: number,
): Promise<TimedRun> {
  const { requests, isComplete }: Operation = OPERATIONS[operation]
  const all = requests(peer, fixture)
  const text = await send(peer, all[0]!)
  if (isComplete && !isComplete(text, fixture))
    throw new Error(`${all[0]!.path} returned wrong tasks: ${text.slice(0, 200)}`)
  const bytes = all.map(({ method, path, body }) =>
    requestOf(method, path, { body, headers: peer.headers }),
  )
  return load({ target: peer, connections, next: roundRobin(bytes), refusal: peer.refusal })
}
