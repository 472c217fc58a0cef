import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestServer } from '../bench-servers.ts'
import { freePort, type Server } from '../servers.ts'
import {
  copyPeerData,
  copyTasks,
  installed,
  lookUp,
  type Peer,
  type StartPeer,
  send,
  serveOn,
  spawnPeer,
} from './peer.ts'

const TOKEN = 'only-for-the-bench'
const HEADERS = { Authorization: `Basic ${Buffer.from(`jsonrpc:${TOKEN}`).toString('base64')}` }
const ACCESS = { headers: HEADERS, refusal: '"error":' }
const WORKERS = 16

const rpc = (method: string, params: Record<string, unknown>) => ({
  ...{ method: 'POST', path: '/jsonrpc.php', body: { jsonrpc: '2.0', id: 1, method, params } },
})

const poolOf = (port: number) => `[global]
error_log = fpm.log
daemonize = no
[www]
user = root
group = root
listen = 127.0.0.1:${port}
pm = static
pm.max_children = ${WORKERS}
clear_env = no
`

const proxyOf = (source: string, port: number, workerPort: number) => `daemon off;
pid nginx.pid;
worker_processes auto;
events { worker_connections 1024; }
http {
  access_log nginx.log;
  client_body_temp_path temp;
  fastcgi_temp_path temp;
  proxy_temp_path temp;
  scgi_temp_path temp;
  uwsgi_temp_path temp;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    location / {
      fastcgi_pass 127.0.0.1:${workerPort};
      fastcgi_param SCRIPT_FILENAME ${source}$fastcgi_script_name;
      fastcgi_param SCRIPT_NAME $fastcgi_script_name;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param REQUEST_URI $request_uri;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param REMOTE_ADDR $remote_addr;
      fastcgi_param SERVER_PROTOCOL $server_protocol;
    }
  }
}
`

/** Debian names php-fpm after its version. */
function findWorker(): string {
  const names = ['php-fpm', ...['8.5', '8.4', '8.3', '8.2'].map((version) => `php-fpm${version}`)]
  const path = names.find((name) => Bun.which(name))
  if (!path || !Bun.which('nginx')) throw new Error('php-fpm or nginx is not installed')
  return path
}

/** Serves Kanboard with php-fpm behind nginx, as its container image does. */
async function serve(source: string, folder: string): Promise<Server> {
  const worker = findWorker()
  const [port, workerPort] = [await freePort(), await freePort()]
  writeFileSync(join(folder, 'fpm.conf'), poolOf(workerPort))
  writeFileSync(join(folder, 'nginx.conf'), proxyOf(source, port, workerPort))
  const env = { DATA_DIR: folder, API_AUTHENTICATION_TOKEN: TOKEN }
  const workers = spawnPeer([worker, '-R', '-p', folder, '-y', 'fpm.conf'], { folder, env })
  const nginx = ['nginx', '-p', folder, '-e', 'nginx.log', '-c', 'nginx.conf']
  const options = { folder, readyPath: '/healthcheck.php' }
  const proxy = await serveOn(port, nginx, options).catch(async (error) => {
    await workers.stop()
    throw error
  })
  return { ...proxy, stop: () => Promise.all([proxy.stop(), workers.stop()]) }
}

async function createProjects(url: string, { boards }: TestServer) {
  for (const { key } of boards)
    await send({ url, ...ACCESS }, rpc('createProject', { name: key, identifier: key }))
}

const STATEMENTS = [
  `insert into tasks (id, title, description, date_creation, date_modification, date_moved,
     color_id, project_id, column_id, swimlane_id, position, priority)
   select task_id, task.title, coalesce(task.description, ''), task.created_at / 1000,
     task.updated_at / 1000, task.created_at / 1000, 'yellow', mine.id,
     (select id from columns where project_id = mine.id and position = 1 + unique_index % 4),
     (select id from swimlanes where project_id = mine.id), 1 + unique_index / 4, priority
   from cork.tasks task join cork.projects board using (project_id)
     join main.projects mine on mine.identifier = board.key order by task_id`,
  // A new task counts the tasks of its column, for which Kanboard has no index.
  'create index tasks_of_column on tasks (project_id, column_id, swimlane_id, is_active)',
  'create index comments_of_task on comments (task_id)',
]

export const kanboard: StartPeer = async (bench, fixture): Promise<Peer> => {
  const source = installed('CORK_BENCH_KANBOARD')
  const folder = await copyPeerData(bench, fixture, 'kanboard', async (folder) => {
    const server = await serve(source, folder)
    await createProjects(server.url, fixture).finally(server.stop)
    copyTasks(join(folder, 'db.sqlite'), fixture, STATEMENTS)
  })
  const project_id = lookUp(
    join(folder, 'db.sqlite'),
    'select id from projects where identifier = ?',
    fixture.boards[0]!.key,
  )
  return {
    ...{ ...(await serve(source, folder)), ...ACCESS },
    get: ({ task_id }) => rpc('getTask', { task_id }),
    list() {
      throw new Error('its API has no pages: a list contains all tasks of a board')
    },
    create: (task) => rpc('createTask', { project_id, ...task }),
    comment: ({ task_id }, content) => rpc('createComment', { task_id, user_id: 1, content }),
  }
}
