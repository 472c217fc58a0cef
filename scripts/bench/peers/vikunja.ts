import { join } from 'node:path'
import type { TestServer } from '../bench-servers.ts'
import { freePort } from '../servers.ts'
import {
  copyPeerData,
  copyTasks,
  installed,
  lookUp,
  type Peer,
  type StartPeer,
  send,
  serveOn,
} from './peer.ts'

const ACCOUNT = { username: 'bench', email: 'bench@example.com', password: 'only-for-the-bench' }

async function serve(binary: string, folder: string) {
  const port = await freePort()
  const env = {
    VIKUNJA_SERVICE_INTERFACE: `127.0.0.1:${port}`,
    VIKUNJA_SERVICE_PUBLICURL: `http://127.0.0.1:${port}/`,
    VIKUNJA_SERVICE_ROOTPATH: folder,
    VIKUNJA_SERVICE_SECRET: 'only-for-the-bench',
    // Access tokens expire after ten minutes by default, which is less than the bench may take.
    VIKUNJA_SERVICE_JWTTTLSHORT: '86400',
    VIKUNJA_DATABASE_PATH: join(folder, 'vikunja.db'),
    VIKUNJA_FILES_BASEPATH: join(folder, 'files'),
  }
  return serveOn(port, [binary, 'web'], { folder, env, readyPath: '/api/v1/info' })
}

async function signIn(url: string): Promise<Record<string, string>> {
  const request = { method: 'POST', path: '/api/v1/login', body: ACCOUNT }
  const { token } = JSON.parse(await send({ url, headers: {} }, request))
  return { Authorization: `Bearer ${token}` }
}

async function createProjects(url: string, { boards }: TestServer) {
  const register = { method: 'POST', path: '/api/v1/register', body: ACCOUNT }
  await send({ url, headers: {} }, register)
  const user = { url, headers: await signIn(url) }
  for (const { key } of boards) {
    const body = { title: key, identifier: key }
    await send(user, { method: 'PUT', path: '/api/v1/projects', body })
  }
}

const time = (name: string) => `datetime(${name} / 1000, 'unixepoch')`

/** Vikunja stores a position of each task in each view, and its bucket in the board view. */
const STATEMENTS = [
  `insert into tasks (id, title, description, done, project_id, priority, "index", uid,
     repeat_after, hex_color, percent_done, created, updated, created_by_id)
   select task_id, task.title, coalesce(task.description, ''), 0, mine.id, priority, unique_index,
     'task-' || task_id, 0, '', 0, ${time('task.created_at')}, ${time('task.updated_at')}, 1
   from cork.tasks task join cork.projects board using (project_id)
     join main.projects mine on mine.identifier = board.key order by task_id`,
  `insert into task_positions (task_id, project_view_id, position)
   select tasks.id, view.id, "index" * 65536 from tasks
     join project_views view on view.project_id = tasks.project_id`,
  `insert into task_buckets (bucket_id, task_id, project_view_id)
   select view.default_bucket_id, tasks.id, view.id from tasks
     join project_views view on view.project_id = tasks.project_id
   where view.default_bucket_id > 0`,
  // A new task is placed before the first one of each view, for which Vikunja has no index.
  'create index positions_of_view on task_positions (project_view_id, position)',
]

export const vikunja: StartPeer = async (bench, fixture): Promise<Peer> => {
  const binary = installed('CORK_BENCH_VIKUNJA', 'vikunja')
  const folder = await copyPeerData(bench, fixture, 'vikunja', async (folder) => {
    const server = await serve(binary, folder)
    await createProjects(server.url, fixture).finally(server.stop)
    copyTasks(join(folder, 'vikunja.db'), fixture, STATEMENTS)
  })
  const project = lookUp(
    join(folder, 'vikunja.db'),
    'select id from projects where identifier = ?',
    fixture.boards[0]!.key,
  )
  const server = await serve(binary, folder)
  const tasks = `/api/v1/projects/${project}/tasks`
  return {
    ...{ ...server, headers: await signIn(server.url) },
    get: ({ task_id }) => ({ method: 'GET', path: `/api/v1/tasks/${task_id}` }),
    list: () => ({ method: 'GET', path: `${tasks}?sort_by=id&order_by=desc&per_page=50` }),
    create: (task) => ({ method: 'PUT', path: tasks, body: task }),
    comment: ({ task_id }, comment) => ({
      ...{ method: 'PUT', path: `/api/v1/tasks/${task_id}/comments`, body: { comment } },
    }),
  }
}
