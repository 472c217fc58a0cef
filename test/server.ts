import { Client } from 'pg'

const cluster = process.env.DATABASE_URL
export const onPostgres = /^postgres/.test(cluster ?? '')

let made = 0
let desk: ReturnType<typeof connected> | undefined

/** The one connection that makes databases and drops them. */
async function connected() {
  const client = new Client(cluster)
  await client.connect()
  const { rows } = await client.query("select current_setting('server_version_num') as version")
  // The default of newer servers writes every page into their log.
  const strategy = Number(rows[0].version) >= 150_000 ? 'strategy file_copy' : ''
  await dropAbandoned(client)
  return { client, strategy }
}

/** A process cannot wait for its databases to be dropped when it ends, so a later one drops them. */
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

export async function created(template: string) {
  const name = `test_${process.pid}_${made++}`
  desk ??= connected()
  const { client, strategy } = await desk
  await client.query(`create database ${name} template ${template} ${strategy}`)
  const url = new URL(cluster!)
  url.pathname = `/${name}`
  const drop = async () => {
    await client.query(`drop database if exists ${name} with (force)`)
  }
  return { url: url.href, drop }
}

/** Keeps what a database holds beside it, so that it can be put back. */
const REMEMBER = `do $$ declare one record; begin
  create schema seed;
  for one in select tablename from pg_tables where schemaname = 'public' loop
    execute format('create table seed.%1$I as table public.%1$I', one.tablename);
  end loop;
  create table seed.numbers as
    select sequencename, last_value from pg_sequences where schemaname = 'public';
end $$`

const RESTORE = `do $$ declare one record; begin
  set local session_replication_role = replica;
  for one in select tablename from pg_tables where schemaname = 'public' loop
    execute format('delete from public.%1$I', one.tablename);
    execute format('insert into public.%1$I select * from seed.%1$I', one.tablename);
  end loop;
  for one in select * from seed.numbers loop
    perform setval(format('public.%I', one.sequencename), coalesce(one.last_value, 1), one.last_value is not null);
  end loop;
end $$`

interface Copy {
  url: string
  client: Client
}

/**
 * Copies of a database. Making one and dropping it takes ten times as long as putting everything
 * back, so those given back are lent again.
 */
export class Reused {
  private readonly free: Copy[] = []
  private ready: Promise<void> | undefined

  constructor(private readonly original: string) {}

  async lend() {
    this.ready ??= remember(this.original)
    await this.ready
    const copy = this.free.pop() ?? (await this.copied())
    await copy.client.query(RESTORE)
    return { url: copy.url, giveBack: () => void this.free.push(copy) }
  }

  private async copied(): Promise<Copy> {
    const { url } = await created(new URL(this.original).pathname.slice(1))
    const client = new Client(url)
    await client.connect()
    return { url, client }
  }
}

async function remember(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(REMEMBER)
  await client.end()
}
