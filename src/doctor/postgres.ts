import { connect } from '../store/connect.ts'
import { ReplicaSet } from '../store/replicas.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Settings without which a commit may be lost in a crash. */
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes']
const FEW_CONNECTIONS = 40

export async function checkEngine(url: string): Promise<Finding[]> {
  const pool = await connect(url)
  try {
    const { rows } = await pool.query<{ name: string; setting: string }>(
      "select name, setting from pg_settings where name = any($1) or name in ('server_version', 'max_connections')",
      [DURABLE],
    )
    const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
    const disabled = DURABLE.filter((name) => settings.get(name) === 'off')
    const maxConnections = Number(settings.get('max_connections') ?? FEW_CONNECTIONS)
    return [
      ok('database', `PostgreSQL ${settings.get('server_version')} answers`),
      ...disabled.map((name) =>
        warning(
          'database',
          `${name} is off: a crash of its machine may lose acknowledged writes`,
          `Turn it on in postgresql.conf, unless this is a test`,
        ),
      ),
      ...(maxConnections < FEW_CONNECTIONS
        ? [
            warning(
              'database',
              `it allows ${maxConnections} connections, and each cork server may use 16`,
              'Raise max_connections, or add ?pool=8 to DATABASE_URL',
            ),
          ]
        : []),
    ]
  } finally {
    await pool.end()
  }
}

/** Checks that every replica streams from the primary. */
export async function checkReplicas(
  url: string,
  replicaUrls: readonly string[],
): Promise<Finding[]> {
  if (!replicaUrls.length) return []
  const replicas = new ReplicaSet(url, replicaUrls)
  try {
    return (await replicas.states()).map(({ name, lagBytes }) =>
      lagBytes === undefined
        ? warning(
            'replicas',
            `${name} cannot be used, so its reads go to the primary`,
            'Check that it runs and is a streaming replica of the server in DATABASE_URL',
          )
        : ok('replicas', `${name} is ${lagBytes} bytes behind the primary`),
    )
  } finally {
    await replicas.close()
  }
}
