import type { BenchServers } from './bench-servers.ts'
import { boards } from './boards.ts'
import { claims } from './claims.ts'
import { collections } from './collections/collections.ts'
import { context } from './context.ts'
import { hostile } from './hostile.ts'
import { importBoard } from './import.ts'
import { imports } from './imports.ts'
import { list } from './list.ts'
import { live } from './live.ts'
import { mcp } from './mcp.ts'
import { myTasks } from './my-tasks.ts'
import { pages } from './pages.ts'
import { passages } from './passages.ts'
import { peers } from './peers/peers.ts'
import { postgres } from './postgres.ts'
import { quality } from './quality.ts'
import { quick } from './quick.ts'
import type { Row } from './report.ts'
import { scaling } from './scaling.ts'
import { search } from './search.ts'
import { searchers } from './searchers.ts'
import { similar } from './similar.ts'
import { sizing } from './sizing.ts'
import { start } from './start.ts'
import { sweeps } from './sweeps.ts'
import { tasks } from './tasks.ts'
import { webhooks } from './webhooks.ts'

/** What `npm run bench` measures, in this order. */
export const GROUPS: Record<string, (bench: BenchServers) => Promise<Row[]>> = {
  tasks,
  list,
  context,
  boards,
  'my-tasks': myTasks,
  pages,
  mcp,
  search,
  quick,
  passages,
  searchers,
  quality,
  collections,
  similar,
  claims,
  live,
  webhooks,
  hostile,
  sweeps,
  imports,
  import: importBoard,
  start,
  scaling,
  sizing,
  postgres,
  peers,
}
