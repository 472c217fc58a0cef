import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { CodeHost, Fetch, FileStore, Library, Mail, Post, TextWork } from './outside.ts'

/** What a credential can be allowed to do. `:read` is served without a write transaction. */
export const SCOPES = [
  'profile:read',
  'profile:write',
  'keys:read',
  'keys:manage',
  'teams:read',
  'teams:manage',
  'agents:manage',
  'projects:read',
  'projects:write',
  'projects:manage',
  'projects:instruct',
  'tasks:read',
  'tasks:write',
  'pages:read',
  'pages:write',
] as const

export type Scope = (typeof SCOPES)[number]
export type Role = 'owner' | 'admin' | 'member' | 'guest'

/** Who is asking, resolved from a credential once per request. */
export interface Caller {
  kind: 'person' | 'agent'
  actor_id: number
  name: string
  /** The agent's public id; absent for people. */
  agent_id?: string
  /** The person whose memberships count: oneself, or the agent's owner. */
  person_id: number
  teams: ReadonlyMap<number, Role>
  scopes: ReadonlySet<Scope>
  /** Boards an agent is confined to; absent means all that its owner can see. */
  projects?: ReadonlySet<number>
  time_zone: string
  /** Names the credential, never its secret: `key:7`, `session:3`. */
  credential: string
  /** The client's network address; absent where nothing came over the network. */
  address?: string
}

/** The doors of Drizzle that work alike on both engines. */
export type Tx = Pick<
  PgDatabase<PgQueryResultHKT, Record<string, never>>,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

export type Clock = () => Date

/** Where a change happened; it decides who may hear of it. */
export interface Place {
  team_id?: number
  project_id?: number
  task_id?: number
}

export interface Change {
  type: string
  place: Place
  data: Record<string, unknown>
  recipients?: Recipients
}

/**
 * The recipients of a change at the moment it is written. Notifications are created later, when
 * a task may have other assignees.
 */
export interface Recipients {
  /** Assignees, creator and earlier authors. */
  participants: readonly number[]
  /** Whose comment or call a comment answers. */
  answered?: readonly number[]
}

type Emit = (
  type: string,
  place: Place,
  data: Record<string, unknown>,
  recipients?: Recipients,
) => void

/** Gathers changes in a list until they are written. */
export const emitInto =
  (changes: Change[]): Emit =>
  (type, place, data, recipients) =>
    void changes.push({ type, place, data, ...(recipients && { recipients }) })

export interface Warning {
  field: string
  code: string
  message: string
}

/** What an operation may know of the process it runs in. */
export interface Server {
  /** The public base address, without a slash at its end. */
  url: string
  time_zone: string
  version: string
  /** Milliseconds on a clock that never jumps, for limits and waits. */
  elapsed(): number
  /** Of the tools' schemas, by which a client notices that they changed. */
  schema_version: string
  /** The board, by number or key, on which reports about the server become tickets. */
  feedback_project?: string | undefined
  /** Where skills may be imported from. */
  code_hosts: readonly CodeHost[]
  /** A JWT over these claims, signed with this installation's key. */
  sign(claims: Record<string, unknown>): Promise<string>
  /** For `prepare`: nothing that a transaction waits for. */
  files: FileStore
  /** The most bytes of files: of a team, and sent by a credential in a day. 0 sets no limit. */
  quotas: { team: number; day: number }
  /** Counts what a caller sent before it is kept, and refuses what is too much for a day. */
  chargeFiles(caller: Caller, bytes: number): Promise<void>
  fetch: Fetch
  post: Post
  texts: TextWork
  mail: Mail
  library: Library
  chat: Chatting
}

/** What operations need to know of the model that answers in chat. */
export interface Chatting {
  /** Nothing where whoever runs the server named none. */
  readonly model: { provider: string; model: string } | undefined
  /** What is said then: how to set one. */
  readonly missing: { message: string; hint: string }
  /** Takes back what a call of that thread did; false where that was done before. For `prepare`. */
  undo(caller: Caller, thread_id: number, call_id: string): Promise<boolean>
}

/** What is known before a transaction begins. */
export interface Ask {
  caller: Caller
  now: Date
  server: Server
}

/** For `prepare`, which may look at what it needs; that may have changed by the time it is acted on. */
export interface Looking extends Ask {
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  /** Adds a warning to the answer, as `Context.warn` does. */
  warn(field: string, code: string, message: string): void
}

/** All that an operation may touch while it runs. */
export interface Context extends Ask {
  tx: Tx
  needs: Scope
  emit: Emit
  warn(field: string, code: string, message: string): void
  /**
   * What a read leaves behind, such as when it last happened. It is written in a transaction of its
   * own once there is an answer; the answer does not depend on it.
   */
  later(job: (tx: Tx) => Promise<void>): void
  /**
   * The result of work that a transaction must not wait for. The first call ends the transaction;
   * `run` starts again once the work is done. The key must name all that the result depends on.
   */
  resolve<T>(key: string, work: () => Promise<T>): T
}

/** What it takes to change a row and to tell of it; time alone brings some changes about. */
export interface Writer extends Pick<Context, 'tx' | 'now' | 'emit'> {
  caller: Pick<Caller, 'actor_id'>
}
