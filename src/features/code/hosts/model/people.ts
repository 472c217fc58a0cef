import { and, eq, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { createPlaceholder, placeholders } from '../../../boards/imports/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import type { Account } from './clients/client.ts'
import type { HostKind, MappedBy } from './schema.ts'
import type { CodeHost } from './store.ts'
import { codePeople } from './tables.ts'

/** Who an account is here. */
export interface Author {
  actor_id: number
  isMember: boolean
}

const VERIFYING_HOSTS: Partial<Record<HostKind, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
}

/**
 * Whether the email that a host shows for an account was verified. A server that somebody runs
 * themselves may let everybody enter any address, and its API does not tell.
 */
export const verifiesEmails = ({ kind, url }: Pick<CodeHost, 'kind' | 'url'>): boolean =>
  VERIFYING_HOSTS[kind] === url

/** Whether it is the account of the token. */
export const isOwnAccount = (
  { login, account_id }: Pick<CodeHost, 'login' | 'account_id'>,
  account: Pick<Account, 'id' | 'login'>,
): boolean =>
  account_id === null
    ? account.login.toLowerCase() === login.toLowerCase()
    : account.id === account_id

type AccountRef = Pick<Account, 'login'> & Partial<Pick<Account, 'id'>>

/** Hosts name accounts that were deleted without an id. */
const NO_ID = '0'

const isMember = async (tx: Tx, team_id: number, actor_id: number): Promise<boolean> => {
  const row = and(eq(members.team_id, team_id), eq(members.actor_id, actor_id))
  return (await tx.select({ id: members.actor_id }).from(members).where(row)).length > 0
}

const fold = (login: string) => login.toLowerCase()

const byLogin = ({ host_id }: CodeHost, login: string) =>
  and(eq(codePeople.host_id, host_id), eq(codePeople.login, fold(login)))

const byId = ({ host_id }: CodeHost, account_id: string) =>
  and(eq(codePeople.host_id, host_id), eq(codePeople.account_id, account_id))

/**
 * The row of an account. Its id decides: a row with its name and another id belongs to somebody who
 * gave the name up. The assignees of an issue have a name only.
 */
async function findRow(tx: Tx, host: CodeHost, { id, login }: AccountRef) {
  const hasId = id !== undefined && id !== NO_ID
  const [same] = hasId ? await tx.select().from(codePeople).where(byId(host, id)) : []
  if (same) return same
  const [named] = await tx.select().from(codePeople).where(byLogin(host, login))
  return id === undefined || named?.account_id === null ? named : undefined
}

/** The member or placeholder of an account; undefined if it is not known yet. */
export async function authorOf(
  tx: Tx,
  host: CodeHost,
  account: AccountRef,
): Promise<Author | undefined> {
  const row = await findRow(tx, host, account)
  if (!row) return undefined
  const [placeholder] = await tx
    .select({ replaced_by: placeholders.replaced_by })
    .from(placeholders)
    .where(eq(placeholders.actor_id, row.actor_id))
  const actor_id = placeholder?.replaced_by ?? row.actor_id
  return { actor_id, isMember: await isMember(tx, host.team_id, actor_id) }
}

/** The member with this email, if there is one. */
async function memberByEmail(tx: Tx, team_id: number, email: string) {
  const [row] = await tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .innerJoin(people, eq(people.actor_id, members.actor_id))
    .where(and(eq(members.team_id, team_id), eq(people.email, email.toLowerCase())))
  return row?.actor_id
}

/**
 * Who an account is here. A new one becomes the member with the same email, if the host has verified
 * that email and the account may write to the repository. Otherwise it becomes a placeholder, until
 * an admin or the member says who it is.
 */
export async function resolveAuthor(
  ctx: Context,
  host: CodeHost,
  account: Account,
  isTrusted: boolean,
): Promise<Author> {
  const { team_id } = host
  const known = await authorOf(ctx.tx, host, account)
  if (known) {
    await followRename(ctx.tx, host, account)
    return known
  }
  const isVerified = isTrusted && account.email !== undefined && verifiesEmails(host)
  const member = isVerified ? await memberByEmail(ctx.tx, team_id, account.email!) : undefined
  const actor_id = member ?? (await createPlaceholderOf(ctx, host, account))
  await mapAccount(ctx.tx, host, account, { actor_id, mapped_by: member ? 'email' : null })
  return { actor_id, isMember: member !== undefined }
}

/** Keeps the name of an account that was renamed at the host. */
async function followRename(tx: Tx, host: CodeHost, { id, login }: Account): Promise<void> {
  if (id === NO_ID) return
  const isRenamed = and(byId(host, id), ne(codePeople.login, fold(login)))
  if (!(await tx.select().from(codePeople).where(isRenamed)).length) return
  await tx.delete(codePeople).where(byLogin(host, login))
  await tx
    .update(codePeople)
    .set({ login: fold(login) })
    .where(isRenamed)
}

export const createPlaceholderOf = (
  ctx: Context,
  { team_id }: CodeHost,
  { login, name }: Pick<Account, 'login' | 'name'>,
): Promise<number> =>
  // No account has a colon in its name.
  createPlaceholder(ctx, team_id, { name: (login.startsWith(':') ? name : login).slice(0, 100) })

interface Mapping {
  actor_id: number
  mapped_by: MappedBy | null
}

/** Says who an account is. A row of another account with its name is deleted. */
export async function mapAccount(
  tx: Tx,
  host: CodeHost,
  { id, login }: Pick<Account, 'id' | 'login'>,
  mapping: Mapping,
): Promise<void> {
  const { team_id, host_id } = host
  const account_id = id === NO_ID || login.startsWith(':') ? null : id
  await tx.delete(codePeople).where(byLogin(host, login))
  if (account_id !== null) await tx.delete(codePeople).where(byId(host, account_id))
  const row = { team_id, host_id, login: fold(login), account_id, ...mapping }
  await tx.insert(codePeople).values(row).onConflictDoNothing()
}

/** The accounts of members, by the id of the member. */
export async function loginsOfMembers(
  tx: Tx,
  { host_id, team_id }: CodeHost,
): Promise<Map<number, string>> {
  const rows = await tx
    .select({ actor_id: codePeople.actor_id, login: codePeople.login })
    .from(codePeople)
    .innerJoin(members, eq(members.actor_id, codePeople.actor_id))
    .where(and(eq(codePeople.host_id, host_id), eq(members.team_id, team_id)))
  return new Map(rows.map(({ actor_id, login }) => [actor_id, login]))
}
