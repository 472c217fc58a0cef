import { type TObject, Type as t } from '@sinclair/typebox'
import type { Caller, Clock, Context, PrepareContext, Server } from '../../../../kernel/caller.ts'
import type { Dispatch, Store } from '../../../../kernel/dispatch.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import {
  type Account,
  authorOf,
  type CodeHost,
  type HostClient,
  isOwnAccount,
  resolveAuthor,
  verifiesEmails,
} from '../../hosts/model/index.ts'
import type { Repository } from '../../repositories/model/index.ts'

export interface SyncServices {
  store: Store
  server: Server
  clock: Clock
  dispatch: Dispatch
}

/** A repository during one pass of the worker. */
export interface Target {
  services: SyncServices
  repository: Repository
  host: CodeHost
  client: HostClient
  /** The person who linked the repository. */
  linker: Caller
  /** Callers for accounts of the host, by login. */
  authors: Map<string, Caller>
}

/** Not in the catalog: only the worker dispatches it. */
const synchronize = operation({
  name: 'issues.synchronize',
  summary: 'Write what a code host reported',
  needs: 'tasks:write',
  on: {},
  input: t.Object({}),
  output: t.Object({}),
  run: async () => ({}),
})

interface Job<P, R> {
  /** Work that a transaction must not wait for. */
  prepare?(context: PrepareContext): Promise<P>
  run(context: Context, prepared: P): Promise<R>
}

/** Writes as a caller, like an operation: with the change log, and with clean texts. */
export async function runAs<R, P = undefined>(
  { dispatch }: SyncServices,
  caller: Caller,
  { prepare, run }: Job<P, R>,
): Promise<R> {
  const job = {
    ...synchronize,
    prepare: async (_: unknown, context: PrepareContext) => prepare?.(context),
    run: (_: unknown, context: Context, prepared: unknown) => run(context, prepared as P),
  }
  const { data } = await dispatch(caller, { ...job, output: synchronize.output as TObject }, {})
  return data as R
}

const TRUST_MS = 10 * 60_000
const MAX_TRUSTED = 10_000
/** Who may write to which repository, because hosts limit how often they answer that. */
const trustedOf = new WeakMap<Store, Map<string, Trust>>()
interface Trust {
  may: boolean
  at: number
}

async function isTrusted({ client, repository, host, services }: Target, account: Account) {
  if (isOwnAccount(host, account)) return true
  const trusted = trustedOf.get(services.store) ?? new Map<string, Trust>()
  trustedOf.set(services.store, trusted)
  const now = services.clock().getTime()
  const key = `${repository.repository_id} ${account.id} ${account.login}`
  const known = trusted.get(key)
  if (known && now - known.at < TRUST_MS) return known.may
  const may = await client.mayWrite(repository.name, account)
  if (trusted.size >= MAX_TRUSTED) trusted.clear()
  trusted.set(key, { may, at: now })
  return may
}

/**
 * The caller for what an account of the host wrote: the member behind it, or a placeholder. Texts
 * of people who may not write to the repository start no agents.
 */
export async function callerOfAccount(target: Target, account: Account): Promise<Caller> {
  const known = target.authors.get(account.login)
  if (known) return known
  const caller = await resolveCaller(target, account, await isTrusted(target, account))
  target.authors.set(account.login, caller)
  return caller
}

/**
 * The caller for an account that may prompt agents: a member of the board, or an account with write
 * access to the repository. Undefined for all others; nothing about them is stored.
 */
export async function trustedCaller(target: Target, account: Account): Promise<Caller | undefined> {
  const { services, host } = target
  const known = await services.store.read((tx) => authorOf(tx, host, account))
  const member = known?.isMember ? await memberCaller(target, known.actor_id) : undefined
  if (member) return member
  return (await isTrusted(target, account)) ? callerOfAccount(target, account) : undefined
}

/** The caller for changes whose author the host does not name. It starts no agents. */
export async function callerOfHost(target: Target): Promise<Caller> {
  const login = NAMES[target.host.kind]
  // No account has a colon in its name.
  const known = target.authors.get(':host')
  if (known) return known
  const caller = await resolveCaller(target, { id: '0', login: ':host', name: login }, false)
  target.authors.set(':host', caller)
  return caller
}

const NAMES = { github: 'GitHub', gitlab: 'GitLab', forgejo: 'Forgejo' } as const

/** GitHub shows the verified email of an account only with the account itself. */
async function withEmail({ client, host, services }: Target, account: Account): Promise<Account> {
  if (account.email || !verifiesEmails(host)) return account
  if (await services.store.read((tx) => authorOf(tx, host, account))) return account
  const found = await client.account(account.login)
  return found?.id === account.id ? found : account
}

async function resolveCaller(target: Target, account: Account, isWriter: boolean): Promise<Caller> {
  const { services, linker, host } = target
  const described = isWriter ? await withEmail(target, account) : account
  const author = await runAs(services, linker, {
    run: (ctx) => resolveAuthor(ctx, host, described, isWriter),
  })
  const member = author.isMember ? await memberCaller(target, author.actor_id) : undefined
  if (member) return member
  const { actor_id, isMember } = author
  const isOutsider = !isWriter && !isMember
  return { ...linker, actor_id, name: account.name, ...(isOutsider && { isOutsider }) }
}

/** Undefined if the member cannot see the board. */
async function memberCaller({ services, linker }: Target, actor_id: number) {
  return services.store.read(async (tx) => {
    const { scopes, projects, credential } = linker
    const caller: Caller = { ...(await callerFor(tx, actor_id)), scopes, projects, credential }
    const [project_id] = projects!
    return (await findVisibleProject({ tx, caller }, project_id!)) && caller
  })
}
