import { and, inArray, like, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import {
  actors,
  PICTURE_HASH,
  PICTURE_PATTERN,
  type Picture,
  pictureOf,
} from '../../../identity/people/model/index.ts'

const { from, length } = PICTURE_HASH
const hash = sql<string>`substr(${actors.avatar}, ${sql.raw(`${from}, ${length}`)})`

/** The uploaded pictures of people and agents, or those among the hashes. */
export async function picturesIn(tx: Tx, sha256s?: readonly string[]): Promise<Picture[]> {
  const rows = await tx
    .select({ avatar: actors.avatar })
    .from(actors)
    .where(and(like(actors.avatar, PICTURE_PATTERN), sha256s && inArray(hash, [...sha256s])))
  return rows.flatMap(({ avatar }) => pictureOf(avatar) ?? [])
}
