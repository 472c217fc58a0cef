import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { NamedRule } from './board-rules.ts'
import type { ChangeType } from './changes.ts'
import type {
  CallApi,
  CodeHost,
  Fetch,
  FileStore,
  MailTransport,
  Post,
  SearchIndex,
  Signals,
  TextTasks,
} from './services.ts'

/** What a credential may do. Operations with a `:read` scope run without a write transaction. */
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

/**
 * The newest state of the database that a request knows: a later one is a greater text. Only a
 * replica that has reached it answers reads of the request. Without it they go to the primary.
 */
export interface KnownPosition {
  value: string | undefined
}

/** The actor behind a request, resolved from a credential once per request. */
export interface Caller {
  kind: 'person' | 'agent'
  actor_id: number
  name: string
  /** The agent's public id; absent for people. */
  agent_id?: string
  /** The person whose memberships apply: the caller, or the owner of the agent. */
  person_id: number
  teams: ReadonlyMap<number, Role>
  scopes: ReadonlySet<Scope>
  /** For the access token of an OAuth client: scopes that its person can still allow it. */
  grantable?: ReadonlySet<Scope>
  /** Boards that the credential is restricted to; absent means all that its person can see. */
  projects?: ReadonlySet<number>
  time_zone: string
  /** The chosen language of a person, as a BCP 47 tag; `auto` if they have chosen none. */
  locale?: string
  /** The language of the first team that has one. */
  team_locale?: string
  /** The Accept-Language header of a browser session. */
  accept_language?: string
  /** Identifies the credential without its secret: `key:7`, `session:3`. */
  credential: string
  /** The client's network address; absent if the call did not come over the network. */
  address?: string
  /** The author of a text from another product, who is no member: it starts no agent. */
  isOutsider?: true
  /** Absent if the server has no replicas. */
  position?: KnownPosition
  /** The rule of a board that makes the call; the change log stores it with each change. */
  cause?: RuleCause
}

export interface RuleCause {
  rule_id: string
  /** How many rules in a row have led to the change. */
  depth: number
  /** What the rule does, as its sentence was at that time. */
  sentence: string
  /** The same for readers of other languages; absent if it would be too long. */
  definition?: NamedRule | undefined
}

/** The methods of Drizzle that work alike on both engines. */
export type Tx = Pick<
  PgDatabase<PgQueryResultHKT, Record<string, never>>,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'with' | '$with'
>

export type Clock = () => Date

/** Where a change happened; it decides who may see the change. */
export interface Place {
  team_id?: number
  project_id?: number
  task_id?: number
}

export interface Change {
  type: ChangeType
  place: Place
  data: Record<string, unknown>
  recipients?: Recipients
}

/**
 * The recipients of a change at the moment it is written. Notifications are created later, when
 * a task may have other assignees.
 */
export interface Recipients {
  /** Assignees, creator and earlier authors who still watch the task, and others who watch it. */
  participants: readonly number[]
  /** Whose comment or call a comment answers. */
  answered?: readonly number[]
}

type Emit = (
  type: ChangeType,
  place: Place,
  data: Record<string, unknown>,
  recipients?: Recipients,
) => void

/** Collects changes in a list until they are written. */
export const emitInto =
  (changes: Change[]): Emit =>
  (type, place, data, recipients) =>
    void changes.push({ type, place, data, ...(recipients && { recipients }) })

export interface Warning {
  field: string
  code: string
  message: string
}

/** The process that an operation runs in: its settings and services. */
export interface Server {
  /** The public base URL, without a trailing slash. */
  url: string
  time_zone: string
  version: string
  /** Milliseconds on a monotonic clock, for limits and waits. */
  elapsed(): number
  /** Digest of the tool schemas; clients compare it to notice changes. */
  schema_version: string
  /** The board, by id or key, on which feedback about the server becomes tasks. */
  feedback_project?: string | undefined
  /** How people sign in here. */
  sign_in: SignInOptions
  /** Servers that skills may be imported from. */
  code_hosts: readonly CodeHost[]
  /** Creates a JWT with these claims, signed with the key of this installation. */
  sign(claims: Record<string, unknown>): Promise<string>
  /** Encrypts and decrypts a secret in the database; the purpose separates kinds of secrets. */
  encrypt(purpose: string, text: string): string
  decrypt(purpose: string, encrypted: string): string
  /** Only for `prepare`, because a transaction must not wait for it. */
  files: FileStore
  /** Limits in bytes of files, per team and per credential and day. 0 means no limit. */
  quotas: { team: number; day: number }
  /** Charges bytes to the caller's daily quota before they are stored; throws if it is used up. */
  chargeFiles(caller: Caller, bytes: number): Promise<void>
  fetch: Fetch
  post: Post
  callApi: CallApi
  textTasks: TextTasks
  mail: MailTransport
  searchIndex: SearchIndex
  signals: Signals
  chat: ChatService
}

/** An OpenID Connect issuer through which people sign in. */
export interface IssuerName {
  /** Identifies it in addresses of this server: 1 to 9. */
  number: number
  /** The name on its button. */
  name: string
  /** The URL that identifies it in tokens. */
  issuer: string
}

export interface SignInOptions {
  /** Whether people can sign in with a password. */
  passwords: boolean
  issuers: readonly IssuerName[]
}

/** What operations need from the chat. */
export interface ChatService {
  /** Undefined if the operator configured no model. */
  readonly model: { provider: string; model: string } | undefined
  /** The error for a missing model, with a hint on how to configure one. */
  readonly unavailable: { message: string; hint: string }
  /** Undoes a tool call of a thread; false if it was undone before. For `prepare`. */
  undo(caller: Caller, thread_id: number, call_id: string): Promise<boolean>
}

/** What is known of a request before its transaction begins. */
export interface RequestContext {
  caller: Caller
  now: Date
  server: Server
}

/** For `prepare`, which may read the database; rows may have changed by the time `run` begins. */
export interface PrepareContext extends RequestContext {
  read<T>(job: (tx: Tx) => Promise<T>): Promise<T>
  /** Adds a warning to the response, as `Context.warn` does. */
  warn(field: string, code: string, message: string): void
}

/** Everything that an operation may use while it runs. */
export interface Context extends RequestContext {
  tx: Tx
  needs: Scope
  emit: Emit
  warn(field: string, code: string, message: string): void
  /**
   * Schedules a write of a read operation, such as the time of its last use. It runs in its own
   * transaction after the result is known; the result does not depend on it.
   */
  afterRead(job: (tx: Tx) => Promise<void>): void
  /** Calls back after the commit of a write, and not at all if it fails. */
  afterCommit(job: () => void): void
  /**
   * Returns the result of work that a transaction must not wait for. The first call ends the
   * transaction, and `run` starts again once the work is done. The key must include everything that
   * the result depends on.
   */
  resolve<T>(key: string, work: () => Promise<T>): T
  /**
   * Runs a part of the operation, after the guard of the operation for the tasks of the part. If it
   * throws, nothing of it is written or logged, and the operation may go on with the next part.
   */
  attempt<T>(taskIds: () => Promise<readonly number[]>, part: () => Promise<T>): Promise<T>
}

/** What it takes to change rows and record changes; scheduled work has no full `Context`. */
export interface WriteContext extends Pick<Context, 'tx' | 'now' | 'emit'> {
  caller: Pick<Caller, 'actor_id'>
}
