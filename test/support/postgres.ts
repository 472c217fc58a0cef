import { Client } from 'pg'

const serverUrl = process.env.DATABASE_URL
export const onPostgres = /^postgres/.test(serverUrl ?? '')

let databaseCount = 0
let adminConnection: ReturnType<typeof connectAdmin> | undefined

/** Opens the connection that creates and drops databases. */
async function connectAdmin() {
  const client = new Client(serverUrl)
  await client.connect()
  const { rows } = await client.query("select current_setting('server_version_num') as version")
  // The default strategy of PostgreSQL 15 and later writes every page into the WAL.
  const strategy = Number(rows[0].version) >= 150_000 ? 'strategy file_copy' : ''
  await dropAbandoned(client)
  return { client, strategy }
}

/** A process cannot drop its databases when it ends, so a later one does. */
async function dropAbandoned(client: Client): Promise<void> {
  const { rows } = await client.query("select datname from pg_database where datname ~ '^test_'")
  for (const { datname } of rows)
    if (!isRunning(Number(datname.split('_')[1])))
      await client.query(`drop database if exists ${datname} with (force)`)
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export async function createDatabase(template: string) {
  const name = `test_${process.pid}_${databaseCount++}`
  adminConnection ??= connectAdmin()
  const { client, strategy } = await adminConnection
  await client.query(`create database ${name} template ${template} ${strategy}`)
  const url = new URL(serverUrl!)
  url.pathname = `/${name}`
  const drop = async () => {
    await client.query(`drop database if exists ${name} with (force)`)
  }
  return { url: url.href, drop }
}

/** Copies the contents of every table into the schema "seed", from which they can be restored. */
const SAVE_CONTENTS = `do $$ declare one record; begin
  create schema seed;
  for one in select tablename from pg_tables where schemaname = 'public' loop
    execute format('create table seed.%1$I as table public.%1$I', one.tablename);
  end loop;
  create table seed.numbers as
    select sequencename, last_value from pg_sequences where schemaname = 'public';
end $$`

const RESTORE_CONTENTS = `do $$ declare one record; begin
  set local session_replication_role = replica;
  for one in select tablename from pg_tables where schemaname = 'public' loop
    execute format('delete from public.%1$I', one.tablename);
    execute format('insert into public.%1$I select * from seed.%1$I', one.tablename);
  end loop;
  for one in select * from seed.numbers loop
    perform setval(format('public.%I', one.sequencename), coalesce(one.last_value, 1), one.last_value is not null);
  end loop;
end $$`

interface DatabaseCopy {
  url: string
  client: Client
}

/**
 * Copies of a database. Creating and dropping one takes ten times as long as restoring its
 * contents, so released copies are reused.
 */
export class DatabaseCopyPool {
  private readonly free: DatabaseCopy[] = []
  private ready: Promise<void> | undefined

  constructor(private readonly templateUrl: string) {}

  async acquire() {
    this.ready ??= saveContents(this.templateUrl)
    await this.ready
    const copy = this.free.pop() ?? (await this.createCopy())
    await copy.client.query(RESTORE_CONTENTS)
    return { url: copy.url, release: () => void this.free.push(copy) }
  }

  private async createCopy(): Promise<DatabaseCopy> {
    const { url } = await createDatabase(new URL(this.templateUrl).pathname.slice(1))
    const client = new Client(url)
    await client.connect()
    return { url, client }
  }
}

async function saveContents(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(SAVE_CONTENTS)
  await client.end()
}
