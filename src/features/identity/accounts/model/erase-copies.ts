import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../../kernel/caller.ts'
import { answers } from '../../../../store/tables.ts'
import { webhookDeliveries } from '../../../agents/webhooks/model/index.ts'
import { importedRows, placeholders, sourceImports } from '../../../boards/imports/model/index.ts'
import { invitations } from '../../invitations/model/index.ts'
import { actors } from '../../people/model/index.ts'

/** The display name of erased accounts. */
export const FORMER_MEMBER = 'Former member'

/** The person to erase, with the values that are replaced. */
export interface Erased {
  actor_id: number
  name: string
  email: string
  /** The address that replaces theirs. */
  erasedEmail: string
}

/** Erases the name and the address of a person where they are stored a second time. */
export async function eraseCopies(tx: Tx, person: Erased): Promise<void> {
  await eraseInvitations(tx, person)
  await eraseImports(tx, person)
  await eraseAnswers(tx, person)
}

async function eraseInvitations(tx: Tx, { email, erasedEmail }: Erased): Promise<void> {
  const ofPerson = eq(invitations.email, email)
  await tx.update(invitations).set({ email: erasedEmail, mail_due_at: null }).where(ofPerson)
}

/** Placeholders with the same address stand for the same person. */
async function eraseImports(tx: Tx, person: Erased): Promise<void> {
  const { actor_id, name, email, erasedEmail } = person
  const ofPerson = or(eq(placeholders.email, email), eq(placeholders.replaced_by, actor_id))
  const rows = await tx
    .update(placeholders)
    .set({ email: null })
    .where(ofPerson)
    .returning({ actor_id: placeholders.actor_id })
  const placeholderIds = rows.map((row) => row.actor_id)
  if (placeholderIds.length)
    await tx
      .update(actors)
      .set({ name: FORMER_MEMBER, avatar: null })
      .where(inArray(actors.actor_id, placeholderIds))
  const isPerson = inArray(importedRows.row_id, [actor_id, ...placeholderIds])
  await tx.delete(importedRows).where(and(eq(importedRows.kind, 'person'), isPerson))
  const { mapping, import_id } = sourceImports
  const mapped = await tx
    .select({ import_id, mapping })
    .from(sourceImports)
    .where(or(contains(mapping, email), contains(mapping, name)))
  for (const row of mapped) {
    const erased = replaceInJson(row.mapping!, { [email]: erasedEmail, [name]: FORMER_MEMBER })
    await tx.update(sourceImports).set({ mapping: erased }).where(eq(import_id, row.import_id))
  }
}

/** Replaces whole texts of a JSON document, values and keys alike, in any case. */
function replaceInJson(json: string, replacements: Record<string, string>): string {
  let result = json
  for (const [text, replacement] of Object.entries(replacements)) {
    const quoted = JSON.stringify(text).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    result = result.replace(new RegExp(quoted, 'gi'), () => JSON.stringify(replacement))
  }
  return result
}

/**
 * Answers for retries may name the person. They are emptied instead of deleted, because a retry
 * would otherwise write a second time.
 */
async function eraseAnswers(tx: Tx, { name, email }: Erased): Promise<void> {
  const { answer } = answers
  const names = or(contains(answer, email), contains(answer, name))
  await tx
    .update(answers)
    .set({ answer: null })
    .where(and(isNotNull(answer), names))
  const { body } = webhookDeliveries
  const stored = and(isNotNull(body), or(contains(body, email), contains(body, name)))
  await tx.update(webhookDeliveries).set({ body: null }).where(stored)
}

/** Whether a text or JSON column contains a text. */
const contains = (column: PgColumn, text: string): SQL => {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, String.raw`\$&`)
  return sql`cast(${column} as text) like ${`%${escaped}%`} escape '\\'`
}
