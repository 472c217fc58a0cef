import { and, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { createPlaceholder, placeholders } from '../../../boards/imports/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import type { Account } from './clients/client.ts'
import type { CodeHost } from './store.ts'
import { codePeople } from './tables.ts'

/** Who an account is here. */
export interface Author {
  actor_id: number
  isMember: boolean
}

const isMember = async (tx: Tx, team_id: number, actor_id: number): Promise<boolean> => {
  const row = and(eq(members.team_id, team_id), eq(members.actor_id, actor_id))
  return (await tx.select({ id: members.actor_id }).from(members).where(row)).length > 0
}

/** The member or placeholder of an account; undefined if it is not known yet. */
export async function authorOf(
  tx: Tx,
  { host_id, team_id }: CodeHost,
  login: string,
): Promise<Author | undefined> {
  const own = and(eq(codePeople.host_id, host_id), eq(codePeople.login, login.toLowerCase()))
  const [row] = await tx
    .select({ actor_id: codePeople.actor_id, replaced_by: placeholders.replaced_by })
    .from(codePeople)
    .leftJoin(placeholders, eq(placeholders.actor_id, codePeople.actor_id))
    .where(own)
  if (!row) return undefined
  const actor_id = row.replaced_by ?? row.actor_id
  return { actor_id, isMember: await isMember(tx, team_id, actor_id) }
}

/** The member with this email, if there is one. */
export async function memberByEmail(tx: Tx, team_id: number, email: string) {
  const [row] = await tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .innerJoin(people, eq(people.actor_id, members.actor_id))
    .where(and(eq(members.team_id, team_id), eq(people.email, email.toLowerCase())))
  return row?.actor_id
}

/**
 * Who an account is here. A new one becomes the member with the same email, if the account may
 * write to the repository, because anybody can enter any address at some hosts. Otherwise it
 * becomes a placeholder, which a member can take over later.
 */
export async function resolveAuthor(
  ctx: Context,
  host: CodeHost,
  account: Account,
  isTrusted: boolean,
): Promise<Author> {
  const { team_id, host_id } = host
  const known = await authorOf(ctx.tx, host, account.login)
  if (known) return known
  const member =
    isTrusted && account.email ? await memberByEmail(ctx.tx, team_id, account.email) : undefined
  const name = (account.login.startsWith(':') ? account.name : account.login).slice(0, 100)
  const actor_id = member ?? (await createPlaceholder(ctx, team_id, { name }))
  const row = { team_id, host_id, login: account.login.toLowerCase(), actor_id }
  await ctx.tx.insert(codePeople).values(row).onConflictDoNothing()
  return { actor_id, isMember: member !== undefined }
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
